// Dialogs with a few fields: what goes wrong is said in them, and what was typed stays.

import { busy, describe, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

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

/**
 * Asks something, and does it.
 *
 * @param act gets the values by name, and a function that says what is being done; what it gives is the answer
 * @returns null when the person has cancelled
 */
export function formDialog({ title: heading, text, parts = [], confirm, cancel = t`Cancel`, danger = false, act = (values) => values }) {
  const title = make("h2", { id: `dialog-${number += 1}`, tabindex: "-1" }, heading);
  const error = make("p", { class: "error-text", role: "alert" });
  const news = make("p", { class: "meta", role: "status" });
  const go = make("button", { class: `button primary${danger ? " danger" : ""}` }, confirm);
  const back = make("button", { type: "button", class: "button", onclick: () => dialog.close() }, cancel);
  const form = make("form", { class: "stack" }, title, ...(text ? [make("p", {}, text)] : []), ...parts, error, news,
    make("div", { class: "actions" }, back, go));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  let answer = null;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    error.textContent = "";
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
  dialog.showModal();
  (form.querySelector("input:not([type=radio], [type=checkbox]), textarea, select") ?? (danger ? back : title)).focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "done" ? answer : null);
    });
  });
}
