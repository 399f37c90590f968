// Lists of facts: a term and its value.

import { make } from "./dom.js";

/** Fills a `dl.facts`. Facts are `[label, value]`, text or an element; those without a value are left out. */
export function showFacts(list, facts) {
  list.replaceChildren(...facts.filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([label, value]) => make("div", {}, make("dt", {}, label), make("dd", {}, value))));
}

/** A fingerprint or another long code as a value. */
export const codeValue = (text) => make("span", { class: "fingerprint long" }, text);
