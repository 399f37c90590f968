// Shows what would be left if this device were lost tomorrow, and how weak the keys are where they are.

import { listed } from "../accounts/mine.js";
import { $, clone } from "../shell/dom.js";
import { redraw } from "../shell/redraw.js";
import { plural, t } from "../shell/translate.js";

/** Shows the card, unless everything is as it should be. */
export async function showSafety(card, owner, isHolder) {
  const [devices, passkeys] = await Promise.all([listed("/api/devices"), listed("/api/account/passkeys")]);
  const checks = owner ? findings(owner, devices.items, passkeys.items) : [];
  const open = checks.filter((check) => check.result !== "passed");
  card.hidden = open.length === 0;
  if (card.hidden) return;
  $("#safety-text").textContent = open.some((check) => check.isLastWay)
    ? isHolder
      ? t`Everything depends on this one device. Five minutes now save you from starting again, with another
        face-to-face check.`
      : t`Everything depends on this one device. Five minutes now save you from starting again, with another
        invitation.`
    : t`You are fairly safe. You can do better.`;
  redraw($("#safety-list"), checks, (check) => {
    const element = clone("check-row", check);
    element.dataset.result = check.result;
    return element;
  }, (check) => check.title);
}

function findings(owner, devices, passkeys) {
  const usable = devices.filter((one) => !one.revoked);
  const hasBackup = passkeys.some((passkey) => passkey.is_backed_up);
  return [
    owner.kind === "prf"
      ? passed(t`These keys open with your face, your finger or the device's PIN.`)
      : weak(t`These keys are weaker: they open with a passphrase`, t`Somebody who learns the passphrase and has this
        device can use them. A passkey that can protect keys is stronger.`),
    usable.length > 1
      ? passed(plural(
        usable.length, "{0} device: one can revoke the other.", "{0} devices: one can revoke the other."))
      : {
        ...weak(
          t`This is your only device`,
          t`Add a second one: a phone, a tablet, a computer. It can revoke this one.`),
        isLastWay: true,
      },
    passkeyFinding(passkeys, hasBackup),
  ];
}

function passkeyFinding(passkeys, hasBackup) {
  if (passkeys.length > 1) {
    return passed(plural(passkeys.length, "{0} passkey to sign in with.", "{0} passkeys to sign in with."));
  }
  if (passkeys.length === 1 && hasBackup) return passed(t`Its maker backs your passkey up.`);
  return passkeys.length === 1
    ? weak(t`You have one passkey, and it is not backed up`, t`Add another, perhaps a security key, so that you can
      still sign in when this one is gone.`)
    : weak(t`You have no passkey`, t`You sign in with a passphrase, which can be guessed or spied out.`);
}

const passed = (title) => ({ result: "passed", title, text: "" });
const weak = (title, text) => ({ result: "unknown", title, text });
