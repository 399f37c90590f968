// Locks of single items (docs/vault-format.md, "Nodes"): put before one, opened, and taken off. A lock is one more wrapping of
// the item's key, so no way to the item goes around it.

import { passkeySecret } from "../accounts/keys.js";
import { Problem } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { fromHex, random, same } from "./bytes.js";
import { itemSalt, passkeyLock } from "./compartment.js";
import { askForNewPIN, askForPIN, whenCutOff } from "./pin-dialogs.js";
import { pinRefusal } from "./kernel.js";
import { knownResets, pinFor, requireFreeSlot, tryPIN, writePIN } from "./pin.js";
import { pinPurposes } from "./slots.js";
import { tell } from "./telling.js";

const [byPIN, byPasskey] = [1, 2];
const reason = t`Open a locked item`;

/** The kinds of locks that an item has. */
export const hasPIN = ({ locks }) => locks.some(({ method }) => method === byPIN);
export const hasPasskey = ({ locks }) => locks.some(({ method }) => method === byPasskey);

// What the acts take: `main`, the vault that was opened and knows the PINs; `vault`, where the item is: the same, or a folder
// with a PIN of its own; `stored`, what the server says of the ways in; and the item.

/** Opens an item with the PIN of locked items. Returns whether it is open. */
export async function openByPIN({ main, vault, stored, item }) {
  const found = await askForPIN((pin) => tryPIN(pin, stored, isPINOf(item)), {
    heading: t`Open this item`, text: t`Type the PIN for locked items. It is another one than the PIN of your vault.`, confirm: t`Open it{#item}`,
  });
  if (!found) return false;
  await found.prove(knownResets(main)).catch(() => { /* Then the try stays counted. */ });
  return vault.openItem(item.id, { method: byPIN, id: found.lock, key: found.key });
}

const isPINOf = (item) => ({ purpose, lock }) => (
  purpose === pinPurposes.item && item.locks.some(({ method, id }) => method === byPIN && same(id, lock)));

/** Opens an item with a passkey. Returns whether it is open. */
export async function openByPasskey({ vault, item }) {
  for (const { id } of item.locks.filter(({ method }) => method === byPasskey)) {
    if (await vault.openItem(item.id, await lockOf(reason, vault, item, id))) return true;
  }
  throw new Problem("wrong-passkey", { detail: t`This passkey does not open the item. Use the one that locked it.` });
}

async function lockOf(words, vault, item, id) {
  const { secret } = await passkeySecret(words, await itemSalt(vault.compartment, fromHex(item.id), id));
  return passkeyLock(secret, id);
}

/** Asks with what, and locks an item. Returns whether it was. */
export async function lockItem({ main, vault, stored, item }) {
  const chosen = await askHow(item);
  if (!chosen) return false;
  const locks = [];
  if (chosen.pin) locks.push(await pinLock(main, stored));
  if (chosen.passkey && !locks.includes(null)) locks.push(await lockOf(t`Lock an item`, vault, item, random(16)));
  if (locks.includes(null)) return false;
  await vault.setLocks(item.id, locks);
  tell("success", t`The item has a lock. Lists and searches show that it is there, and not what it is.`);
  return true;
}

/** Takes all locks of an item off; it must be open. Returns whether it was done. */
export async function unlockForGood({ vault, item }) {
  const answer = await ask({
    title: t`Take the lock off?`, text: t`${item.name} then opens with your vault, like everything else in it.`,
    confirm: t`Take it off{#lock}`, cancel: t`Keep it{#lock}`,
  });
  if (!answer) return false;
  await vault.setLocks(item.id, []);
  await vault.closeItem();
  return true;
}

/** The lock that the PIN for items opens: that of the PIN there is, or of a new one. Null when the person has cancelled. */
async function pinLock(main, stored) {
  const isSet = main.pinSlots().some(({ purpose }, slot) => purpose === pinPurposes.item && stored.pins[slot].usable);
  if (isSet) {
    const found = await askForPIN((pin) => tryPIN(pin, stored, ({ purpose }) => purpose === pinPurposes.item), {
      heading: t`The PIN for locked items`, text: [t`You have one already: the same PIN opens all items that are locked with a PIN.`, whenCutOff].join(" "), confirm: t`Lock it{#item}`,
    });
    if (!found) return null;
    await found.prove(knownResets(main)).catch(() => { /* Then the try stays counted. */ });
    return { method: byPIN, id: found.lock, key: found.key };
  }
  // One that is destroyed is set again.
  const replaces = pinFor(main, pinPurposes.item)?.reset;
  if (!replaces) requireFreeSlot(main);
  const lock = { method: byPIN, id: random(16), key: random(32) };
  const isWritten = await askForNewPIN(pinRefusal, {
    heading: t`Set a PIN for locked items`, confirm: t`Set the PIN`,
    text: t`It opens every item that you lock with a PIN. Take another one than the PIN of your vault.`,
    use: (pin) => writePIN(main, stored, pin, { purpose: pinPurposes.item, key: lock.key, lock: lock.id, replaces }),
  });
  return isWritten ? lock : null;
}

/** Asks whether a PIN, a passkey or both are to open an item: `{pin, passkey}`, null when the person has cancelled. */
function askHow(item) {
  const title = make("h2", { id: "lock-title", tabindex: "-1" }, t`Lock ${item.name}`);
  const box = (id) => make("input", { id, type: "checkbox", checked: true });
  const [pin, passkey] = [box("lock-pin"), box("lock-passkey")];
  const choice = (input, words) => make("label", { class: "choice" }, input, make("span", {}, words));
  const error = make("p", { class: "error-text", role: "alert" });
  const cancel = make("button", { type: "button", class: "button", onclick: () => dialog.close() }, t`Cancel`);
  const form = make("form", { class: "stack" }, title,
    make("p", {}, t`This item then needs a lock of its own to be opened, after the vault is open. Without it nobody sees its name, its picture or what is in it.`),
    make("fieldset", {}, make("legend", {}, t`Either of these opens it`),
      choice(pin, t`The PIN for locked items`), choice(passkey, t`My passkey`)),
    make("p", { class: "hint" }, t`Choose both if you can. A PIN is destroyed after ten wrong tries, and neither your vault nor the recovery key opens this lock. If nothing is left that does, the item is lost.`),
    error, make("div", { class: "actions" }, cancel, make("button", { class: "button primary" }, t`Lock it{#item}`)));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (pin.checked || passkey.checked) dialog.close("lock");
    else error.textContent = t`Choose at least one.`;
  });
  dialog.showModal();
  title.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "lock" ? { pin: pin.checked, passkey: passkey.checked } : null);
    });
  });
}
