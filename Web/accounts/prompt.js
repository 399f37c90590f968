// The one place where a person is asked for their passkey or passphrase: a dialog that says what for, before the
// system's own question comes up over it.

import { Problem, goToSignIn } from "../shell/api.js";
import { describe, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

const hints = {
  passkey: t`Use your face, your finger or your security key, as this device asks you.`,
  passphrase: t`The keys of this browser are behind a passphrase. It never leaves this page.`,
};

/**
 * Asks until it works, is cancelled, or the session is over.
 *
 * - methods: "passkey", "passphrase" or both, the preferred one first; - username: whose passphrase it is.
 * - attempt: `async (method, {passphrase, signal}) => result`; throws Problem "failed" for what may be tried again.
 * - Returns: what `attempt` returns; throws Problem "cancelled" or what `attempt` threw.
 */
export function prompt(options) {
  return new Promise((resolve, reject) => {
    const dialog = new PromptDialog(options);
    dialog.onEnd = (outcome) => (outcome.error ? reject(outcome.error) : resolve(outcome.result));
    dialog.show(options.methods[0]);
  });
}

class PromptDialog {
  onEnd = () => {};
  #options;
  #dialog;
  #parts;
  #method;
  #running = null;

  constructor(options) {
    this.#options = options;
    this.#parts = this.#build();
  }

  show(method) {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#use(method);
    // The system's question may come up at once: the person pressed a button to get here.
    if (method === "passkey") this.#try();
  }

  #build() {
    const { title, reason, methods, username } = this.#options;
    const status = make("p", { class: "hint", role: "status" });
    const error = make("p", { class: "error-text", role: "alert" });
    const input = make("input", {
      id: "prompt-passphrase", type: "password", autocomplete: "current-password", "aria-describedby": "prompt-status",
    });
    const field = make("div", { class: "field" }, make("label", { for: input.id }, t`Passphrase`), input);
    // So that a password manager knows which one to offer.
    const whose = make("input", {
      type: "text", autocomplete: "username", value: username, readonly: true, hidden: true,
    });
    const go = make("button", { class: "button primary", type: "submit" }, t`Continue`);
    const cancel = make("button", { class: "button", type: "button", onclick: () => this.#cancel() }, t`Cancel`);
    const other = make("button", { class: "button quiet", type: "button", onclick: () => this.#switch() });
    other.hidden = methods.length < 2;
    status.id = "prompt-status";
    const form = make("form", { novalidate: true, onsubmit: (event) => { event.preventDefault(); this.#try(); } },
      make("h2", { id: "prompt-title" }, title), make("p", { id: "prompt-reason" }, reason),
      ...(methods.includes("passphrase") ? [whose, field] : []), status, error,
      make("div", { class: "actions" }, other, cancel, go));
    this.#dialog = make("dialog", { "aria-labelledby": "prompt-title", "aria-describedby": "prompt-reason",
      oncancel: (event) => { event.preventDefault(); this.#cancel(); } }, form);
    return { status, error, input, field, go, cancel, other };
  }

  #use(method) {
    const { status, field, input, go, other } = this.#parts;
    this.#method = method;
    field.hidden = method !== "passphrase";
    status.textContent = hints[method];
    go.textContent = method === "passkey" ? t`Waiting for you` : t`Continue`;
    other.textContent = method === "passkey" ? t`Use the passphrase instead` : t`Use a passkey instead`;
    if (method === "passphrase") input.focus();
  }

  #switch() {
    if (this.#running) return;
    this.#parts.error.textContent = "";
    this.#use(this.#method === "passkey" ? "passphrase" : "passkey");
    if (this.#method === "passkey") this.#try();
  }

  async #try() {
    const { input, error } = this.#parts;
    if (this.#running) return;
    if (this.#method === "passphrase" && !input.value) {
      error.textContent = t`Type the passphrase.`;
      input.focus();
      return;
    }
    const controller = new AbortController();
    this.#run(controller);
    try {
      const result = await this.#options.attempt(
        this.#method, { passphrase: input.value, signal: controller.signal });
      this.#end({ result });
    } catch (problem) {
      this.#run(null);
      this.#fail(problem, controller.signal.aborted);
    }
  }

  #fail(problem, isCancelled) {
    const { input, error, go } = this.#parts;
    if (problem.kind === "ended") return this.#over(problem);
    if (isCancelled) return this.#end({ error: cancelled(problem.remaining) });
    if (problem.kind !== "failed" && problem.kind !== "offline") return this.#end({ error: problem });
    error.textContent = describe(problem);
    input.value = "";
    (this.#method === "passphrase" ? input : go).focus();
  }

  /** The session is over: nothing is left to do here but to sign in again. */
  #over(problem) {
    const { field, status, error, go, other } = this.#parts;
    field.hidden = other.hidden = true;
    go.remove();
    status.textContent = "";
    error.textContent = problem.detail;
    const leave = () => { this.#end({ error: problem }); goToSignIn(); };
    const signIn = make("button", { class: "button primary", type: "button", onclick: leave }, t`Sign in`);
    this.#parts.cancel.replaceWith(signIn);
    this.#dialog.oncancel = (event) => { event.preventDefault(); leave(); };
    signIn.focus();
  }

  #cancel() {
    // An attempt under way is stopped; what it counts for is said when it has ended.
    if (this.#running) this.#running.abort();
    else this.#end({ error: cancelled() });
  }

  #run(controller) {
    const { go, status, input } = this.#parts;
    this.#running = controller;
    for (const [name, value] of [["aria-busy", "true"], ["aria-disabled", "true"]]) {
      if (controller) go.setAttribute(name, value);
      else go.removeAttribute(name);
    }
    input.readOnly = Boolean(controller);
    if (this.#method === "passkey") go.textContent = controller ? t`Waiting for you` : t`Try again`;
    status.textContent = controller && this.#method === "passphrase" ? t`Opening the keys…` : hints[this.#method];
    if (controller) this.#parts.error.textContent = "";
  }

  #end(outcome) {
    this.#parts.input.value = "";
    this.#dialog.close();
    this.#dialog.remove();
    this.onEnd(outcome);
  }
}

const cancelled = (remaining) => new Problem("cancelled", {
  detail: [t`You cancelled, so nothing was done.`, ...(remaining === 1 ? [t`Cancel again, and the session ends.`] : [])].join(" "),
});
