// The PINs among the ways to open the vault, as the vault that is open knows them. One that a PIN for less has opened knows its own
// alone, and calls it as the main vault calls its own.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { clone, make } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { itemOf } from "./doors.js";
import { pinRefusal } from "./kernel.js";
import { askForNewPIN, askForPIN, whenCutOff } from "./pin-dialogs.js";
import { clearPIN, knownResets, pinFor, tryPIN, writePIN } from "./pin.js";
import { pinPurposes } from "./slots.js";
import { tell } from "./telling.js";
import { changePIN, makeTier } from "./tiers.js";

/**
 * Rows of the PINs that are set.
 *
 * @param act `act(button, run)` runs an act and draws again if it gives something else than false
 */
export function pinRows(vault, stored, act) {
  return vault.pinSlots().map((pin, slot) => ({ pin, slot })).filter(({ pin }) => pin.purpose && stored.guard.state === "ready")
    .map(({ pin, slot }) => {
      const isUsable = stored.pins[slot].usable;
      const row = clone("slot-row", {
        title: titleOf(vault, pin), mayRemove: true,
        about: isUsable ? words(stored.guard) : t`Destroyed after ten wrong tries. Set it again.`,
      });
      const change = make("button", { type: "button", class: "button quiet", "data-act": "change" }, isUsable ? t`Change{#pin}` : t`Set it again{#pin}`);
      row.querySelector(".actions").prepend(change);
      act(change, () => changeSlot(vault, stored, pin, isUsable));
      act(row.querySelector("[data-act=remove]"), () => remove(vault, pin, slot));
      return row;
    });
}

/** The buttons that make PINs for something else than the vault. */
export function pinButtons(vault, stored, act) {
  const button = (kind, words) => {
    const element = make("button", { type: "button", class: "button", "data-pin": kind }, words);
    act(element, () => makeTier(vault, stored, kind));
    return element;
  };
  return [button("tier", t`PIN for some folders`), button("decoy", t`Decoy PIN`)];
}

/** Asks for a PIN for the whole vault, and sets it. Returns false when the person has cancelled. */
export async function setPIN(vault, stored) {
  const replaces = pinFor(vault, pinPurposes.main)?.reset;
  const set = await askForNewPIN(pinRefusal, {
    heading: t`Set a PIN`, confirm: t`Set the PIN`,
    text: t`Six digits or more. The server counts each try, so a short PIN is safe here. Do not use the PIN of your bank card.`,
    use: (pin) => writePIN(vault, stored, pin, { purpose: pinPurposes.main, key: vault.compartment.key, replaces }),
  });
  if (set) tell("success", t`The PIN opens your vault from now on.`);
  return Boolean(set);
}

function words({ tries }) {
  const counts = t`The server counts each try. After ten wrong ones it is destroyed.`;
  return tries > 0 ? `${plural(tries, "{0} wrong try so far.", "{0} wrong tries so far.")} ${counts}` : counts;
}

function titleOf(vault, pin) {
  const name = itemOf(vault, pin)?.name ?? "";
  if (pin.purpose === pinPurposes.tier) return t`PIN for “${name}”`;
  if (pin.purpose === pinPurposes.decoy) return t`Decoy PIN, opens “${name}”`;
  return pin.purpose === pinPurposes.item ? t`PIN for locked items` : t`PIN`;
}

async function changeSlot(vault, stored, pin, isUsable) {
  if (pin.purpose === pinPurposes.main) return setPIN(vault, stored);
  if (pin.purpose === pinPurposes.item) return isUsable ? changeItemPIN(vault, stored, pin) : newItemPIN(vault, stored, pin);
  return changePIN(vault, stored, pin, itemOf(vault, pin));
}

/** The locks of items stay: the new PIN holds the key that the old one held. */
async function changeItemPIN(vault, stored, pin) {
  const fresh = await api.get("/api/vault");
  const found = await askForPIN((typed) => tryPIN(typed, fresh, ({ purpose }) => purpose === pinPurposes.item), {
    heading: t`The PIN for locked items`, text: [t`First the present one, then the new one.`, whenCutOff].join(" "), confirm: t`Continue`,
  });
  if (!found) return false;
  await found.prove(knownResets(vault)).catch(() => { /* Then the try stays counted. */ });
  return setItemPIN(vault, stored, { key: found.key, lock: found.lock, replaces: pin.reset });
}

/** After it was destroyed nobody has its key: the new one is for items that are locked from now on. */
const newItemPIN = (vault, stored, { reset }) => setItemPIN(vault, stored, {
  key: crypto.getRandomValues(new Uint8Array(32)), lock: crypto.getRandomValues(new Uint8Array(16)), replaces: reset });

async function setItemPIN(vault, stored, { key, lock, replaces }) {
  const set = await askForNewPIN(pinRefusal, {
    heading: t`Set a PIN for locked items`, confirm: t`Set the PIN`,
    text: t`It opens every item that you lock with a PIN. Take another one than the PIN of your vault.`,
    use: (pin) => writePIN(vault, stored, pin, { purpose: pinPurposes.item, key, lock, replaces }),
  });
  if (set) tell("success", t`From now on the new PIN opens it, and the old one opens nothing.`);
  return Boolean(set);
}

async function remove(vault, pin, slot) {
  const lost = pin.purpose === pinPurposes.item ? vault.onlyByPIN() : 0;
  const answer = await ask({
    title: t`Remove this PIN?`, danger: true, confirm: t`Remove it{#way}`, cancel: t`Keep it{#way}`,
    text: lost > 0
      ? plural(lost, "{0} item opens with this PIN alone, and with nothing any more afterwards. Take its lock off first.", "{0} items open with this PIN alone, and with nothing any more afterwards. Take their locks off first.")
      : t`It opens nothing any more. Everything it opened stays in your vault.`,
  });
  if (!answer) return false;
  await clearPIN(vault, slot, pin.reset);
  return true;
}
