// The part of a form in which the operator says which paper she sees, and that she has compared the person with it.

import { papers } from "../admin/words.js";
import { $, $$, clone } from "../shell/dom.js";

const otherPaper = "other";

/** What somebody has written into a field. */
export const text = (name) => $(`#${name}`).value.trim();

const chosen = () => $("#paper-list :checked")?.value ?? "";
const showOther = () => { $("#other").hidden = chosen() !== otherPaper; };

/** Offers the papers in a form, and takes back what is said beside a field as soon as it is changed. */
export function offerPapers(form) {
  const list = [...Object.entries(papers), [otherPaper, "Another paper"]];
  $("#paper-list").append(...list.map(([value, word]) => clone("paper", { value, word })));
  form.addEventListener("input", ({ target }) => complain(target.name === "paper" ? "paper" : target.id, ""));
  $("#paper-list").addEventListener("change", showOther);
}

/** Empties a form. */
export function empty(form) {
  form.reset();
  showOther();
  for (const field of $$("[aria-invalid]", form)) field.removeAttribute("aria-invalid");
  for (const place of $$(".error, .error-text", form)) place.textContent = "";
}

/** The paper in words, as it stands in the record. */
export function paper() {
  return chosen() === otherPaper ? text("other-paper") : papers[chosen()] ?? "";
}

/**
 * Whether everything is filled in; says beside each field what is missing.
 *
 * @param required by name of a field, what is said of it when it is empty
 */
export function isWhole(form, required) {
  const faults = Object.entries(required).filter(([name, words]) => text(name) === "" && complain(name, words));
  if (paper() === "") faults.push(complain("paper", "Choose the paper that you see."));
  if (!$("#compared").checked) faults.push(complain("compared", "Compare the person with the paper first."));
  if (faults.length > 0) $("[aria-invalid=true]", form)?.focus();
  return faults.length === 0;
}

/** Says beside a field what is wrong; `""` takes it back. */
export function complain(name, words) {
  const place = $(`#${name}-error`);
  if (!place) return words;
  place.textContent = words;
  const field = name === "paper" ? $("#paper-list input") : $(`#${name}`);
  if (words) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  return words;
}
