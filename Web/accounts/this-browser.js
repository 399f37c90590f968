// The keys of this browser: whether there are any, what opens them, and how to get rid of them.

import { $, ask, group, notice } from "../shell/dom.js";
import { either } from "../shell/text.js";
import { plural, t } from "../shell/translate.js";
import { perform } from "./rows.js";
import { signOut, use } from "./keys.js";
import { changeRecord, kindOf, removeRecord } from "./records.js";
import * as store from "./store.js";

const words = {
  ready: (record) => t`This browser is the device “${record.deviceName}” of your account.`,
  other: () => t`This session was opened without this browser's keys. Sign in again to use them.`,
  none: () => t`This browser has no keys of yours. You can look, name and revoke things here, but not sign, and not open
    documents. A device that has keys can add it.`,
};

export function attach(state) {
  const on = (selector, act) => {
    const button = $(selector, state.root);
    button.addEventListener("click", () => perform(button, () => act(state), state));
  };
  on("#wipe", wipe);
  on("#only-passkey", dropPassphrase);
}

export function show({ root, record, current }) {
  const isReady = record && current.device?.id === record.device;
  $("#browser-state", root).textContent = words[isReady ? "ready" : record ? "other" : "none"](record);
  $("#browser-facts", root).hidden = !record;
  $("#add-browser", root).hidden = Boolean(record);
  $("#add-other", root).hidden = !isReady;
  $("#only-passkey", root).hidden = true;
  if (!record) return;
  const passkeys = record.slots.filter(({ kind }) => kind === "passkey").length;
  const openers = [
    ...(passkeys ? [plural(passkeys, "one passkey", "{0} passkeys")] : []),
    ...(passkeys < record.slots.length ? [t`the passphrase`] : []),
  ];
  $("#browser-openers", root).textContent = either(openers);
  $("#browser-weak", root).hidden = kindOf(record) === "prf";
  $("#browser-root", root).textContent = group(record.trust.fingerprint);
  $("#only-passkey", root).hidden = passkeys === 0 || passkeys === record.slots.length;
}

/** The passphrase stays the account's; only the keys here do not open to it any more. */
async function dropPassphrase({ record }) {
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

async function wipe({ record, current, devices }) {
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
