// Asking for a PIN, and for a new one.

import { describe, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { pinProblem } from "./pin-words.js";

const refusals = {
  not_digits: t`A PIN has digits only.`, too_short: t`A PIN has at least six digits.`, too_long: t`A PIN has at most sixteen digits.`,
  too_common: t`Many people choose this PIN, so a thief tries it first. Choose another one.`,
};

const digits = (id, label) => {
  const input = make("input", { id, type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 16, required: true, "aria-describedby": "pin-error" });
  return { input, field: make("div", { class: "field" }, make("label", { for: id }, label), input) };
};

/** Asks for the PIN until it opens the vault. `attempt` as `tryPIN`. Null when the person has cancelled. */
export function askForPIN(attempt) {
  const { input, field } = digits("pin", t`PIN`);
  return dialog({
    heading: t`Open with your PIN`, fields: [field], confirm: t`Open the vault`, first: input,
    async check() {
      const found = await attempt(input.value);
      input.value = "";
      return found.problem ? { error: pinProblem(found) } : { value: found };
    },
  });
}

/** Asks for a new PIN, twice. `refusal` says what is wrong with one. Null when the person has cancelled. */
export function askForNewPIN(refusal) {
  const [one, again] = [digits("pin-new", t`New PIN`), digits("pin-again", t`The same again`)];
  return dialog({
    heading: t`Set a PIN`, text: t`Six digits or more. The server counts each try, so a short PIN is safe here. Do not use the PIN of your bank card.`,
    fields: [one.field, again.field], confirm: t`Set the PIN`, first: one.input,
    async check() {
      const wrong = await refusal(one.input.value);
      if (wrong) return { error: refusals[wrong] };
      if (one.input.value !== again.input.value) return { error: t`The two are not the same.` };
      return { value: one.input.value };
    },
  });
}

function dialog({ heading, text, fields, confirm, first, check }) {
  const title = make("h2", { id: "pin-title" }, heading);
  const error = make("p", { class: "error-text", role: "alert", id: "pin-error" });
  const state = make("p", { class: "hint", role: "status" });
  const go = make("button", { class: "button primary" }, confirm);
  const form = make("form", { class: "stack", novalidate: true }, title, ...(text ? [make("p", {}, text)] : []), ...fields, state, error,
    make("div", { class: "actions" }, make("button", { type: "button", class: "button", onclick: () => box.close() }, t`Cancel`), go));
  const box = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  let value = null;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (go.getAttribute("aria-busy")) return;
    go.setAttribute("aria-busy", "true");
    error.textContent = "";
    state.textContent = t`Computing the key …`;
    try {
      const found = await check();
      if (found.error) {
        error.textContent = found.error;
        first.focus();
      } else {
        ({ value } = found);
        box.close();
      }
    } catch (problem) {
      error.textContent = describe(problem);
    } finally {
      state.textContent = "";
      go.removeAttribute("aria-busy");
    }
  });
  box.showModal();
  first.focus();
  return new Promise((resolve) => {
    box.addEventListener("close", () => {
      for (const { lastChild } of fields) lastChild.value = "";
      box.remove();
      resolve(value);
    });
  });
}
