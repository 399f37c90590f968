// The steps of the page of accounts: one of them shows, and its heading gets the focus.

import { $, $$ } from "../shell/dom.js";
import { t } from "../shell/translate.js";

let step = null;

/** The step that shows; null before the first. */
export const current = () => step;

/** Shows a step: "list", "make", "work", "phrase", "typed", "open", "found" or "over". */
export function show(name) {
  const isMove = step !== null && step !== name;
  step = name;
  for (const part of $$("[data-step]")) part.hidden = part.dataset.step !== name;
  if (isMove) $(`[data-step=${name}] h2`).focus();
}

/** Says what came of it; `again` saves a file again. */
export function over(mark, title, text, again = null) {
  $("#verdict").className = `verdict measure ${mark}`;
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  $("#save-again").hidden = !again;
  $("#save-again").onclick = again;
  show("over");
}

/**
 * Shows that something is under way, which takes seconds, and lets the person cancel.
 *
 * @param work `async (signal) => result`
 */
export async function underWay(title, work) {
  const over = new AbortController();
  $("#work-title").textContent = title;
  $("#work-cancel").onclick = () => over.abort();
  show("work");
  try {
    return await work(over.signal);
  } catch (error) {
    if (over.signal.aborted) return null;
    throw error;
  }
}

// A phrase that nobody has written down yet, or a file that is not saved, is lost with the page.
addEventListener("beforeunload", (event) => {
  if (["work", "phrase", "typed"].includes(step)) event.preventDefault();
});

/** How an act of seconds is called while it runs. */
export const titles = { sealing: t`Making the backup`, opening: t`Opening the backup` };
