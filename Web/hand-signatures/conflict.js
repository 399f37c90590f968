// Handles the case that another person has saved the same document first: nothing of either is lost.

import { nameOf } from "../accounts/names.js";
import { make, time } from "../shell/dom.js";
import { field, isFilledIn } from "../shell/field.js";
import { bare, locale, t } from "../shell/translate.js";

/**
 * Asks.
 *
 * @param theirs the document as it is now, `null` when it was deleted
 * @param name of the own version
 * @returns `{act: "new", name}`, `{act: "theirs"}`, or `null` to go on writing
 */
export function settleConflict(theirs, name) {
  const input = make("input", { id: "conflict-name", type: "text", maxlength: 200, required: true, autocomplete: "off" });
  input.value = bare(t`${name.slice(0, 180)} (copy)`);
  const said = theirs
    ? t`${nameOf(theirs.changed_by)} saved version ${theirs.version.toLocaleString(locale)} on ${time(theirs.changed)}, after you had opened it. Your text is still here. Keep both, or take the other one.`
    : t`It was deleted after you had opened it. Your text is still here, and can be saved as a new template.`;
  const button = (value, words, look = "") => make("button", { class: `button${look}`, value }, words);
  const form = make("form", { method: "dialog", novalidate: true },
    make("h2", { id: "conflict-title" }, theirs ? t`Somebody else has changed this template` : t`This template is gone`),
    make("p", {}, said),
    field(t`Name for yours`, input),
    make("div", { class: "actions" },
      button("", t`Go on writing`),
      ...(theirs ? [button("theirs", t`Take theirs, drop mine`, " danger")] : []),
      button("new", t`Save mine as new`, " primary")));
  form.addEventListener("submit", (event) => {
    if (event.submitter?.value === "new" && !isFilledIn(form, [input])) event.preventDefault();
  });
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": "conflict-title" }, form));
  dialog.showModal();
  input.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      const act = dialog.returnValue;
      resolve(act === "new" ? { act, name: input.value.trim() } : act === "theirs" ? { act } : null);
    });
  });
}
