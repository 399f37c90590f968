// Eight characters to read out, for an administrator at a desktop without a camera (docs/accounts.md, "Face to face").
// They are for this page alone: after a reload it shows others, since the server keeps none that it could show again.

import { now } from "../accounts/mine.js";
import { api } from "../shell/api.js";
import { $ } from "../shell/dom.js";

/** What is shown: `{id, code, expires}`. */
let shown = null;

/** Shows characters that find a check; new ones, if it shows none or `isNew`. */
export async function showCharacters(id, { isNew = false } = {}) {
  if (shown?.id !== id || isNew) {
    try {
      shown = { id, ...await api.post(`/api/enrolments/${encodeURIComponent(id)}/typed-code`) };
    } catch (problem) {
      // An administrator has just taken the check, or its time is up: the page is about to say so.
      if (!["conflict", "gone", "not-found"].includes(problem.kind)) throw problem;
      shown = null;
    }
  }
  $("#characters").hidden = shown === null;
  if (shown === null) return;
  $("#characters-text").textContent = shown.code;
  $("#characters-spoken").textContent = [...shown.code.replace("-", "")].join(" ");
  countDown();
}

/** Shows how long they still work. */
export function countDown() {
  if (shown === null) return;
  const left = Math.max(0, shown.expires - now());
  $("#characters-left").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  $("#characters-works").hidden = left === 0;
  $("#characters-over").hidden = left > 0;
}
