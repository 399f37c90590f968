// The form in which a holder chooses what to show, to whom, and how.

import { $, $$, bytes, clone } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { redraw } from "../shell/redraw.js";
import { plural, t } from "../shell/translate.js";
import { line } from "../verification/fields.js";
import { mistakeIn } from "./present.js";

const file = "document";

/** Prepares the form for an opened document. */
export function prepareChoice(opened) {
  const fields = opened.fields.map(({ name, label, value }) => ({ id: name, label, value: lineOf(value) }));
  if (opened.document) {
    const { name } = opened.document;
    fields.push({ id: file, label: t`The file`, value: t`${name}, ${bytes(opened.content.length)}` });
  }
  redraw($("#choices"), fields, (field) => {
    const choice = clone("field-choice", field);
    const input = $("input", choice);
    input.value = field.id;
    input.addEventListener("change", showWarning);
    return choice;
  });
  showWarning();
  showLinkOptions();
}

/** Empties the form: it holds what the document says. */
export function clearChoice() {
  say();
  $("#choices").replaceChildren();
  $("#choose").reset();
}

/** The choice, or null when something is missing; then the form says what. */
export function chosen(opened) {
  const audience = $("#audience").value.trim();
  const nonce = $("#nonce").value.trim();
  const names = $$("#choices input:checked").map((input) => input.value);
  const isWhole = say({
    audience: mistakeIn(audience, true), nonce: mistakeIn(nonce, false),
    choices: names.length === 0 ? t`Choose at least one thing.` : "",
  });
  if (!isWhole) return null;
  const isShown = (field) => names.includes(field.name);
  const { fields } = opened;
  return {
    audience,
    nonce,
    fields: fields.filter(isShown).map(({ name }) => name),
    withDocument: names.includes(file),
    shown: fields.filter(isShown),
    hidden: fields.filter((field) => !isShown(field)),
    way: $("#choose input[name=way]:checked").value,
    ...lifetimeOf($("#choose input[name=way]:checked").value),
    views: Number($("#views").value),
    viewsWords: $("#views").selectedOptions[0].textContent,
  };
}

/** For how long it is good: a link as long as it works, a file as chosen. */
function lifetimeOf(way) {
  const { value, selectedOptions } = $(way === "link" ? "#lifetime" : "#good-for");
  return { lifetime: Number(value), lifetimeWords: selectedOptions[0].textContent };
}

/** A value on one line, to be recognised by; what it says in full comes with the preview. */
function lineOf(value) {
  if (Array.isArray(value)) return plural(value.length, "{0} row", "{0} rows");
  if (value !== null && typeof value === "object") return Object.values(value).map(lineOf).join(", ");
  return value === null || value === undefined ? "" : line(value);
}

/** Says what is wrong with each of them; answers whether nothing is. */
function say({ audience = "", nonce = "", choices = "" } = {}) {
  // What lies folded cannot take the focus.
  if (nonce) $("#nonce-part").open = true;
  const first = $("#choices input");
  return complain($("#choose"), [$("#audience"), $("#audience-error"), audience], [$("#nonce"), $("#nonce-error"), nonce],
    ...(first ? [[first, $("#choices-error"), choices]] : []));
}

function checkAll(isChecked) {
  for (const input of $$("#choices input")) input.checked = isChecked;
  // As if somebody had pressed them: what was said of them goes.
  $("#choices input")?.dispatchEvent(new Event("change", { bubbles: true }));
}

/** A file that goes along says what its fields say. */
function showWarning() {
  const inputs = $$("#choices input");
  const withFile = inputs.some((input) => input.value === file && input.checked);
  $("#choices-warning").hidden = !withFile || inputs.every((input) => input.checked);
}

function showLinkOptions() {
  const isLink = $("#choose input[name=way]:checked").value === "link";
  $("#link-options").hidden = !isLink;
  $("#file-options").hidden = isLink;
}

$("#choose-all").addEventListener("click", () => checkAll(true));
$("#choose-none").addEventListener("click", () => checkAll(false));
for (const input of $$("#choose input[name=way]")) input.addEventListener("change", showLinkOptions);
