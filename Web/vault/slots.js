// Unlock slots and shares (docs/vault-format.md, "Slots" and "Shares"). What needs Argon2, the guard's function or the
// word list is in kernel.js.

import { join, label, random, Reader, requireLength, sameSecret, textOf, utf8, VaultError } from "./bytes.js";
import { compartmentOf } from "./compartment.js";
import { readVersion } from "./content.js";
import { boxOverhead, derive, hmac, keyOverhead, open, openSealedTo, privateKey, seal, sealTo, sha256 } from "./sealing.js";

/** Where the secret of a slot comes from. */
export const slotKinds = { passkey: 1, recovery: 3, device: 4, contact: 5, shares: 6 };
/** What a PIN opens. */
export const pinPurposes = { main: 1, tier: 2, decoy: 3, item: 4 };
export const pinSlotLength = 140;

const secretSlotLength = 272;
/** The length of an emergency contact’s slot for one of their devices. */
export const contactSlotLength = 212;

/** What a passkey of an account is asked with. */
export const accountSalt = (salt) => sha256(join(label("account-prf"), salt));

const sealOf = async (compartment, bytes) => hmac(await derive(compartment.key, "slot-seal"), bytes);

async function checkSeal(compartment, bytes, expected) {
  if (!sameSecret(await sealOf(compartment, bytes), expected)) throw new VaultError("cannot_open");
}

/** Makes a slot that a secret of 32 bytes opens. */
export async function makeSlot(kind, secret, id, salt, compartment) {
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const scalar = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey)).slice(36, 68);
  const binding = join(salt, id, [kind]);
  const box = await seal(await derive(secret, "slot-key", binding), "slot-key", join(binding, point), scalar);
  return filledSlot(kind, point, box, binding, compartment);
}

async function filledSlot(kind, point, box, binding, compartment) {
  const sealed = await sealTo(point, "slot", binding, compartment.key);
  return join([1, kind], point, box, sealed, await sealOf(compartment, join(binding, point, box)));
}

function readSlot(bytes, id, salt) {
  const reader = new Reader(requireLength(bytes, secretSlotLength));
  if (reader.number(1) !== 1) throw new VaultError("unsupported_version");
  const kind = reader.number(1);
  const slot = { kind, point: reader.take(65), box: reader.take(32 + boxOverhead), sealed: reader.take(32 + keyOverhead) };
  return { ...slot, seal: reader.take(32), binding: join(salt, id, [kind]) };
}

/** Opens a slot; gives its compartment. */
export async function openSlot(bytes, secret, id, salt) {
  const slot = readSlot(bytes, id, salt);
  const key = await derive(secret, "slot-key", slot.binding);
  const scalar = await open(key, "slot-key", join(slot.binding, slot.point), slot.box);
  const opened = await openSealedTo(await privateKey(scalar), slot.point, "slot", slot.binding, slot.sealed);
  const compartment = await compartmentOf(opened);
  await checkSeal(compartment, join(slot.binding, slot.point, slot.box), slot.seal);
  return compartment;
}

/** Whether a slot opens this compartment, as far as its key can tell without the slot's secret. */
export async function isSlotOf(compartment, bytes, id, salt) {
  const slot = readSlot(bytes, id, salt);
  return sameSecret(await sealOf(compartment, join(slot.binding, slot.point, slot.box)), slot.seal);
}

/** The slot for a compartment with another key, without the secret. */
export async function renewedSlot(bytes, id, salt, from, to) {
  const slot = readSlot(bytes, id, salt);
  await checkSeal(from, join(slot.binding, slot.point, slot.box), slot.seal);
  return filledSlot(slot.kind, slot.point, slot.box, slot.binding, to);
}

/** Makes the slot of an emergency contact, whose key the log vouches for. */
export async function makeContactSlot(point, id, salt, compartment) {
  const binding = join(salt, id, [slotKinds.contact]);
  const sealed = await sealTo(point, "slot", binding, compartment.key);
  return join([1, slotKinds.contact], point, sealed, await sealOf(compartment, join(binding, point)));
}

