// Setting and changing the passphrase. It opens the keys of this browser, and its other half is what the server knows.

import { api } from "../shell/api.js";
import { $, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { use } from "./keys.js";
import { changeRecord } from "./records.js";
import { passphraseKeys } from "./wrap.js";

/** Sets it, for the keys of this browser and at the server. */
export async function set({ root, record }, passphrase) {
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
