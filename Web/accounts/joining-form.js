// The form that makes a browser a device of an account: the same for set-up, invitation, sign-up and a further device.

import { $, busy, clearNotices, describe, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { suggestedDeviceName } from "./device-name.js";
import { check, rules, show } from "./form.js";
import { whole } from "./names.js";
import { Joining } from "./joining.js";
import "./refusals.js";
import { Way } from "./way.js";

/** The words on the button while it is unknown whether it happened. */
const again = t`Check whether it worked`;

export class JoiningForm {
  #options;
  #form;
  #way;
  #joining = null;
  #result = null;

  /**
   * - form: with `accounts/way-fields` in it; - path: what is asked of the server.
   * - wanted: rules by field name; - fields: which field a kind of problem is about.
   * - trust: `async () => pin`; - more: `values => members` that only this way of joining sends.
   * - passkey: `async () => {id, user, secret, transports, rpID}` where the account has one already.
   * - authority: `{make, send}`, whether an authority key is made, and sent.
   * - done: `async ({answer?, session?, joining, values})`.
   */
  constructor(options) {
    this.#options = options;
    this.#form = options.form;
    this.#way = new Way(options.form);
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      busy($("#go", this.#form), () => this.#submit());
    });
  }

  async #submit() {
    clearNotices();
    const values = check(this.#form, this.#rules());
    if (!values) return;
    try {
      // Once the server has done it, only what follows from it is tried again.
      this.#result ??= await this.#ask(values);
      if (this.#result) await this.#options.done({ ...this.#result, joining: this.#joining, values });
    } catch (problem) {
      await this.#explain(problem);
    } finally {
      this.#freeze(this.#joining?.isUnanswered || this.#result !== null);
    }
  }

  async #ask(values) {
    const { path, more } = this.#options;
    if (this.#joining?.isUnanswered) return this.#joining.askAgain(path);
    const joining = await this.#prepare(values);
    return joining && joining.send(path, more?.(values));
  }

  /** Everything that needs the person, before anything is sent; null while something is missing. */
  async #prepare(values) {
    await this.#startAnewFor(values);
    const joining = this.#joining ??= new Joining(
      { username: values.username, name: whole(values) || undefined, deviceName: values.device || suggestedDeviceName() },
      await this.#options.trust(), this.#options.authority);
    if (this.#way.wantsPasskey && !joining.hasPasskey) {
      if (this.#options.passkey) joining.usePasskey(await this.#options.passkey());
      else await joining.makePasskey();
    }
    if (this.#way.wantsPassphrase) await joining.takePassphrase(values.passphrase);
    if (joining.canLockKeys) return joining;
    this.#way.needPassphrase();
    return null;
  }

  /** Another name, or no passkey after all: the passkey that was made is of no use. */
  async #startAnewFor(values) {
    const joining = this.#joining;
    if (!joining) return;
    if (joining.isFor(values.username, whole(values) || undefined) && (this.#way.wantsPasskey || !joining.hasPasskey)) return;
    this.#joining = null;
    await joining.discard();
  }

  async #explain(problem) {
    if (problem.kind === "unwitnessed") {
      notice("warning", t`It is recorded, and stays recorded. Only the proof is missing: too few of the witnesses who sign the log
        answer now. Press the button again in a few minutes; nothing is done twice.`);
      return;
    }
    if (this.#joining?.isUnanswered) {
      const what = problem.kind === "offline" ? describe(problem) : t`The server's answer did not come through.`;
      notice("warning", `${what} ${t`Press the button again: it first checks whether it worked, so that nothing is done twice.`}`);
      return;
    }
    // The keys made for the request were discarded with it.
    if (problem.status && !this.#result) this.#joining = null;
    const field = this.#options.fields?.[problem.kind];
    if (field) show(this.#form, { [field]: describe(problem) });
    else throw problem;
  }

  #rules() {
    return { ...this.#options.wanted, ...(this.#way.wantsPassphrase ? { passphrase: rules.passphrase } : {}) };
  }

  /** While nobody knows whether it happened, it must not be changed what happened. */
  #freeze(isFrozen = false) {
    for (const field of this.#form.elements) if ("readOnly" in field) field.readOnly = isFrozen;
    $("#other-way", this.#form).disabled = isFrozen;
    if (isFrozen) $("#go", this.#form).textContent = again;
    else if ($("#go", this.#form).textContent === again) this.#way.use(this.#way.mode);
  }
}
