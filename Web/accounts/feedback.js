// Feedback to the people who run the server: without a name unless the person wants one.

import { api } from "../shell/api.js";
import { busy, describe, make, notice } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { fault, field } from "../shell/field.js";
import { askBeforeLeaving } from "../shell/leaving.js";
import { t } from "../shell/translate.js";

const longest = 4000;

/** Asks for it, and sends it. */
export function open() {
  const title = make("h2", { id: "feedback-title" }, t`Give feedback`);
  const text = make("textarea", { id: "feedback-text", rows: 6, required: true, maxlength: longest, dir: "auto" });
  const named = make("input", { type: "checkbox", id: "feedback-named" });
  const error = make("p", { class: "error-text", role: "alert" });
  const send = make("button", { class: "button primary" }, t`Send it`);
  const form = make("form", { class: "stack", novalidate: true }, title,
    field(t`What works well, and what does not?`, text,
      t`The administrators read it. They see the page that you are on and the day, and nothing else. It is removed after 180 days.`),
    make("label", { class: "choice" }, named, make("span", {}, t`Tell them who I am, so that they can answer`)), error,
    make("div", { class: "actions" }, make("button", { type: "button", class: "button", onclick: () => leave() }, t`Cancel`), send));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    error.textContent = "";
    if (!complain(form, fault(text, text.value.trim() ? "" : t`Write something first.`))) return;
    busy(send, async () => {
      try {
        await api.post("/api/feedback", { text: text.value.trim(), page: location.pathname, is_named: named.checked });
        dialog.close();
        notice("success", t`Sent. Thank you.`);
      } catch (problem) {
        error.textContent = describe(problem);
      }
    });
  });
  const leave = askBeforeLeaving(dialog, () => Boolean(text.value.trim()));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  text.focus();
}
