// Making the vault, and opening it: with a passkey, with this browser's keys, with a PIN, or with the recovery key.

import { deviceSecret, hasSecret, passkeySecret, use } from "../accounts/keys.js";
import { get, put } from "../accounts/store.js";
import { Problem, api } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { make as element } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { fromHex, hex, random } from "./bytes.js";
import { compartmentOf } from "./compartment.js";
import { keptOf } from "./kept-vault.js";
import { askForPIN } from "./pin-dialogs.js";
import { knownResets, tryPIN, unusedPINs } from "./pin.js";
import { askForRecovery, showRecovery } from "./recovery-dialogs.js";
import { keyOf } from "./recovery.js";
import { accountSalt, isSlotOf, makeSlot, openSlot, slotKinds } from "./slots.js";
import { open as tutorial } from "./tutorial.js";
import { Vault } from "./vault-items.js";
import { VaultState } from "./vault-state.js";

/** The name of this browser's secret for vaults, beside its keys. */
const secretName = "vault";
const seenTutorial = "vault tutorial seen";

/**
 * Makes the vault of an account that has none, and opens it. Null when the person has cancelled.
 *
 * @param isWanted whether nobody has locked or left the page meanwhile: then no words are shown
 */
export async function make(_, isWanted) {
  if (!await get("settings", seenTutorial).catch(() => true)) {
    await tutorial();
    await put("settings", seenTutorial, true).catch(() => {});
  }
  if (!isWanted()) return null;
  const [compartment, salt] = [await compartmentOf(random(32)), random(16)];
  const own = await ownSecret(t`Make your vault`, salt);
  const recovery = random(32);
  if (!isWanted() || !await showRecovery(recovery)) return null;
  const made = [await slot(own.kind, own.secret, salt, compartment), await slot("recovery", recovery, salt, compartment)];
  recovery.fill(0);
  const pins = await unusedPINs();
  await api.post("/api/vault", {
    salt: b64u(salt), slots: made, enrolment: pins.enrolment, pins: pins.pins, compartment: await VaultState.made(compartment),
  }, { reason: t`Make your vault` });
  const vault = await opened(compartment, await api.get("/api/vault"));
  await vault.changePINSlots(() => pins.resetKeys.map((reset) => ({ reset: b64u(reset) })));
  return vault;
}

/** A slot as the server takes it. */
export async function slot(kind, secret, salt, compartment) {
  const id = random(16);
  return { id: hex(id), kind, sealed: b64u(await makeSlot(slotKinds[kind === "share" ? "shares" : kind], secret, id, salt, compartment)) };
}

/** Whether one of the account's slots opens this vault, and not one that a PIN for less opens. */
export const isOwn = (vault, stored, { id, sealed }) => isSlotOf(vault.compartment, fromB64u(sealed), fromHex(id), fromB64u(stored.salt));

/** What opens the vault on this device: the passkey's secret, or one with this browser's keys where passkeys have none. */
export async function ownSecret(reason, salt) {
  try {
    const { secret } = await passkeySecret(reason, await accountSalt(salt));
    return { kind: "passkey", secret };
  } catch (problem) {
    if (problem.kind !== "unsupported") throw problem;
  }
  return { kind: "device", secret: await use(reason, (k) => deviceSecret(k, secretName)) };
}

/** Opens the vault with a passkey, or with this browser's keys. */
export async function byPasskey(stored) {
  const salt = fromB64u(stored.salt);
  const has = (kind) => stored.slots.some((one) => one.kind === kind);
  if (has("device") && await hasSecret(secretName)) {
    const compartment = await tried(stored, "device", await use(t`Open your vault`, (k) => deviceSecret(k, secretName)));
    if (compartment) return opened(compartment, stored);
  }
  if (has("passkey")) {
    const { secret } = await passkeySecret(t`Open your vault`, await accountSalt(salt));
    const compartment = await tried(stored, "passkey", secret);
    if (compartment) return opened(compartment, stored);
    throw new Problem("wrong-passkey", { detail: t`This passkey does not open the vault. Use another one, or the recovery key, and add this passkey afterwards.` });
  }
  throw new Problem("unsupported", { detail: t`Nothing on this device opens the vault. Use the recovery key, and add this device afterwards.` });
}

/** Opens the vault with the printed words. Null when the person has cancelled. */
export async function byRecovery(stored) {
  const compartment = await askForRecovery(async (typed) => {
    const found = await keyOf(typed);
    if (!found.key) return found;
    const value = await tried(stored, "recovery", found.key);
    return value ? { value } : { problem: "other" };
  });
  return compartment && opened(compartment, stored);
}

/** Opens the vault with a PIN. Null when the person has cancelled. */
export async function byPIN() {
  // As it is now: another device may have set a PIN, and somebody may have tried some.
  const stored = await api.get("/api/vault");
  const found = await askForPIN((pin) => tryPIN(pin, stored), {}, stored.guard.wait);
  if (!found) return null;
  const vault = await opened(await compartmentOf(found.key), stored);
  // The main vault knows how to take back what was counted against the other PINs. If this does not arrive, the try stays counted.
  await found.prove(knownResets(vault)).catch(() => {});
  return vault;
}

/** The vault behind one of the slots of a kind; null when the secret opens none. */
export async function openedBy(stored, kind, secret) {
  const compartment = await tried(stored, kind, secret);
  return compartment && opened(compartment, stored);
}

/** The compartment behind one of the slots of a kind; null when the secret opens none. */
async function tried(stored, kind, secret) {
  const salt = fromB64u(stored.salt);
  for (const one of stored.slots.filter((other) => other.kind === kind)) {
    try {
      return await openSlot(fromB64u(one.sealed), secret, fromHex(one.id), salt);
    } catch (error) {
      if (error.code !== "cannot_open") throw error;
    }
  }
  return null;
}

/** The vault that is open, with all of it: the connection is back. */
export const again = ({ compartment }, stored) => opened(compartment, stored);

/** What is kept on this device. */
async function openedHere(compartment, stored) {
  const kept = await keptOf(hex(compartment.id));
  if (!kept) throw new Problem("not-found", { detail: t`Nothing of this vault is kept on this device.` });
  return new Vault(await VaultState.kept(compartment, kept), stored.limits);
}

async function opened(compartment, stored) {
  const bar = document.body.appendChild(element("p", { class: "visually-hidden", role: "status" }));
  try {
    if (stored.isOffline) return await openedHere(compartment, stored);
    const vault = new Vault(await VaultState.open(compartment, (count) => { bar.textContent = plural(count, "{0} item read", "{0} items read"); }), stored.limits);
    vault.settle().catch(() => { /* The next time, then. */ });
    return vault;
  } catch (problem) {
    if (problem.kind !== "offline") throw problem;
    return await openedHere(compartment, stored).catch(() => { throw problem; });
  } finally {
    bar.remove();
  }
}
