// The keys of one device: made, opened, used, forgotten.

import { Problem } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { jws, openJWE } from "./jose.js";
import { webCurve } from "./key-curves.js";
import { ofPico } from "./key-names.js";
import * as wrap from "./wrap.js";

/** That a key is not here, by the key. */
const missing = {
  signing: t`This browser has no signing key.`,
  encryption: t`This browser has no encryption key.`,
  authority: t`This browser has no authority key.`,
};

/** That a key for one service is not here. */
const missingForService = t`This browser has no key for this service.`;

/** A slot that a passkey opens. `secret` as passkeys.js gives it. */
export async function passkeySlot(walletKey, { secret, id, transports = [] }) {
  const salt = wrap.newSalt();
  const slotKey = await wrap.passkeySlotKey(secret, salt);
  return { kind: "passkey", credential: id, transports, salt, walletKey: await wrap.wrapWalletKey(walletKey, slotKey) };
}

/** A slot that the passphrase opens. `slotKey` from `passphraseKeys`. */
export const passphraseSlot = async (walletKey, slotKey) => (
  { kind: "passphrase", walletKey: await wrap.wrapWalletKey(walletKey, slotKey) });

/** Makes the keys of a new device: `{walletKey, keys}`. */
export async function makeKeys({ withAuthority }) {
  const walletKey = await wrap.newWalletKey();
  const names = ["signing", "encryption", ...(withAuthority ? ["authority"] : [])];
  const made = await Promise.all(names.map((name) => wrap.newKeyPair(name, walletKey)));
  return { walletKey, keys: Object.fromEntries(names.map((name, index) => [name, made[index]])) };
}

/**
 * The wallet key behind the slot of this passkey; null when the passkey has none, or opens another wallet.
 *
 * Nothing is ever wrapped again after a failure: an authenticator that fails today may work again tomorrow.
 */
export async function openWithPasskey(record, { id, secret }, extractable = false) {
  const slot = record.slots.find(({ kind, credential }) => kind === "passkey" && credential === id);
  if (!slot || !secret) return null;
  const slotKey = await wrap.passkeySlotKey(secret, slot.salt);
  return wrap.unwrapWalletKey(slot.walletKey, slotKey, extractable).catch(() => null);
}

/**
 * The wallet key behind a passphrase slot; null for another passphrase. There are two slots while a change of the
 * passphrase is under way.
 */
export async function openWithPassphrase(record, slotKey, extractable = false) {
  for (const slot of record.slots.filter(({ kind }) => kind === "passphrase")) {
    const walletKey = await wrap.unwrapWalletKey(slot.walletKey, slotKey, extractable).catch(() => null);
    if (walletKey) return walletKey;
  }
  return null;
}

/**
 * What `use` hands out. Private keys are unwrapped when they are first needed; after `close` nothing works any more.
 */
export class Keyring {
  /** The public side, as `device()` answers it. */
  device = null;
  #record;
  #walletKey;
  #unwrapped = new Map();

  constructor(record, walletKey) {
    this.#record = record;
    this.#walletKey = walletKey;
  }

