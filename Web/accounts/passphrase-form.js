// Setting and changing the passphrase. It opens the keys of this browser, and its other half is what the server knows.

import { api } from "../shell/api.js";
import { $, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { perform } from "./rows.js";
import { check, revealable, rules } from "./form.js";
import { use } from "./keys.js";
import { changeRecord } from "./records.js";
import { passphraseKeys } from "./wrap.js";

export function attach(state) {
  const form = $("#passphrase-form", state.root);
  revealable(form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = check(form, { passphrase: rules.passphrase });
    if (given) perform($("#set-passphrase", form), () => set(state, given.passphrase), state);
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

async function set({ root, record }, passphrase) {
  await use(t`Set the passphrase of your account`, async (k) => {
    const { slotKey, forServer } = await passphraseKeys(passphrase, record.trust.publicURL, record.username);
    const slot = await k.addPassphrase(slotKey);
    const isOld = ({ kind }) => kind === "passphrase";
    // Both the old and the new one open the keys, until it is known which of them the server has.
    const { slots } = await changeRecord(record.id, (old) => ({ slots: [...old.slots, slot] }));
    try {
      await api.post("/api/account/passphrase", { passphrase: forServer }, { noConfirm: true });
    } catch (problem) {
      const isRefused = problem.status >= 400 && problem.status < 500;
      if (isRefused) await changeRecord(record.id, { slots: slots.slice(0, -1) });
      throw problem;
    }
    await changeRecord(record.id, (old) => ({
      slots: [...old.slots.filter((each) => !isOld(each)), slot],
    }));
  }, { extractable: true });
  $("#passphrase-form", root).reset();
  notice("success", t`The passphrase is set.`);
}
