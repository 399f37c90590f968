// What every page of the desk begins with: who is here, and what she may do.

import { device } from "../accounts/keys.js";
import { api } from "../shell/api.js";
import { $, $$, describe, notice } from "../shell/dom.js";
import { onConnection } from "../shell/events.js";
import { may } from "./permissions.js";

export { fragment } from "./fragment.js";

/**
 * Starts a page: finds out who is here, shows what her role may do, and runs `page(me)`.
 *
 * `me` is `{account, may(permission), record}`; `record` is what this browser holds of her, or `null`.
 */
export async function start(page) {
  try {
    const me = await whoIsHere();
    for (const element of $$("[data-may]")) element.hidden = !me.may(element.dataset.may);
    showConnection();
    await page(me);
  } catch (error) {
    console.error(error);
    notice(error.kind === "unwitnessed" ? "warning" : "error", describe(error), { action: "Try again", href: location.href });
  } finally {
    for (const element of $$("[data-loading]")) element.remove();
    document.documentElement.dataset.state = "ready";
  }
}

async function whoIsHere() {
  const { account } = await api.get("/api/sessions/current");
  if (!may(account.role, "read_desk")) {
    location.replace("/wallet");
    // The page is left: nothing more is drawn.
    await new Promise(() => {});
  }
  const held = await device();
  return {
    account,
    record: held?.account === account.id ? held : null,
    may: (permission) => may(account.role, permission),
  };
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
