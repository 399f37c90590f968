// "This is what you sign": every value as it goes under the signature, in the type's order, as text.

import { bytes, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { hexOf } from "./fingerprints.js";

/**
 * Shows what is about to be signed.
 *
 * @param parts `[[label, value]]` before the fields: to whom, under which keys
 * @param type of the document, as in the catalogue
 * @param fields as they will be signed
 * @param rest `[[label, value]]` after the fields; a value is a text or an element
 */
export function showPreview(container, { parts, type, fields, file = null, rest = [] }) {
  const facts = make("dl", { class: "facts" });
  const add = (label, value) => facts.append(make("div", {}, make("dt", {}, label), make("dd", {}, value)));
  for (const [label, value] of parts) add(label, value);
  for (const field of type.fields) {
    const value = fields[field.name];
    if (value !== undefined) add(field.label, field.kind === "list" ? table(field, value) : text(value));
  }
  if (file) add(t`File`, fileFacts(file));
  for (const [label, value] of rest) add(label, value);
  container.replaceChildren(facts);
}

function text(value) {
  const element = make("span", { class: "said" });
  String(value).split("\n").forEach((line, index) => element.append(...(index > 0 ? [make("br")] : []), line));
  return element;
}

function table(field, rows) {
  const head = make("tr", {}, ...field.fields.map((column) => make("th", { scope: "col" }, column.label)));
  const body = rows.map((row) => make("tr", {}, ...field.fields.map((column) =>
    make("td", { "data-label": column.label }, row[column.name] === undefined ? "–" : String(row[column.name])))));
  return make("table", { class: "data" }, make("thead", {}, head), make("tbody", {}, ...body));
}

function fileFacts(file) {
  return make("div", { class: "stack tight" }, make("span", {}, t`${file.name}, ${bytes(file.content.length)}`),
    make("span", { class: "meta" }, "SHA-256 ", make("span", { class: "fingerprint long" }, hexOf(file.digest))));
}