  get hasAuthority() {
    return Boolean(this.#record.keys.authority);
  }

  /** A public key, a 65-byte point in base64url: "signing", "encryption" or "authority". */
  publicKey(name) {
    return this.#record.keys[name]?.publicKey ?? null;
  }

  /** Signs with the device's key: r and s, 64 bytes. */
  sign(bytes) {
    return this.#signWith("signing", bytes);
  }

  /** Signs with the authority key: r and s, 64 bytes. */
  authoritySign(bytes) {
    return this.#signWith("authority", bytes);
  }

  /** Signs with the key called `name`, which is for one service alone: r and s, on P-256 64 bytes. */
  signFor(name, bytes) {
    return this.#signWith(name, bytes);
  }

  /** A signed statement, compact JWS. */
  jws(type, payload, { authority = false } = {}) {
    return jws(type, payload, (input) => this.#signWith(authority ? "authority" : "signing", input));
  }

  /** Opens what is sealed to this device for the purpose `type`. */
  async open(message, type) {
    return openJWE(message, await this.#key("encryption"), fromB64u(this.publicKey("encryption")), type);
  }

  /** What the encryption key of this device and another public key, a point of 65 bytes, agree on: 32 bytes. */
  async agree(point) {
    const other = await crypto.subtle.importKey("raw", point, { name: "ECDH", namedCurve: "P-256" }, false, []);
    return new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: other }, await this.#key("encryption"), 256));
  }

  /** Makes one more key, under the same wallet key: what is to be stored. `curve` is one that WebCrypto has. */
  async makeKey(name, curve) {
    return wrap.newKeyPair(name, this.#live(), curve).catch(lacking);
  }

  /** Keeps a key that signs in elsewhere, on a curve that WebCrypto lacks: what is to be stored. `number` stays the caller's. */
  async keepNumber(name, { publicKey, number, curve }) {
    if (!name.startsWith(ofPico)) throw new TypeError("only such keys are numbers");
    return { publicKey, wrapped: await wrap.wrapNumber(name, { number, curve }, this.#live()) };
  }

  /** Lends the number of such a key to `work`, and overwrites it then. */
  async lend(name, work) {
    const number = await wrap.unwrapNumber(name, this.#mayLeave(name), this.#live());
    try {
      return await work(number);
    } finally {
      number.fill(0);
    }
  }

  /** The secret number of a key that signs in elsewhere, base64url: for a backup. No other key ever leaves. */
  async secretNumber(name) {
    const stored = this.#mayLeave(name);
    if (!webCurve(stored.curve)) return this.lend(name, b64u);
    const key = await wrap.unwrapPrivateKey(name, stored, this.#live(), true);
    return (await crypto.subtle.exportKey("jwk", key)).d;
  }

  /** Takes a key that signs in elsewhere out of a backup, under the same wallet key: what is to be stored. */
  async takeKey(name, { publicKey, secret, curve }) {
    if (!name.startsWith(ofPico)) throw new TypeError("no such key comes out of a backup");
    if (webCurve(curve)) return wrap.takenKeyPair(name, { publicKey, secret, curve }, this.#live()).catch(lacking);
    const number = fromB64u(secret);
    try {
      return await this.keepNumber(name, { publicKey, number, curve });
    } finally {
      number.fill(0);
    }
  }

  /** Makes a secret, under the same wallet key: what is to be stored. */
  async makeSecret(name) {
    return wrap.newSecret(name, this.#live());
  }

  /** A secret that was stored: an HKDF key that nobody can read. */
  async secret(name) {
    return wrap.unwrapSecret(name, this.#record.keys[name].wrapped, this.#live());
  }

  /** Another slot for the same keys, when the keyring was opened for that. */
  addPasskey(passkey) {
    return passkeySlot(this.#live(), passkey);
  }

  addPassphrase(slotKey) {
    return passphraseSlot(this.#live(), slotKey);
  }

  /** A key that was made just now can be used at once. */
  know(record) {
    this.#record = record;
  }

  close() {
    this.#walletKey = null;
    this.#unwrapped.clear();
  }

  async #signWith(name, bytes) {
    const key = await this.#key(name);
    const signature = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, bytes));
    return key.algorithm.namedCurve === "P-256" ? lowS(signature) : signature;
  }

  async #key(name) {
    const walletKey = this.#live();
    const stored = this.#record.keys[name];
    if (!stored) throw new Problem("no-keys", { detail: missing[name] ?? missingForService });
    if (!this.#unwrapped.has(name)) {
      this.#unwrapped.set(name, await wrap.unwrapPrivateKey(name, stored, walletKey));
    }
    return this.#unwrapped.get(name);
  }

  #mayLeave(name) {
    if (!name.startsWith(ofPico)) throw new TypeError("no such key goes into a backup");
    const stored = this.#record.keys[name];
    if (!stored) throw new Problem("no-keys", { detail: missingForService });
    return stored;
  }

  #live() {
    if (!this.#walletKey) throw new Problem("locked", { detail: t`The keys are locked again. Start again.` });
    return this.#walletKey;
  }
}

/** A browser need not have every curve that WebCrypto knows. */
function lacking(error) {
  if (error.name !== "NotSupportedError") throw error;
  throw new Problem("unsupported", {
    detail: t`This browser cannot hold keys of this kind. Use another browser, or the wallet of the command line.`, cause: error,
  });
}

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Of the two signatures (r, s) and (r, n − s), which both verify, the one with the smaller s. */
function lowS(signature) {
  const s = signature.subarray(32).reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  if (s <= order - s) return signature;
  let rest = order - s;
  const low = signature.slice();
  for (let index = 63; index >= 32; index -= 1, rest >>= 8n) low[index] = Number(rest & 0xffn);
  return low;
}
