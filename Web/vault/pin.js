// PINs (docs/vault-format.md, "PIN slots"): stretched here, blinded, evaluated by the guard, and only then of use. The guard
// counts each try before it answers, and learns nothing of the PIN.

import { api } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { notice } from "../shell/dom.js";
import { ownScript } from "../shell/own-script.js";
import { t } from "../shell/translate.js";
import { fromHex, join, random } from "./bytes.js";
import { pinAttempt, pinInput, pinRefusal, pinVerifier } from "./kernel.js";
import { askForNewPIN } from "./pin-dialogs.js";
import { openPINSlot, pinPurposes, sealPINSlot, unusedPINSlot } from "./slots.js";

const slotCount = 4;
const numbers = Array.from({ length: slotCount }, (_, number) => number);

/**
 * Tries a PIN.
 *
 * @returns `{key, prove(resetKeys)}` of the compartment that it opens, or `{problem, wait}`: "wrong", "wait", "destroyed", "absent"
 */
export async function tryPIN(pin, stored) {
  const salt = fromB64u(stored.salt);
  const input = await stretched(pin, salt);
  const attempt = await pinAttempt(input, salt);
  let answer;
  try {
    answer = await api.post("/api/vault/guard/tries", { blinded: b64u(attempt.blinded) });
  } catch (problem) {
    if (["wait", "destroyed", "absent"].includes(problem.error)) return { problem: problem.error, wait: problem.retryAfter };
    throw problem;
  }
  const opened = await Promise.all(numbers.map((slot) => opening(attempt, input, salt, slot, stored.pins[slot], answer.evaluations[slot])));
  const prove = async (resetKeys) => {
    const proofs = await attempt.proofs(opened.map((one) => one?.plaintext ?? null), resetKeys, fromHex(answer.try));
    await api.post(`/api/vault/guard/tries/${answer.try}/proof`, { proofs: proofs.map(b64u) });
  };
  const found = opened.find((one) => one && one.purpose !== pinPurposes.item);
  if (found) return { key: found.key, prove };
  await prove(numbers.map(() => null)).catch(() => { /* It stays counted, as it should. */ });
  return { problem: "wrong" };
}

/** What is in a slot, if the PIN is its own; null otherwise. */
async function opening(attempt, input, salt, slot, { key, sealed, usable }, { element, proof }) {
  if (!usable || !element) return null;
  const value = await attempt.value({ element: fromB64u(element), proof: fromB64u(proof), publicKey: fromB64u(key) });
  return openPINSlot(fromB64u(sealed), slot, input, value, salt).catch((error) => {
    if (error.code === "cannot_open") return null;
    throw error;
  });
}

/** Stretches a PIN beside the page, where the browser can. */
async function stretched(pin, salt) {
  try {
    return await stretchedAside(pin, salt);
  } catch (error) {
    console.info("computes the PIN's key in the page itself:", error.message);
    return pinInput(pin, salt);
  }
}

function stretchedAside(pin, salt) {
  const worker = new Worker(ownScript("/assets/vault/pin-worker.js"), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.input ? resolve(data.input) : reject(new Error(data.error)));
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage({ pin, salt });
  }).finally(() => worker.terminate());
}

/** Four slots that no PIN opens, as set-up takes them, and the owner's reset keys. */
export async function unusedPINs() {
  const resetKeys = numbers.map(() => random(32));
  const { enrolment } = await enrol(await Promise.all(numbers.map(randomElement)));
  return { enrolment, resetKeys, pins: await Promise.all(numbers.map((slot) => unused(slot, resetKeys[slot]))) };
}

/** Has the guard make fresh keys, and evaluate one element with each. */
const enrol = (elements) => api.post("/api/vault/guard/enrolments", { blinded: elements.map(b64u) }, { reason: t`Prepare the PINs of your vault` });

const unused = async (slot, resetKey) => (
  { slot, sealed: b64u(unusedPINSlot()), verifier: b64u(await pinVerifier(random(32), await randomScalar(), resetKey)) });

const pair = () => crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-384" }, true, ["deriveBits"]);

/** A number below the order of P-384, as WebCrypto makes private keys. */
const randomScalar = async () => fromB64u((await crypto.subtle.exportKey("jwk", (await pair()).privateKey)).d);

/** An element that nobody knows anything of: a compressed point. */
async function randomElement() {
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", (await pair()).publicKey));
  return join([2 + (point.at(-1) & 1)], point.subarray(1, 49));
}

/** Asks for a new PIN and sets it for the vault. Returns false when the person has cancelled. */
export async function setPIN(vault, stored) {
  const pin = await askForNewPIN(pinRefusal);
  if (!pin) return false;
  const known = vault.pinSlots();
  // Without what the owner knows of the slots, all four are made again.
  const isWhole = known.length === slotCount;
  const used = known.findIndex(({ purpose }) => purpose === pinPurposes.main);
  const index = Math.max(used >= 0 ? used : known.findIndex(({ purpose }) => !purpose), 0);
  const resetKeys = numbers.map((slot) => (isWhole && slot !== index ? null : random(32)));
  await store(pin, index, resetKeys, vault.compartment, fromB64u(stored.salt));
  await vault.setPINSlots(numbers.map((slot) => (
    slot === index ? { reset: b64u(resetKeys[slot]), purpose: pinPurposes.main } : resetKeys[slot] ? { reset: b64u(resetKeys[slot]) } : known[slot])));
  notice("success", t`The PIN opens your vault from now on.`);
  return true;
}

/** Writes the slot of a new PIN, and unused ones wherever there is another reset key. */
async function store(pin, index, resetKeys, compartment, salt) {
  const input = await stretched(pin, salt);
  const attempt = await pinAttempt(input, salt);
  const { enrolment, evaluations } = await enrol(await Promise.all(numbers.map((slot) => (slot === index ? attempt.blinded : randomElement()))));
  const { element, proof, key } = evaluations[index];
  const value = await attempt.value({ element: fromB64u(element), proof: fromB64u(proof), publicKey: fromB64u(key) });
  const scalar = await randomScalar();
  const contents = { purpose: pinPurposes.main, key: compartment.key, scalar };
  const own = {
    slot: index, sealed: b64u(await sealPINSlot(contents, index, input, value, salt)),
    verifier: b64u(await pinVerifier(input, scalar, resetKeys[index])),
  };
  const others = await Promise.all(numbers.filter((slot) => slot !== index && resetKeys[slot]).map((slot) => unused(slot, resetKeys[slot])));
  await api.put("/api/vault/pins", { enrolment, pins: [own, ...others] }, { reason: t`Set a PIN for your vault` });
}