/** Opens it as the contact; `secret` is the contact's private key, a CryptoKey. */
export async function openContactSlot(bytes, secret, id, salt) {
  const reader = new Reader(requireLength(bytes, contactSlotLength));
  if (reader.number(1) !== 1) throw new VaultError("unsupported_version");
  if (reader.number(1) !== slotKinds.contact) throw new VaultError("malformed");
  const point = reader.take(65);
  const binding = join(salt, id, [slotKinds.contact]);
  const compartment = await compartmentOf(await openSealedTo(secret, point, "slot", binding, reader.take(32 + keyOverhead)));
  await checkSeal(compartment, join(binding, point), reader.take(32));
  return compartment;
}

const pinKey = (input, value, salt, index) => derive(join(input, value), "pin-slot", join(salt, [index]));

/** Seals a PIN slot; `contents` are `{ purpose, key, lock, scalar }`. */
export async function sealPINSlot(contents, index, input, value, salt) {
  const used = join([1, contents.purpose], contents.key, contents.lock ?? new Uint8Array(16), contents.scalar);
  const plaintext = join(used, new Uint8Array(112 - used.length));
  return seal(await pinKey(input, value, salt, index), "pin-slot", join(salt, [index]), plaintext);
}

/** Opens a PIN slot; `plaintext` is what proofs are made of. */
export async function openPINSlot(slot, index, input, value, salt) {
  requireLength(slot, pinSlotLength);
  const plaintext = await open(await pinKey(input, value, salt, index), "pin-slot", join(salt, [index]), slot);
  const reader = new Reader(plaintext);
  if (reader.number(1) !== 1) throw new VaultError("unsupported_version");
  const contents = { purpose: reader.number(1), key: reader.take(32), lock: reader.take(16), scalar: reader.take(48) };
  reader.finishPadding();
  return { ...contents, plaintext };
}

/** A slot that no PIN opens. */
export const unusedPINSlot = () => random(pinSlotLength);

const sharedLength = 512;

function padded(...parts) {
  const used = join(...parts);
  return join(used, new Uint8Array(sharedLength - used.length));
}

const withLength = (text) => join([utf8(text).length], utf8(text));

/**
 * What is handed over: `{ key, name }` of a compartment, `{ version, name, mediaType }` of one content, or `{ inbox, name }`, the
 * public key of a compartment's inbox.
 */
function encoded(access) {
  if (access.key) return padded([1, 1], access.key, withLength(access.name));
  if (access.inbox) return padded([1, 3], access.inbox, withLength(access.name));
  const { id, node, key, home, size, created } = access.version;
  const bytes = [node, id, key, home, ...[size, created].map((value) => numberBytes(value))];
  return padded([1, 2], ...bytes, withLength(access.name), withLength(access.mediaType));
}

function numberBytes(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

function decoded(bytes) {
  const reader = new Reader(requireLength(bytes, sharedLength));
  if (reader.number(1) !== 1) throw new VaultError("unsupported_version");
  const kind = reader.number(1);
  const access = {};
  if (kind === 1) {
    access.key = reader.take(32);
    access.name = textOf(reader.take(reader.number(1)));
  } else if (kind === 2) {
    const node = reader.take(16);
    access.version = readVersion(reader.take(16), node, reader.take(64));
    access.name = textOf(reader.take(reader.number(1)));
    access.mediaType = textOf(reader.take(reader.number(1)));
  } else if (kind === 3) {
    access.inbox = reader.take(65);
    access.name = textOf(reader.take(reader.number(1)));
  } else {
    throw new VaultError("malformed");
  }
  reader.finishPadding();
  return access;
}

/** To a member's key, the one that the log vouches for; `id` is the share's. */
export const shareTo = (point, id, access) => sealTo(point, "share", id, encoded(access));

export const openShareTo = async (secret, point, id, sealed) => decoded(await openSealedTo(secret, point, "share", id, sealed));

/** Behind a link, whose key travels in the fragment; the code may be empty. */
export const shareByLink = async (key, code, id, access) => seal(await derive(key, "link", utf8(code)), "link", id, encoded(access));

export const openShareByLink = async (key, code, id, sealed) =>
  decoded(await open(await derive(key, "link", utf8(code)), "link", id, sealed));
