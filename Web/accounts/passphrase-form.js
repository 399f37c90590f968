// The form of the passphrase. What it does comes when it is sent (passphrase-setting.js).

import { $ } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { perform } from "./rows.js";
import { check, revealable, rules } from "./form.js";

export function attach(state) {
  const form = $("#passphrase-form", state.root);
  revealable(form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = check(form, { passphrase: rules.passphrase });
    if (given) perform($("#set-passphrase", form), async () => (await import("./passphrase-setting.js")).set(state, given.passphrase), state);
  });
}

export function show({ root, current, record }) {
  const has = current.has_passphrase;
  $("#passphrase-form", root).hidden = !record;
  $("#passphrase-username", root).value = current.account.username;
  $("#set-passphrase", root).textContent = has ? t`Change the passphrase` : t`Set the passphrase`;
  $("#passphrase-state", root).textContent = !record
    ? t`A passphrase opens keys. This browser has none.`
    : has ? t`Your account has a passphrase. After a change, other browsers whose keys it opens ask for both once.`
      : t`Your account has none, and with a passkey it needs none. It is an alternative where passkeys do not work.`;
}
