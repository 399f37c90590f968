// The recovery key, shown once to be printed or written down, and typed back before it counts.

import { describe, make } from "../shell/dom.js";
import { askBeforeLeaving } from "../shell/leaving.js";
import { t } from "../shell/translate.js";
import { sameSecret } from "./bytes.js";
import { keyOf, wordCount, wordsOf } from "./recovery.js";

/** What is wrong with words that were typed. */
function words({ problem, count }) {
  if (problem === "count") return t`A recovery key has ${wordCount} words, and you typed ${count}.`;
  if (problem === "unknown") return t`One of the words is in no recovery key. Look for a typing mistake.`;
  if (problem === "checksum") return t`One of the words is another one, or two are swapped. Compare them with your paper.`;
  return t`This is a recovery key, but not the one of this vault.`;
}

/** Shows a key, and waits until it was typed back. Returns whether it was. */
export async function showRecovery(key) {
  const list = await wordsOf(key);
  const title = make("h2", { id: "recovery-title", tabindex: "-1" }, t`Your recovery key`);
  const paper = make("ol", { class: "recovery-words" }, ...list.map((word) => make("li", { dir: "ltr" }, word)));
  const print = make("button", { type: "button", class: "button", onclick: () => globalThis.print() }, t`Print it`);
  const cancel = make("button", { type: "button", class: "button", onclick: () => dialog.close() }, t`Cancel`);
  const next = make("button", { type: "button", class: "button primary" }, t`I have it on paper`);
  const dialog = document.body.appendChild(make("dialog", { class: "printed", "aria-labelledby": title.id },
    make("div", { class: "stack" }, title,
      make("p", {}, t`These ${wordCount} words open your vault when nothing else does. Write them down or print them. Nobody can show them again.`),
      paper, make("div", { class: "actions" }, print, cancel, next))));
  dialog.showModal();
  title.focus();
  const isWritten = await new Promise((resolve) => {
    next.addEventListener("click", () => dialog.close("next"));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "next");
    });
  });
  if (!isWritten) return false;
  const typed = await askForWords({
    title: t`Type it back`, text: t`Type the words from your paper, so that you know that it is right. The first four letters of each are enough.`,
    confirm: t`Compare`, back: t`Show the words again`,
    leaving: { title: t`Stop here?`, text: t`The words on your paper open nothing.`, confirm: t`Stop`, cancel: t`Go on` },
    check: async (text) => {
      const found = await keyOf(text);
      return found.key && sameSecret(found.key, key) ? { value: true } : found.key ? { problem: "checksum" } : found;
    },
  });
  return typed === "back" ? showRecovery(key) : Boolean(typed);
}

/** Asks for the words. `check` gives `{value}`, or what is wrong. Null when the person has cancelled. */
export const askForRecovery = (check) => askForWords({
  title: t`Open with the recovery key`, text: t`Type the ${wordCount} words from your paper. The first four letters of each are enough.`,
  confirm: t`Open the vault`, check,
});

/** @param leaving what is asked before it is cancelled; without it, nothing is */
function askForWords({ title: heading, text, confirm, back, leaving, check }) {
  const title = make("h2", { id: "words-title" }, heading);
  const input = make("textarea", {
    id: "words", rows: 5, autocomplete: "off", autocapitalize: "none", spellcheck: "false", dir: "ltr", "aria-describedby": "words-error", maxlength: 1000,
  });
  const error = make("p", { class: "error-text", role: "alert", id: "words-error" });
  const go = make("button", { class: "button primary" }, confirm);
  const form = make("form", { class: "stack" }, title, make("p", {}, text),
    make("div", { class: "field" }, make("label", { for: input.id }, t`Words`), input), error,
    make("div", { class: "actions" }, make("button", { type: "button", class: "button", onclick: () => leave() }, t`Cancel`),
      ...(back ? [make("button", { type: "button", class: "button", onclick: () => dialog.close("back") }, back)] : []), go));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  const leave = askBeforeLeaving(dialog, () => Boolean(leaving), leaving);
  let value = null;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (go.getAttribute("aria-busy")) return;
    go.setAttribute("aria-busy", "true");
    error.textContent = "";
    try {
      const found = await check(input.value);
      if (found.problem) error.textContent = words(found);
      else {
        ({ value } = found);
        dialog.close("done");
      }
    } catch (problem) {
      error.textContent = describe(problem);
    } finally {
      go.removeAttribute("aria-busy");
    }
  });
  dialog.showModal();
  input.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      input.value = "";
      resolve(dialog.returnValue === "back" ? "back" : value);
    });
  });
}
