// What is done to the keys of this browser when a button is pressed.

import { ask } from "../shell/ask.js";
import { notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { signOut, use } from "./keys.js";
import { changeRecord, removeRecord } from "./records.js";
import * as store from "./store.js";

/** The passphrase stays the account's; only the keys here do not open to it any more. */
export async function dropPassphrase({ record }) {
  const answer = await ask({
    title: t`Open these keys by passkey only`,
    text: t`The passphrase will not open the keys of this browser any more. Only a passkey will.`,
    confirm: t`By passkey only`,
  });
  if (!answer) return false;
  // Proves that a passkey does open them before the other way is closed.
  await use(t`Close the way by passphrase into this browser's keys`, () => changeRecord(record.id, (old) => ({
    slots: old.slots.filter(({ kind }) => kind === "passkey"),
  })), { only: "passkey" });
  notice("success", t`Only a passkey opens the keys of this browser now.`);
}

/** Removes the keys and the copies of documents, and signs out. */
export async function wipe({ record, current, devices }) {
  const others = devices.filter((device) => !device.revoked && device.id !== record?.device).length;
  const answer = await ask({
    title: t`Remove your keys from this browser?`,
    text: [
      t`Your keys and the copies of your documents in this browser are destroyed, for ever, and you are signed out.`,
      others ? t`Your other devices keep theirs.`
        : t`You have no other device: documents sealed to these keys can never be opened again.`,
      t`If the device is lost or sold, revoke it as well.`,
    ].join(" "),
    confirm: t`Remove my keys`,
    danger: true,
  });
  if (!answer) return false;
  // First the session: without a network it could not be ended, and the cookie would stay.
  await signOut();
  if (record) await removeRecord(record.id);
  for (const { key, value } of await store.all("documents")) {
    if (!value?.account || value.account === current.account.id) await store.remove("documents", key);
  }
  location.replace("/");
  return false;
}
