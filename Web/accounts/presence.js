// A session that is open only while the wallet that signed it in answers. This page holds it: it waits for the wallet with
// the server, again and again. While the session is locked the page shows nothing of it.

import { api } from "../shell/api.js";
import { $, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** Where this tab keeps `{id, secret}` of the sign-in, from page to page. */
const place = "held-session";
/** Milliseconds before it asks again after an answer that was none. */
const pause = 2000;

/** Remembers the sign-in that this tab's session rests on. */
export const remember = ({ id, secret }) => sessionStorage.setItem(place, JSON.stringify({ id, secret }));

/** Forgets it: there is another session now. */
export const forget = () => sessionStorage.removeItem(place);

/** Holds this tab's session, if a wallet has to answer for it, until it is lost. */
export async function hold() {
  const held = JSON.parse(sessionStorage.getItem(place) ?? "null");
  if (!held) return;
  while (true) {
    try {
      const path = `/api/pico/sign-ins/${encodeURIComponent(held.id)}/presence`;
      const { state } = await api.post(path, { secret: held.secret }, { allow401: true });
      if (state === "lost") break;
      if (state === "paused") lock(t`Your wallet is paused. Let it go on, and this page opens again.`);
      else unlock();
    } catch (problem) {
      // Nobody holds it: it was lost, or the server was started again.
      if (problem.kind === "not-found") break;
      await new Promise((done) => { setTimeout(done, (problem.retryAfter ?? 0) * 1000 || pause); });
    }
  }
  forget();
  lock(t`Your wallet no longer answers. Scan again to go on.`, true);
}

function lock(words, isLost = false) {
  const dialog = $("#locked") ?? document.body.appendChild(make("dialog",
    { id: "locked", "aria-labelledby": "locked-title", oncancel: (event) => event.preventDefault() },
    make("div", { class: "stack" },
      make("h2", { id: "locked-title" }, t`This session is locked`), make("p", { role: "status" }),
      make("div", { class: "actions" },
        make("a", { class: "button primary", href: "/sign-in?reason=locked" }, t`Sign in again`)))));
  $("p", dialog).textContent = words;
  $(".actions", dialog).hidden = !isLost;
  document.documentElement.dataset.locked = "";
  if (!dialog.open) dialog.showModal();
}

function unlock() {
  const dialog = $("#locked");
  if (!dialog?.open) return;
  dialog.close();
  delete document.documentElement.dataset.locked;
  // What waited for the session goes on, as after a time without network.
  dispatchEvent(new Event("online"));
}
