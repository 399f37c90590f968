// The fields that the organisation asks of a client beyond name and number, as a form, with their values.

import { api } from "../shell/api.js";
import { make } from "../shell/dom.js";
import { language, t } from "../shell/translate.js";

/** What is asked now, in its order. */
export const askedFields = async () => (await api.get("/api/desk/fields")).fields;

const idOf = ({ id }) => `field-${id}`;
const valueOf = (field) => document.getElementById(idOf(field)).value.trim();

/** Puts a form's fields into `place`. @param values what a client has: `[{field, value}]` */
export function drawFields(place, fields, values = []) {
  place.replaceChildren(...fields.map((field) => {
    const id = idOf(field);
    const value = values.find((one) => one.field === field.id)?.value ?? "";
    const about = { id, autocomplete: "off", "aria-describedby": `${id}-error` };
    const label = make("label", { for: id }, field.label);
    if (!field.is_required) label.append(" ", make("span", { class: "meta" }, t`(if known)`));
    return make("div", { class: "field" }, label, control(field, value, about), make("p", { class: "error", id: `${id}-error` }));
  }));
}

function control({ kind, choices }, value, about) {
  if (kind !== "choice") {
    const looks = { text: { type: "text", maxlength: "500" }, number: { type: "text", inputmode: "decimal", maxlength: "24" }, date: { type: "date", max: "9999-12-31" } };
    return make("input", { ...about, ...looks[kind], value });
  }
  // A choice that is no longer offered has to be made again.
  const select = make("select", about, make("option", { value: "" }, t`Nothing chosen`), ...choices.map((one) => make("option", { value: one }, one)));
  select.value = choices.includes(value) ? value : "";
  return select;
}

/** The faults of the values: `[id, words]` each. */
export function fieldFaults(fields) {
  return fields.flatMap((field) => {
    const value = valueOf(field);
    if (value === "") return field.is_required ? [[idOf(field), t`Fill in “${field.label}”.`]] : [];
    const isWrong = field.kind === "number" && !/^-?\d{1,15}([.,]\d{1,6})?$/.test(value);
    return isWrong ? [[idOf(field), t`Write “${field.label}” as a number, such as 12 or 3.5.`]] : [];
  });
}

/** What was filled in, as the server takes it. */
export const fieldValues = (fields) => fields.map((field) => ({ field: field.id, value: valueOf(field) })).filter(({ value }) => value !== "");

/** Whether anything was written. */
export const areTouched = (fields) => fields.some((field) => valueOf(field) !== "");

/** A value as people read it. */
export function shownValue({ kind }, value) {
  if (kind !== "date") return value;
  const day = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? value : day.toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });
}
