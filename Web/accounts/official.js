// The beginning of every page of the console and of the desk: who is here, what that account may do, and whether this
// browser holds its keys.

import { api } from "../shell/api.js";
import { $, $$, describe, notice } from "../shell/dom.js";
import { onConnection } from "../shell/events.js";
import { t } from "../shell/translate.js";
import { device } from "./keys.js";
import "./mine.js"; // Every page asks it what the account may do (session.js).
import { may } from "./permissions.js";

/**
 * Starts a page: finds out who is here, shows what that account may do, and runs `page(me)`. A person without the
 * permission `needs` is led to the wallet.
 *
 * `me` is `{account, may(permission), record, needKeys()}`; `record` is what this browser holds of the account, or `null`.
 */
export async function start(page, needs) {
  try {
    const me = await whoIsHere(needs);
    for (const element of $$("[data-may]")) element.hidden = !me.may(element.dataset.may);
    for (const element of $$("[data-role]")) element.hidden = element.dataset.role !== me.account.role;
    showConnection();
    await page(me);
  } catch (error) {
    console.error(error);
    notice(error.kind === "unwitnessed" ? "warning" : "error", describe(error), { action: t`Try again`, href: location.href });
  } finally {
    for (const element of $$("[data-loading]")) element.remove();
    document.documentElement.dataset.state = "ready";
  }
}

async function whoIsHere(needs) {
  const { account, permissions } = await api.get("/api/sessions/current");
  const who = { role: account.role, permissions };
  if (!may(who, needs)) {
    location.replace("/wallet");
    // The page is left: nothing more is drawn.
    await new Promise(() => {});
  }
  const held = await device();
  const record = held?.account === account.id ? held : null;
  return { account, record, may: (permission) => may(who, permission), needKeys: () => needKeys(record) };
}

/** Says, once and above everything else, when this browser can look but not sign. */
function needKeys(record) {
  if (record) return true;
  notice(
    "warning",
    t`This browser holds none of your keys, so you can look here but not sign. Use the browser in which you made them,
      or add this one as a device.`,
    { action: t`Add this device`, href: "/add-device" });
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
    badge.textContent = state === "live" ? t`Live` : t`Reconnecting`;
  });
}
