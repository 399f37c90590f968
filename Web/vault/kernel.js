// What WebCrypto does not have: Argon2id, the guard's function on P-384, words and shares. It is decided in Core
// (Core/Sources/VaultBrowser), which keeps nothing between two calls.

import { b64u, fromB64u, moduleAt } from "../shell/core.js";

const vault = moduleAt("/assets/vault/vault.wasm");

const value = async (name, args, ...blobs) => (await vault.call(name, args, ...blobs)).value;
const encoder = new TextEncoder();
const random = (count) => b64u(crypto.getRandomValues(new Uint8Array(count)));

/** Why a PIN is not taken: `not_digits`, `too_short`, `too_long`, `too_common`; null if it is. */
export const pinRefusal = async (pin) => (await value("pin_refusal", {}, encoder.encode(pin))).refusal;

/** The PIN, stretched; `cost` is for tests. Takes a second or two. */
export const pinInput = async (pin, salt, cost = {}) =>
  fromB64u((await value("pin_input", { salt: b64u(salt), ...cost }, encoder.encode(pin))).input);

/** One try of a PIN at the guard. */
export async function pinAttempt(input, salt, blind = random(48)) {
  const args = { input: b64u(input), salt: b64u(salt), random: blind };
  const { blinded } = await value("pin_blind", args);
  return {
    blinded: fromB64u(blinded),
    /** The guard's value for one slot; refused if the guard used another key. */
    value: async ({ element, proof, publicKey }) =>
      fromB64u((await value("pin_value", { ...args, evaluated: b64u(element), proof: b64u(proof), public_key: b64u(publicKey) })).value),
    /** The four proofs: `opened` has the plaintext of each slot or null, `resetKeys` the owner's or null. */
    async proofs(opened, resetKeys, tryID) {
      const texts = (list) => list.map((bytes) => bytes && b64u(bytes));
      const made = await value("pin_proofs", {
        ...args, opened: texts(opened), reset_keys: texts(resetKeys), try: b64u(tryID), more_random: random(1024),
      });
      return made.proofs.map(fromB64u);
    },
  };
}

/** What the guard keeps of a slot. */
export const pinVerifier = async (input, scalar, resetKey) =>
  fromB64u((await value("pin_verifier", { input: b64u(input), scalar: b64u(scalar), reset_key: b64u(resetKey) })).verifier);

export const recoveryWords = async (key) => (await value("words", { key: b64u(key) })).words;
export const recoveryKey = async (typed) => fromB64u((await value("words_key", {}, encoder.encode(typed))).key);
export const recoveryShares = async (secret) => (await value("shares", { secret: b64u(secret), random: random(36) })).shares;
export const sharedSecret = async (first, second) =>
  fromB64u((await value("shares_secret", {}, encoder.encode(first), encoder.encode(second))).secret);

/** A name that a node may have, whatever somebody called the file. */
export const cleanName = async (name) => (await value("name", {}, encoder.encode(name))).name;
