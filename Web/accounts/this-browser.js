// The keys of this browser: whether there are any, what opens them, and how to get rid of them.

import { $, group } from "../shell/dom.js";
import { either } from "../shell/text.js";
import { plural, t } from "../shell/translate.js";
import { perform } from "./rows.js";
import { kindOf } from "./records.js";

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
  // Few visits need them.
  const acts = () => import("./browser-keys.js");
  on("#wipe", async () => (await acts()).wipe(state));
  on("#only-passkey", async () => (await acts()).dropPassphrase(state));
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
