// Asking for a PIN, and for a new one.

import { describe, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { clockOf, pinProblem } from "./pin-words.js";

const refusals = {
  not_digits: t`A PIN has digits only.`, too_short: t`A PIN has at least six digits.`, too_long: t`A PIN has at most sixteen digits.`,
  too_common: t`Many people choose this PIN, so a thief tries it first. Choose another one.`,
};

/** What helps where the PIN for locked items is asked for, and its setting was cut off. */
export const whenCutOff = t`If setting it was cut off, no PIN may be right: remove it then, and set it again when you next lock an item.`;

const digits = (id, label) => {
  const input = make("input", { id, type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 16, required: true, "aria-describedby": "pin-error" });
  return { input, field: make("div", { class: "field" }, make("label", { for: id }, label), input) };
};

/**
 * Asks for a PIN until it opens what it should. Null when the person has cancelled.
 *
 * @param attempt as `tryPIN`
 * @param words `{heading, text, confirm}`
 * @param wait so many seconds nothing can be tried
 */
export function askForPIN(attempt, { heading = t`Open with your PIN`, text, confirm = t`Open the vault` } = {}, wait = 0) {
  const { input, field } = digits("pin", t`PIN`);
  return dialog({
    heading, text, fields: [field], confirm, first: input, wait,
    async check() {
      const found = await attempt(input.value);
      input.value = "";
      return found.problem ? { error: pinProblem(found), wait: found.problem === "wait" ? found.wait ?? 30 : 0 } : { value: found };
    },
  });
}

/**
 * Asks for a new PIN, twice, and sets it. Null when the person has cancelled, else what `use` gave.
 *
 * @param refusal says what is wrong with one
 * @param use sets it: `async (pin) => {problem}` or something else; `problem` is shown, and the person types another one
 */
export function askForNewPIN(refusal, { heading, text, confirm, use }) {
  const [one, again] = [digits("pin-new", t`New PIN`), digits("pin-again", t`The same again`)];
  return dialog({
    heading, text, fields: [one.field, again.field], confirm, first: one.input,
    async check() {
      const wrong = await refusal(one.input.value);
      if (wrong) return { error: refusals[wrong] };
      if (one.input.value !== again.input.value) return { error: t`The two are not the same.` };
      const used = await use(one.input.value);
      return used.problem ? { error: used.problem } : { value: used };
    },
  });
}

function dialog({ heading, text, fields, confirm, first, wait = 0, check }) {
  const title = make("h2", { id: "pin-title" }, heading);
  const error = make("p", { class: "error-text", role: "alert", id: "pin-error" });
  const state = make("p", { class: "hint", role: "status" });
  const clock = make("p", { role: "timer", class: "pin-clock", hidden: true });
  const go = make("button", { class: "button primary" }, confirm);
  const form = make("form", { class: "stack", novalidate: true }, title, ...(text ? [make("p", {}, text)] : []), ...fields, state, error, clock,
    make("div", { class: "actions" }, make("button", { type: "button", class: "button", onclick: () => box.close() }, t`Cancel`), go));
  const box = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  let value = null;
  let [ends, ticking] = [0, 0];
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (go.getAttribute("aria-busy") || Date.now() < ends) return;
    go.setAttribute("aria-busy", "true");
    error.textContent = "";
    state.textContent = t`Computing the key …`;
    try {
      const found = await check();
      if (found.error) {
        error.textContent = found.error;
        countDown(found.wait);
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
  if (wait > 0) {
    error.textContent = pinProblem({ problem: "wait", wait });
    countDown(wait);
  }
  return new Promise((resolve) => {
    box.addEventListener("close", () => {
      clearInterval(ticking);
      for (const { lastChild } of fields) lastChild.value = "";
      box.remove();
      resolve(value);
    });
  });

  /** Shows how long nothing can be tried, second by second. */
  function countDown(seconds) {
    clearInterval(ticking);
    if (!seconds) return;
    ends = Date.now() + seconds * 1000;
    ticking = setInterval(tick, 250);
    tick();
  }

  function tick() {
    const left = Math.ceil((ends - Date.now()) / 1000);
    clock.hidden = left <= 0;
    box.toggleAttribute("data-waits", left > 0);
    if (left > 0) {
      go.setAttribute("aria-disabled", "true");
      clock.textContent = t`You can try again in ${clockOf(left)}.`;
      return;
    }
    go.removeAttribute("aria-disabled");
    clearInterval(ticking);
    error.textContent = "";
    state.textContent = t`You can try again now.`;
  }
}
