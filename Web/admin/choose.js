// A question with a list of answers, for `dom.ask` knows only texts.

import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/**
 * Asks for one of `options`, `[{value, label}]`.
 *
 * @returns the chosen value, or `null` when the person does not want to
 */
export function choose({ title, text, label, options, confirm }) {
  const select = make("select", { id: "choice" }, ...options.map(({ value, label: words }) => make("option", { value }, words)));
  const dialog = make("dialog", { "aria-labelledby": "choice-title" });
  const form = make("form", { method: "dialog" },
    make("h2", { id: "choice-title" }, title), make("p", {}, text),
    make("div", { class: "field" }, make("label", { for: "choice" }, label), select),
    make("div", { class: "actions" },
      make("button", { type: "button", class: "button", onclick: () => dialog.close() }, t`Cancel`),
      make("button", { class: "button primary", value: "yes" }, confirm)));
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  select.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes" ? select.value : null);
    });
  });
}
