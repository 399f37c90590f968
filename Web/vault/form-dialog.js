// Dialogs with a few fields: what goes wrong is said in them, and what was typed stays.

import { busy, describe, make } from "../shell/dom.js";
import { locale, t } from "../shell/translate.js";

let number = 0;

/** A field with its label. `control` gets an id. */
export function field(label, control, hint) {
  control.id ||= `field-${number += 1}`;
  const parts = [make("label", { for: control.id }, label), control];
  if (hint) {
    control.setAttribute("aria-describedby", `${control.id}-hint`);
    parts.push(make("p", { class: "hint", id: `${control.id}-hint` }, hint));
  }
  return make("div", { class: "field" }, ...parts);
}

/** A choice of a few, one below the other: `[{value, label, hint}]`, the first one chosen. */
export function choice(legend, name, options) {
  return make("fieldset", { class: "stack tight" }, make("legend", {}, legend), ...options.map(({ value, label, hint }, index) => (
    make("label", { class: "choice" }, make("input", { type: "radio", name, value, checked: index === 0 }),
      make("span", {}, label, ...(hint ? [make("span", { class: "meta" }, hint)] : []))))));
}

/** One thing that can be ticked. */
export const tick = (name, label) => make("label", { class: "choice" }, make("input", { type: "checkbox", name }), make("span", {}, label));

/** What is wrong with a field, in the page's language: a browser says it in its own. */
function wrongWith({ type, max, labels }) {
  if (type === "file") return t`Choose a file first.`;
  if (type === "number") return t`A whole number from 1 to ${Number(max).toLocaleString(locale)}.`;
  return t`Fill in “${labels[0].textContent}”.`;
}

/**
 * Asks something, and does it.
 *
 * @param act gets the values by name, and a function that says what is being done; what it gives is the answer
 * @returns null when the person has cancelled
 */
export function formDialog({ title: heading, text, parts = [], confirm, cancel = t`Cancel`, danger = false, act = (values) => values }) {
  const title = make("h2", { id: `dialog-${number += 1}`, tabindex: "-1" }, heading);
  const error = make("p", { class: "error-text", role: "alert", id: `dialog-${number += 1}` });
  const news = make("p", { class: "meta", role: "status" });
  const go = make("button", { class: `button primary${danger ? " danger" : ""}` }, confirm);
  const back = make("button", { type: "button", class: "button", onclick: () => dialog.close() }, cancel);
  const form = make("form", { class: "stack", novalidate: true }, title, ...(text ? [make("p", {}, text)] : []), ...parts, error, news,
    make("div", { class: "actions" }, back, go));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  let answer = null;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = [...form.elements].find((one) => one.willValidate && !one.validity.valid);
    error.textContent = wrong ? wrongWith(wrong) : "";
    if (wrong) {
      wrong.setAttribute("aria-invalid", "true");
      wrong.setAttribute("aria-errormessage", error.id);
      wrong.focus();
      return;
    }
    busy(go, async () => {
      try {
        answer = await act(Object.fromEntries(new FormData(form)), (words) => { news.textContent = words; });
        dialog.close("done");
      } catch (problem) {
        if (problem.kind !== "cancelled") error.textContent = describe(problem);
      } finally {
        news.textContent = "";
      }
    });
  });
  form.addEventListener("input", ({ target }) => {
    if (!target.hasAttribute("aria-invalid")) return;
    target.removeAttribute("aria-invalid");
    target.removeAttribute("aria-errormessage");
    error.textContent = "";
  });
  dialog.showModal();
  (form.querySelector("input:not([type=radio], [type=checkbox]), textarea, select") ?? (danger ? back : title)).focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "done" ? answer : null);
    });
  });
}
