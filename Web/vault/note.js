// Writing a note, and changing one. What was typed is kept until it is saved or thrown away on purpose.

import { describe, make } from "../shell/dom.js";
import { field, isFilledIn } from "../shell/field.js";
import { askBeforeLeaving } from "../shell/leaving.js";
import { t } from "../shell/translate.js";
import { dropDraft, keepDraft } from "./drafts.js";
import { composed, parsed } from "./note-fields.js";
import { fieldsForm } from "./note-form.js";

/** The most characters: a note is stored with its name, and not as a file. */
const longest = 100_000;
/** So long after the last key a draft is kept, in milliseconds. */
const pauseTime = 400;

/**
 * Edits a note in a dialog.
 *
 * @param vault that is open
 * @param note `{folder, name}` of a new one, or `{item}`; with `draft`, what was typed before the vault was locked
 * @returns whether it was saved
 */
export function editNote(vault, { item, folder, name = item?.name, draft }) {
  const place = vault.draftPlace(item?.id);
  const before = draft?.before ?? item?.text;
  const title = make("h2", { id: "note-title" }, item ? t`Change the note` : t`Write a note`);
  const called = make("input", { id: "note-name", value: draft?.name ?? name, maxlength: 200, required: true, autocomplete: "off", dir: "auto" });
  const text = make("textarea", { id: "note-text", rows: 12, maxlength: longest, dir: "auto" });
  const typedBefore = parsed(draft?.text ?? item?.text ?? "");
  text.value = typedBefore.rest;
  const fields = fieldsForm(typedBefore.fields, () => form.dispatchEvent(new Event("input")));
  const whole = () => composed({ fields: fields.fields(), rest: text.value });
  const error = make("p", { class: "error-text", role: "alert" });
  const cancel = make("button", { type: "button", class: "button", onclick: () => leave() }, t`Cancel`);
  const save = make("button", { class: "button primary" }, t`Save`);
  const form = make("form", { class: "stack", novalidate: true }, title,
    ...(draft ? [make("p", { class: "hint" }, t`This is what you had typed when the vault was locked. It is not saved yet.`)] : []),
    field(t`Name`, called), fields.element, field(t`Note`, text), error,
    make("div", { class: "actions" }, cancel, save));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  const isChanged = () => called.value !== name || whole() !== composed(parsed(item?.text ?? ""));
  const leave = askBeforeLeaving(dialog, isChanged);
  let [pause, work] = [0, Promise.resolve()];
  // One after the other: what is dropped must not come back.
  const next = (act) => { work = work.then(act).catch(() => { /* No room here. */ }); };
  const keep = () => {
    const typed = { id: item?.id ?? null, folder, name: called.value, text: whole(), before };
    next(() => keepDraft(place, typed));
  };
  form.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(keep, pauseTime);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (save.getAttribute("aria-busy") || !isFilledIn(form, [called], ...fields.faults())) return;
    save.setAttribute("aria-busy", "true");
    error.textContent = "";
    try {
      const change = { name: called.value.trim(), text: whole() };
      await (item ? vault.describe(item.id, change, before) : vault.addNote(folder, change));
      // It may have been locked while it was saved.
      if (dialog.open) dialog.close("saved");
      else next(() => dropDraft(place));
    } catch (problem) {
      error.textContent = describe(problem);
    } finally {
      save.removeAttribute("aria-busy");
    }
  });
  dialog.showModal();
  text.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      clearTimeout(pause);
      // Closed by the lock, it is kept; saved or thrown away, it is not.
      if (dialog.returnValue || !isChanged()) next(() => dropDraft(place));
      else keep();
      called.value = text.value = "";
      fields.element.remove();
      dialog.remove();
      resolve(dialog.returnValue === "saved");
    });
  });
}
