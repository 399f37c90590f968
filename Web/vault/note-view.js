// A note as it is read: its fields, each hidden until somebody shows it, and its text.

import { copy, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { parsed } from "./note-fields.js";

/** What stands for a value, however long it is. */
const dots = "••••••••";

/** The elements of a note's text. */
export function noteElements(text) {
  const { fields, rest } = parsed(text);
  const isShort = fields.length > 0 && !rest;
  return [
    ...(fields.length > 0 ? [make("dl", { class: "facts" }, ...fields.map(row))] : []),
    ...(isShort ? [] : [make("div", { class: "card as-written", dir: "auto", tabindex: 0 }, rest || t`This note is empty.`)]),
  ];
}

function row({ name, value }, number) {
  const shown = make("span", { class: "code", dir: "auto", id: `field-value-${number}`, "aria-live": "polite" }, dots);
  const show = make("button", { type: "button", class: "button quiet", "aria-expanded": "false", "aria-describedby": `field-name-${number}` }, t`Show`);
  show.addEventListener("click", () => {
    const isShown = show.getAttribute("aria-expanded") === "true";
    shown.textContent = isShown ? dots : value;
    show.textContent = isShown ? t`Show` : t`Hide`;
    show.setAttribute("aria-expanded", String(!isShown));
  });
  const take = make("button", { type: "button", class: "button quiet", "aria-describedby": `field-name-${number}`, onclick: () => copy(value) }, t`Copy`);
  return make("div", {}, make("dt", { id: `field-name-${number}`, dir: "auto" }, name), make("dd", {}, make("span", { class: "row" }, shown, show, take)));
}
