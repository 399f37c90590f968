// One typed field: the input, its label and its error, and how the text in it becomes a value that is signed.

import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { fieldProblem } from "./words.js";

/** Fields that people write sentences into. */
const multiline = new Set(["statement", "remarks"]);

/**
 * Makes the input of a field that is not a list.
 *
 * @param id of the input in the page
 * @param cell `{row}` when it is in a table, whose header is the visible label
 * @returns `{element, input, label, raw, setRaw, value, hasBadInput, showProblem}`
 */
export function fieldInput(field, id, cell) {
  const input = control(field, {
    id, autocomplete: "off", "aria-describedby": `${id}-error`, "aria-required": field.is_mandatory ? "true" : null,
    ...(cell ? { "aria-label": t`${field.label}, row ${cell.row}` } : {}),
  });
  const error = make("p", { class: "error", id: `${id}-error` });
  const visible = cell ? [] : [fieldLabel("label", { for: id }, field)];
  const element = make("div", { class: "field" }, ...visible, input, error);

  function showProblem(reason) {
    error.textContent = reason ? fieldProblem(reason) : "";
    if (reason) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
  input.addEventListener("input", () => showProblem(null));

  return {
    element, input, showProblem,
    /** As a sentence about the field calls it; rows are renumbered. */
    get label() { return cell ? input.getAttribute("aria-label") : field.label; },
    raw: () => input.value,
    setRaw: (text) => { input.value = text ?? ""; },
    /** `undefined` when it is left out. */
    value: () => (input.value.trim() === "" ? undefined : typed(field, input.value.trim())),
    /** Half a date is no date, and the browser does not hand it out. */
    hasBadInput: () => input.validity.badInput,
  };
}

/** A label that says what must be filled in. */
export function fieldLabel(name, attributes, field) {
  const mark = field.is_mandatory ? [" ", make("span", { class: "meta" }, t`required`)] : [];
  return make(name, attributes, field.label, ...mark);
}

function control(field, attributes) {
  if (field.kind === "date") return make("input", { ...attributes, type: "date", min: "1583-01-01", max: "9999-12-31" });
  if (field.kind === "number") return make("input", { ...attributes, type: "text", inputmode: "decimal" });
  if (multiline.has(field.name)) return make("textarea", { ...attributes, rows: 3, maxlength: 2000 });
  return make("input", { ...attributes, type: "text", maxlength: 2000 });
}

/** A whole number is signed as a number, any other as the text that was written, with a point. */
function typed(field, text) {
  if (field.kind !== "number") return text;
  const number = text.replace(",", ".");
  return /^(0|[1-9]\d*)$/.test(number) && Number.isSafeInteger(Number(number)) ? Number(number) : number;
}
