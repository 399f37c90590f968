// Checking what was typed, and saying what is wrong where it is wrong: beside the field, and in a summary that gets
// the focus and leads to each field.

import { $, $$ } from "../shell/dom.js";
import { showSummary } from "../shell/error-summary.js";
import { tooLong } from "../shell/too-long.js";
import { t } from "../shell/translate.js";

/** What the server takes as a username. */
const usernamePattern = /^[a-z0-9._+@-]{3,254}$/;

/** A given or family name has so many characters at most, as people count them, and so many code points with their marks. */
const part = { characters: 80, codePoints: 160 };

/** Rules that pages share: each answers what is wrong, or nothing. */
export const rules = {
  username: (text) => (!text ? t`Choose a username.`
    : usernamePattern.test(text.toLowerCase()) ? ""
      : t`A username has 3 to 254 letters from a to z, digits, and . _ - + @ only.`),
  givenName: (text, given) => (!text && !given.family_name ? t`Say your name.` : tooLong(text, part)),
  familyName: (text) => tooLong(text, part),
  organisation: (text) => (text ? tooLong(text, { characters: 200, codePoints: 400 }) : t`Name the organisation.`),
  passphrase: (text) => (size(text) < 10 ? t`Choose at least 10 characters; several words are best.`
    : size(text) > 1024 ? t`That is more than 1,024 bytes.` : ""),
  code: (text) => (text.replace(/[\s-]/g, "") ? "" : t`Enter the code.`),
};

/** The values of a form by field name, without white space around them (except in passphrases). */
export const values = (form) => Object.fromEntries([...form.elements]
  .filter(({ name }) => name)
  .map((field) => [field.name, field.type === "password" ? field.value : field.value.trim()]));

/**
 * Checks fields by the rule of each; shows what is wrong.
 *
 * - wanted: `{fieldName: rule}`. - Returns: the values, or null.
 */
export function check(form, wanted) {
  const given = values(form);
  const wrong = Object.entries(wanted).map(([name, rule]) => [name, rule(given[name] ?? "", given)]);
  show(form, Object.fromEntries(wrong.filter(([, text]) => text)));
  return wrong.some(([, text]) => text) ? null : given;
}

/** Shows errors: `{fieldName: text}`; an empty object clears. */
export function show(form, errors) {
  for (const place of $$(".field .error", form)) place.textContent = "";
  for (const field of form.elements) if (field.name) field.removeAttribute("aria-invalid");
  showSummary(form, Object.entries(errors).map(([name, text]) => {
    const field = form.elements[name];
    const place = $(".error", field.closest(".field"));
    field.setAttribute("aria-invalid", "true");
    place.textContent = text;
    const clear = () => {
      field.removeAttribute("aria-invalid");
      place.textContent = "";
    };
    return { control: field, words: text, clear };
  }));
}

/** Puts a value into a field, as if it had been typed there; not while the form waits for an answer. */
export function fillIn(form, name, value) {
  const field = form.elements[name];
  if (field.readOnly) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Shows and hides the typed passphrase: `<button data-reveal="FIELD-ID" aria-pressed="false">`. */
export function revealable(root = document) {
  for (const button of $$("[data-reveal]", root)) {
    button.addEventListener("click", () => {
      const field = document.getElementById(button.dataset.reveal);
      const isShown = field.type === "text";
      field.type = isShown ? "password" : "text";
      button.setAttribute("aria-pressed", String(!isShown));
    });
  }
}

const size = (text) => new TextEncoder().encode(text).length;
