// A session that is open only while the wallet that signed it in answers. One page of the browser holds it: it waits for the
// wallet with the server, again and again, and tells the others. While the session is locked no page shows anything of it.

import { api, isOwner, needsSession } from "../shell/api.js";
import { $, busy, make } from "../shell/dom.js";
import { session } from "../shell/session.js";
import { listen, tell } from "../shell/tabs.js";
import { t } from "../shell/translate.js";
import { forget, place, read } from "./held.js";

/** Milliseconds before it asks again after an answer that was none. */
const pause = 2000;

/** Lets one page at a time do it: when that is closed, the next one goes on. */
const alone = (work) => (navigator.locks ? navigator.locks.request(place, work) : work());

/** Holds the session, if a wallet has to answer for it, until it is lost. */
export const hold = () => alone(async () => {
  for (let held = read(); held; held = read()) {
    try {
      const path = `/api/pico/sign-ins/${encodeURIComponent(held.id)}/presence`;
      const { state } = await api.post(path, { secret: held.secret }, { allow401: true });
      if (state === "lost") lost(held);
      else say(state);
    } catch (problem) {
      // Nobody holds it: it was lost, or the server was started again.
      if (problem.kind === "not-found") lost(held);
      else await new Promise((done) => { setTimeout(done, (problem.retryAfter ?? 0) * 1000 || pause); });
    }
  }
});

function lost({ id }) {
  // Meanwhile somebody may have signed in.
  if (read()?.id !== id) return;
  forget();
  say("lost");
}

/** Locks or opens all pages of this browser. */
function say(state) {
  act(state);
  tell({ kind: "held", state });
}

/** Does what a state of the session means for this page. */
export function act(state) {
  if (!needsSession()) return;
  if (state === "active") unlock();
  else if (state === "paused") lock(t`Your wallet is paused. Let it go on, and this page opens again.`);
  else lock(t`Your wallet no longer answers. Scan again to go on.`, true);
}

listen(async ({ kind, account }) => {
  if (kind !== "signed-in") return;
  // A page of somebody else stays hidden until it is loaded again.
  if (await isOwner(account)) unlock();
  hold();
});

function lock(words, isLost = false) {
  const dialog = $("#locked") ?? document.body.appendChild(make("dialog",
    { id: "locked", "aria-labelledby": "locked-title", oncancel: (event) => event.preventDefault() },
    make("div", { class: "stack" },
      make("h2", { id: "locked-title" }, t`This session is locked`), make("p", { role: "status" }),
      make("div", { class: "actions" },
        make("a", { class: "button primary" }, t`Sign in again`),
        make("button", { type: "button", class: "button", onclick: leave }, t`Sign out`)))));
  const query = new URLSearchParams({ reason: "locked", next: location.pathname + location.search });
  $("a", dialog).href = `/sign-in?${query}${location.hash}`;
  $("p", dialog).textContent = words;
  $("a", dialog).hidden = !isLost;
  document.documentElement.dataset.locked = "";
  if (!dialog.open) dialog.showModal();
}

/** A locked session can still be ended: then nothing here waits for the wallet any more. */
const leave = ({ currentTarget }) => busy(currentTarget, async () => {
  const { signOut } = await session();
  await signOut();
  forget();
  location.assign("/sign-in");
});

function unlock() {
  const dialog = $("#locked");
  if (!dialog?.open) return;
  dialog.close();
  delete document.documentElement.dataset.locked;
  // What waited for the session goes on, as after a time without network.
  dispatchEvent(new Event("online"));
}
