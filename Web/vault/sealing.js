// Deriving and sealing with WebCrypto (docs/vault-format.md, "Notation").

import { join, label, number, random, Reader, utf8, VaultError } from "./bytes.js";

const nonceLength = 12;

/** By how much a box is longer than its plaintext. */
export const boxOverhead = 28;
/** By how much something sealed to a key is longer than its plaintext. */
export const keyOverhead = 81;

export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export async function hmac(key, message, hash = "SHA-256") {
  // WebCrypto refuses an empty key; HMAC fills it with zeros.
  const raw = key.length ? key : new Uint8Array(1);
  const secret = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", secret, message));
}

/** HMAC-SHA-256 under one key, many times. */
export async function authenticator(key) {
  const secret = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", secret, message));
}

/**
 * HKDF-SHA-256 without salt, where the info is a label and what the key is for. The key is bytes, or an HKDF key that nobody
 * can read, such as a passkey gives.
 */
export async function derive(key, name, context = new Uint8Array(0), count = 32) {
  const secret = key instanceof CryptoKey ? key : await crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveBits"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: join(label(name), context) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, secret, 8 * count));
}

/** HKDF-Expand alone. */
export async function expand(key, info, count, hash = "SHA-256") {
  let output = new Uint8Array(0);
  let block = new Uint8Array(0);
  for (let turn = 1; output.length < count; turn += 1) {
    block = await hmac(key, join(block, info, [turn]), hash);
    output = join(output, block);
  }
  return output.slice(0, count);
}

/** Keys that were imported, by their bytes: one opens many boxes. */
const imported = new WeakMap();

/** A key of 32 bytes that seals and opens. */
export function aesKey(key) {
  if (!imported.has(key)) imported.set(key, crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]));
  return imported.get(key);
}

/** Encrypts and authenticates. A content has many small chunks, so this makes no promise more than it needs. */
export function encrypt(key, nonce, additionalData, plaintext) {
  const how = { name: "AES-GCM", iv: nonce, tagLength: 128 };
  // Empty additional data are the same as none, and cost time with each chunk.
  if (additionalData.length > 0) how.additionalData = additionalData;
  return crypto.subtle.encrypt(how, key, plaintext).then((sealed) => new Uint8Array(sealed));
}

export async function decrypt(key, nonce, additionalData, sealed) {
  const how = { name: "AES-GCM", iv: nonce, additionalData, tagLength: 128 };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(how, key, sealed));
  } catch {
    throw new VaultError("cannot_open");
  }
}

export async function seal(key, name, binding, plaintext) {
  const nonce = random(nonceLength);
  return join(nonce, await encrypt(await aesKey(key), nonce, join(label(name), binding), plaintext));
}

export async function open(key, name, binding, box) {
  if (box.length < boxOverhead) throw new VaultError("malformed");
  const nonce = box.slice(0, nonceLength);
  return decrypt(await aesKey(key), nonce, join(label(name), binding), box.slice(nonceLength));
}

const curve = { name: "ECDH", namedCurve: "P-256" };
const kem = join(utf8("KEM"), [0x00, 0x10]);
const hpke = join(utf8("HPKE"), [0x00, 0x10, 0x00, 0x01, 0x00, 0x02]);

/** An uncompressed point as a public key. */
export async function publicKey(point) {
  try {
    return await crypto.subtle.importKey("raw", point, curve, true, []);
  } catch {
    throw new VaultError("malformed");
  }
}

/** A private key of P-256 from its number. WebCrypto takes none without the point, so PKCS#8 brings the number alone. */
export async function privateKey(scalar) {
  const head = Uint8Array.from([
    0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,
  ]);
  try {
    return await crypto.subtle.importKey("pkcs8", join(head, scalar), curve, false, ["deriveBits"]);
  } catch {
    throw new VaultError("malformed");
  }
}

async function shared(secret, point) {
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: point }, secret, 256));
}

/** The key schedule of HPKE in base mode (RFC 9180 sections 4.1 and 5.1). */
async function schedule(secret, context, info) {
  const version = utf8("HPKE-v1");
  const extract = (salt, id, name, input) => hmac(salt, join(version, id, utf8(name), input));
  const expandLabelled = (key, id, name, what, count) =>
    expand(key, join(number(count, 2), version, id, utf8(name), what), count);
  const none = new Uint8Array(0);
  const key = await expandLabelled(await extract(none, kem, "eae_prk", secret), kem, "shared_secret", context, 32);
  const hashes = join([0], await extract(none, hpke, "psk_id_hash", none), await extract(none, hpke, "info_hash", info));
  const start = await extract(key, hpke, "secret", none);
  return {
    key: await aesKey(await expandLabelled(start, hpke, "key", hashes, 32)),
    nonce: await expandLabelled(start, hpke, "base_nonce", hashes, 12),
  };
}

export async function sealTo(point, name, binding, plaintext) {
  const pair = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
  const encapsulated = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const secret = await shared(pair.privateKey, await publicKey(point));
  const { key, nonce } = await schedule(secret, join(encapsulated, point), label(name));
  return join(encapsulated, await encrypt(key, nonce, binding, plaintext));
}

/**
 * Opens what was sealed to a key; `point` is the public key of `secret`: a CryptoKey, or what agrees with a public key in its
 * place (`agree` of a keyring).
 */
export async function openSealedTo(secret, point, name, binding, sealed) {
  if (sealed.length < keyOverhead) throw new VaultError("malformed");
  const reader = new Reader(sealed);
  const encapsulated = reader.take(65);
  const agreed = typeof secret === "function" ? await secret(encapsulated) : await shared(secret, await publicKey(encapsulated));
  const { key, nonce } = await schedule(agreed, join(encapsulated, point), label(name));
  return decrypt(key, nonce, binding, reader.take(reader.remaining));
}
