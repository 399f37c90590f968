// The common work of the wallet's pages: load, draw, stay up to date, and say when the content is old.

import { $, $$, describe, make, notice, time } from "./dom.js";
import { latest, onChange } from "./events.js";
import "./install.js";
import { isOver } from "./over.js";
import { t } from "./translate.js";

let isShown = false;

/** Why something old is shown. */
const reasons = {
  offline: t`No connection.`,
  unwitnessed: t`Something newer is recorded, but too few of the witnesses who sign the log answer now: it comes by itself.`,
  "storage-unreachable": t`The server cannot reach its storage now.`,
};

/**
 * Runs a page: `load` fetches and draws; it runs again whenever something of these kinds changed, and when the
 * connection is back.
 *
 * @param kinds of live updates (docs/http.md)
 * @returns a function that runs `load` again
 */
export function start(load, kinds) {
  const run = latest(async () => {
    try {
      await load();
      shown();
    } catch (error) {
      failed(error, run);
    }
  });
  run().then(() => onChange(kinds, () => run()));
  addEventListener("online", () => run());
  return run;
}

/** Says how old the shown state is, when a part of it could not be fetched. */
export function showAge(parts) {
  const place = $("#age");
  const old = parts.filter((part) => part.isOld);
  place.hidden = old.length === 0;
  if (old.length === 0) return;
  const at = Math.min(...old.map((part) => part.at));
  const words = `${reasons[old[0].why]} ${t`This is what this device saw on ${time(at)}.`}`;
  const text = $("p", place);
  // A live region speaks whenever it is written to, changed or not.
  if (text.textContent !== words) text.textContent = words;
}

function shown() {
  isShown = true;
  for (const element of $$(".loading")) element.remove();
  $("#failed")?.remove();
  const content = $("#content");
  content.hidden = false;
  document.documentElement.dataset.state = "ready";
}

function failed(error, again) {
  const isOffline = error.kind === "offline";
  if (!isOffline && !isOver()) console.error(error);
  // The page has said that the session has ended, and asks nothing until a person has signed in.
  if (isOver() && error.kind === "unauthenticated") return undefined;
  // The page's content stays; without a network the page says so by itself.
  if (isShown) return isOffline ? undefined : notice("error", describe(error));
  for (const element of $$(".loading")) element.remove();
  $("#failed")?.remove();
  $("#content").before(make("div", { id: "failed", class: "empty", role: "alert" },
    make("h2", {}, isOffline ? t`No connection` : t`This did not work`),
    make("p", {}, isOffline
      ? t`This device has not seen what belongs here yet, so it cannot show it without a network.`
      : describe(error)),
    make("button", { type: "button", class: "button", onclick: () => again() }, t`Try again`)));
  document.documentElement.dataset.state = "failed";
  return undefined;
}
