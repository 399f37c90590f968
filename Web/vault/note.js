// Writing a note, and changing one. What was typed is kept until it is saved or thrown away on purpose.

import { ask, describe, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** The most characters: a note is stored with its name, and not as a file. */
const longest = 100_000;

/**
 * Edits a note in a dialog.
 *
 * @param vault that is open
 * @param note `{folder, name}` of a new one, or `{item}`
 * @returns whether it was saved
 */
export function editNote(vault, { item, folder, name = item?.name }) {
  const title = make("h2", { id: "note-title" }, item ? t`Change the note` : t`Write a note`);
  const called = make("input", { id: "note-name", value: name, maxlength: 200, required: true, autocomplete: "off", dir: "auto" });
  const text = make("textarea", { id: "note-text", rows: 12, maxlength: longest, dir: "auto" });
  text.value = item?.text ?? "";
  const error = make("p", { class: "error-text", role: "alert" });
  const cancel = make("button", { type: "button", class: "button", onclick: () => leave() }, t`Cancel`);
  const save = make("button", { class: "button primary" }, t`Save`);
  const form = make("form", { class: "stack" }, title,
    make("div", { class: "field" }, make("label", { for: called.id }, t`Name`), called),
    make("div", { class: "field" }, make("label", { for: text.id }, t`Note`), text), error,
    make("div", { class: "actions" }, cancel, save));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  const isChanged = () => called.value !== name || text.value !== (item?.text ?? "");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (save.getAttribute("aria-busy")) return;
    save.setAttribute("aria-busy", "true");
    error.textContent = "";
    try {
      const change = { name: called.value.trim(), text: text.value };
      await (item ? vault.describe(item.id, change, item.text) : vault.addNote(folder, change));
      dialog.close("saved");
    } catch (problem) {
      error.textContent = describe(problem);
    } finally {
      save.removeAttribute("aria-busy");
    }
  });
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave();
  });
  dialog.showModal();
  text.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "saved");
    });
  });

  async function leave() {
    const isSure = !isChanged() || await ask({
      title: t`Throw away what you typed?`, confirm: t`Throw it away`, cancel: t`Go on writing`, danger: true });
    if (isSure) dialog.close();
  }
}
