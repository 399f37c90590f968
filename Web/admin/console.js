// What every page of the console begins with: who is here, what she may do, and whether this browser holds her keys.

import { api } from "../shell/api.js";
import { onConnection } from "../shell/events.js";
import { $, $$, describe, notice } from "../shell/dom.js";
import { device } from "../accounts/keys.js";
import { isConsoleRole, may } from "./permissions.js";

/**
 * Starts a page: finds out who is here, shows what her role may do, and runs `page(me)`.
 *
 * `me` is `{account, may(permission), record, needKeys()}`; `record` is what this browser holds of her, or `null`.
 */
export async function start(page) {
  try {
    const me = await whoIsHere();
    for (const element of $$("[data-may]")) element.hidden = !me.may(element.dataset.may);
    for (const element of $$("[data-role]")) element.hidden = element.dataset.role !== me.account.role;
    showConnection();
    await page(me);
  } catch (error) {
    showFailure(error);
  } finally {
    for (const element of $$("[data-loading]")) element.remove();
    document.documentElement.dataset.state = "ready";
  }
}

async function whoIsHere() {
  const { account } = await api.get("/api/sessions/current");
  if (!isConsoleRole(account.role)) {
    location.replace("/wallet");
    // The page is left: nothing more is drawn.
    await new Promise(() => {});
  }
  const held = await device();
  const record = held?.account === account.id ? held : null;
  return {
    account,
    record,
    may: (permission) => may(account.role, permission),
    needKeys: () => needKeys(record),
  };
}

/** Says, once and above everything else, when this browser can look but not sign. */
function needKeys(record) {
  if (record) return true;
  notice(
    "warning",
    "This browser holds none of your keys, so you can look here but not sign. Use the browser in which you made them, " +
      "or add this one as a device.",
    { action: "Add this device", href: "/add-device" });
  return false;
}

/** Lists are live; when they are not, the page says so. */
function showConnection() {
  const badge = $("#connection");
  if (!badge) return;
  let wasLive = false;
  onConnection((state) => {
    wasLive ||= state === "live";
    badge.hidden = !wasLive && state !== "live";
    badge.className = `badge ${state === "live" ? "good" : "wait"}`;
    badge.textContent = state === "live" ? "Live" : "Reconnecting";
  });
}

function showFailure(error) {
  console.error(error);
  notice(error.kind === "unwitnessed" ? "warning" : "error", describe(error), { action: "Try again", href: location.href });
}

/** What the fragment of the address names: an id or a code, `""` when there is none. */
export function fragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash.slice(1);
  }
}
