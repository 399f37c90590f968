// The fields of a note in the form in which it is written.

import { make } from "../shell/dom.js";
import { fault, field } from "../shell/field.js";
import { t } from "../shell/translate.js";
import { longestName, longestValue, mostFields } from "./note-fields.js";

/**
 * Makes the part of the form.
 *
 * @param fields `[{name, value}]` that are there
 * @param changed called when a field has been removed: no event says so
 * @returns `{element, fields(), faults()}`: the fields as they are, and what is wrong with them, for `complain`
 */
export function fieldsForm(fields, changed) {
  let number = 0;
  const list = make("div", { class: "stack" });
  const add = make("button", { type: "button", class: "button quiet", onclick: () => put({ name: "", value: "" }).focus() }, t`Add a field`);
  for (const one of fields) put(one);
  return {
    element: make("fieldset", { class: "stack tight" }, make("legend", {}, t`Fields`),
      make("p", { class: "hint" }, t`For a PIN, an account number or the like. It stays hidden until you show it.`), list, make("div", { class: "actions" }, add)),
    fields: () => rows().map(([name, value]) => ({ name: name.value.trim(), value: value.value.trim() })).filter(({ name, value }) => name || value),
    faults: () => rows().map(([name, value]) => fault(name, wrongWith(name.value.trim(), value.value.trim()))),
  };

  function rows() { return [...list.children].map((row) => [...row.querySelectorAll("input")]); }

  function put({ name, value }) {
    number += 1;
    const attributes = { autocomplete: "off", spellcheck: "false", dir: "auto" };
    const called = make("input", { ...attributes, id: `note-field-${number}`, value: name, maxlength: longestName });
    const is = make("input", { ...attributes, id: `note-value-${number}`, value, maxlength: longestValue });
    const remove = make("button", { type: "button", class: "button quiet danger" }, t`Remove this field`);
    const row = make("div", { class: "stack tight" }, make("div", { class: "grid" }, field(t`Name of the field`, called), field(t`Value`, is)), make("div", { class: "actions" }, remove));
    remove.addEventListener("click", () => {
      row.remove();
      add.hidden = false;
      add.focus();
      changed();
    });
    list.append(row);
    add.hidden = list.children.length >= mostFields;
    return called;
  }
}

/** What is wrong with the name of a field, in words. */
function wrongWith(name, value) {
  if (name.includes(":")) return t`Give it a name without a colon.`;
  return value && !name ? t`Fill in “${t`Name of the field`}”.` : "";
}
