// The part of a form in which operators say which paper they see and that they have compared the person with it. If the
// organisation records the place, they give it too.

import { papers } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { $, $$, clone } from "../shell/dom.js";
import { showSummary } from "../shell/error-summary.js";
import { t } from "../shell/translate.js";
import { recordedPaper } from "./papers.js";
import { placeConsent } from "./place.js";

const otherPaper = "other";
let place = null;

/** The text of a field. */
export const text = (name) => $(`#${name}`).value.trim();

const chosen = () => $("#paper-list :checked")?.value ?? "";
const showOther = () => { $("#other").hidden = chosen() !== otherPaper; };

/** Offers the papers in a form, and takes back what is said beside a field as soon as it is changed. */
export function offerPapers(form) {
  const list = [...Object.entries(papers), [otherPaper, t`Another ID document`]];
  $("#paper-list").append(...list.map(([value, word]) => clone("paper", { value, word })));
  form.addEventListener("input", ({ target }) => complain(target.name === "paper" ? "paper" : target.id, ""));
  $("#paper-list").addEventListener("change", showOther);
  place = placeConsent({ box: $("#here"), state: $("#here-state") });
  // Without an answer nobody is asked for the place, which can be done without.
  api.get("/api/desk/settings").then((settings) => { $("#here-part").hidden = !settings.takes_place; }, () => {});
}

/** The circumstances to record beside the paper, as the server takes them. @param device what the page knows of it */
export async function circumstances(device) {
  const where = await place?.value();
  return { identified: $("#compared").checked, device, ...(where && { place: where }) };
}

/** Empties a form. */
export function empty(form) {
  form.reset();
  place?.clear();
  showOther();
  for (const field of $$("[aria-invalid]", form)) field.removeAttribute("aria-invalid");
  for (const place of $$(".error, .error-text", form)) place.textContent = "";
  showSummary(form, []);
}

/** The paper in words, as it is in the record: in English, in any language of the page. */
export function paper() {
  return chosen() === otherPaper ? text("other-paper") : recordedPaper(chosen());
}

/**
 * Whether everything is filled in; says beside each field what is missing.
 *
 * @param required by name of a field, what is said of it when it is empty
 * @param more what else is wrong: `[id, words]` each
 */
export function isWhole(form, required, more = []) {
  const faults = Object.entries(required).filter(([name]) => text(name) === "");
  faults.push(...more);
  if (paper() === "") faults.push(["paper", t`Choose the ID document that you see.`]);
  if (!$("#compared").checked) faults.push(["compared", t`Compare the person with the ID document first.`]);
  showSummary(form, faults.map(([name, words]) => {
    complain(name, words);
    return { control: controlOf(name), words, clear: () => complain(name, "") };
  }));
  return faults.length === 0;
}

/** What is wrong with a name in its parts: one of them may be empty, of people who have one name. */
export const nameFaults = () => (text("given") || text("family") ? [] : [["given", t`Write the name, as the ID document has it.`]]);

const controlOf = (name) => (name === "paper" ? $("#paper-list input") : $(`#${name}`));

/** Says beside a field what is wrong; `""` takes it back. */
export function complain(name, words) {
  const place = $(`#${name}-error`);
  if (!place) return words;
  place.textContent = words;
  const field = controlOf(name);
  if (words) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  return words;
}
