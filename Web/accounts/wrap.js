// How private keys rest in the browser.
//
//     passkey (PRF output) --HKDF-->  slot key ─┐
//     passphrase --PBKDF2--------->  slot key ─┴─ wraps the wallet key, which wraps each private key (pkcs8)
//
// All of it AES-256-GCM with a fresh 12-byte nonce, the name of what is wrapped as additional data. One slot for each
// passkey and for the passphrase: one can be added or lost without touching the keys, and each proves itself by its
// own tag. Everything is unwrapped non-extractable, for one use. Numbers are the exception: keys on curves that WebCrypto
// lacks are bytes to it.

import { b64u, fromB64u, utf8 } from "../shell/core.js";
import { webCurve } from "./key-curves.js";

const hkdfInfo = utf8("countersign device keys v1");
const iterations = 600_000;
const aes = { name: "AES-GCM", length: 256 };

/** The algorithm of a key: only the encryption key agrees on secrets, all others sign. */
const kindOf = (name, curve) => (name === "encryption"
  ? [{ name: "ECDH", namedCurve: "P-256" }, ["deriveBits"]] : [{ name: "ECDSA", namedCurve: webCurve(curve) }, ["sign"]]);

/** How WebCrypto takes bytes that are a key to us, and gives them back. */
const bytesOf = [{ name: "HMAC", hash: "SHA-256" }, true, ["sign"]];

/** The slot key behind a passkey. `secret` is the PRF output as passkeys.js gives it: an HKDF key nobody can read. */
export const passkeySlotKey = (secret, salt) => crypto.subtle.deriveKey(
  { name: "HKDF", hash: "SHA-256", salt, info: hkdfInfo }, secret, aes, false, ["wrapKey", "unwrapKey"]);

/**
 * The two halves of a passphrase: the slot key, which stays here, and the other half, which the server gets instead of
 * the passphrase. Neither tells the other, except to someone who guesses the passphrase.
 */
export async function passphraseKeys(passphrase, publicURL, username) {
  const context = utf8(`countersign passphrase v1\0${publicURL}\0${username}`);
  const salt = await crypto.subtle.digest("SHA-256", context);
  const typed = await crypto.subtle.importKey(
    "raw", utf8(passphrase.normalize("NFC")), "PBKDF2", false, ["deriveBits"]);
  const bits = new Uint8Array(await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations }, typed, 512));
  const slotKey = await crypto.subtle.importKey("raw", bits.subarray(0, 32), aes, false, ["wrapKey", "unwrapKey"]);
  const forServer = b64u(bits.subarray(32));
  bits.fill(0);
  return { slotKey, forServer };
}

/** A new wallet key, extractable only so that it can be wrapped. */
export const newWalletKey = () => crypto.subtle.generateKey(aes, true, ["wrapKey", "unwrapKey"]);

/** Wraps the wallet key under a slot key. */
export const wrapWalletKey = (walletKey, slotKey) => wrap("raw", walletKey, slotKey, "wallet");

/**
 * Opens the wallet key. `extractable` only where another slot is about to be made.
 *
 * Rejects when the slot key is not the one it was wrapped under.
 */
export const unwrapWalletKey = (wrapped, slotKey, extractable = false) => crypto.subtle.unwrapKey(
  "raw", wrapped.data, slotKey, parameters(wrapped.iv, "wallet"), aes, extractable, ["wrapKey", "unwrapKey"]);

/** Makes the key pair called `name` and wraps its private half; the public half is a point, base64url, on P-256 of 65 bytes. */
export async function newKeyPair(name, walletKey, curve) {
  const [algorithm, usages] = kindOf(name, curve);
  // ECDSA pairs need "verify" for their public half; the private half never has it.
  const pair = await crypto.subtle.generateKey(
    algorithm, true, algorithm.name === "ECDSA" ? ["sign", "verify"] : usages);
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  return { publicKey: b64u(point), wrapped: await wrap("pkcs8", pair.privateKey, walletKey, name) };
}

/** Opens the private key called `name`, for use and not for export; `extractable` only where it goes into a backup. */
export function unwrapPrivateKey(name, { wrapped, curve }, walletKey, extractable = false) {
  const [algorithm, usages] = kindOf(name, curve);
  return crypto.subtle.unwrapKey(
    "pkcs8", wrapped.data, walletKey, parameters(wrapped.iv, name), algorithm, extractable, usages);
}

/** Wraps a key pair that comes out of a backup, as `newKeyPair` does with its own: `secret` is a number, base64url. */
export async function takenKeyPair(name, { publicKey, secret, curve }, walletKey) {
  const [algorithm, usages] = kindOf(name, curve);
  const point = fromB64u(publicKey);
  const half = (point.length - 1) / 2;
  const [x, y] = [point.subarray(1, 1 + half), point.subarray(1 + half)].map(b64u);
  const key = await crypto.subtle.importKey("jwk", { kty: "EC", crv: algorithm.namedCurve, x, y, d: secret }, algorithm, true, usages);
  return { publicKey, wrapped: await wrap("pkcs8", key, walletKey, name) };
}

/** Wraps the secret number of a key on a curve that WebCrypto lacks. The curve is part of its name: no other one takes it. */
export async function wrapNumber(name, { number, curve }, walletKey) {
  return wrap("raw", await crypto.subtle.importKey("raw", number, ...bytesOf), walletKey, `${name} ${curve}`);
}

/** Opens it: bytes, which the caller overwrites. */
export async function unwrapNumber(name, { wrapped, curve }, walletKey) {
  const key = await crypto.subtle.unwrapKey("raw", wrapped.data, walletKey, parameters(wrapped.iv, `${name} ${curve}`), ...bytesOf);
  return new Uint8Array(await crypto.subtle.exportKey("raw", key));
}

/** Makes a secret of 32 bytes called `name` and wraps it. */
export async function newSecret(name, walletKey) {
  return { wrapped: await wrap("raw", await crypto.subtle.generateKey(aes, true, ["encrypt"]), walletKey, name) };
}

/** Opens a secret: an HKDF key, for use and not for export. */
export const unwrapSecret = (name, wrapped, walletKey) => crypto.subtle.unwrapKey(
  "raw", wrapped.data, walletKey, parameters(wrapped.iv, name), "HKDF", false, ["deriveBits"]);

/** 32 random bytes. */
export const newSalt = () => crypto.getRandomValues(new Uint8Array(32));

async function wrap(format, key, by, name) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return { iv, data: new Uint8Array(await crypto.subtle.wrapKey(format, key, by, parameters(iv, name))) };
}

const parameters = (iv, name) => ({ name: "AES-GCM", iv, additionalData: utf8(name) });
