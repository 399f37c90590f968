// PINs (docs/vault-format.md, "PIN slots"): stretched here, blinded, evaluated by the guard, and only then of use. The guard
// counts each try before it answers, and learns nothing of the PIN.

import { Problem, api } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { ownScript } from "../shell/own-script.js";
import { t } from "../shell/translate.js";
import { fromHex, join, random } from "./bytes.js";
import { pinAttempt, pinInput, pinVerifier } from "./kernel.js";
import { openPINSlot, pinPurposes, sealPINSlot, unusedPINSlot } from "./slots.js";
import { uncertain } from "./vault-state.js";

const slotCount = 4;
/** How often PINs are stored again while other devices are quicker. */
const tries = 8;
const numbers = Array.from({ length: slotCount }, (_, number) => number);
const nothing = numbers.map(() => null);

/**
 * Tries a PIN.
 *
 * @param isMeant whether what a slot holds, `{purpose, key, lock}`, is what is to be opened; by default a vault
 * @returns `{key, lock, prove(resetKeys)}`, or `{problem, wait}`: "wrong", "wait", "destroyed", "absent"
 */
export async function tryPIN(pin, stored, isMeant = ({ purpose }) => purpose !== pinPurposes.item) {
  const tried = await trying(await stretched(pin, fromB64u(stored.salt)), stored);
  if (tried.problem) return tried;
  const found = tried.opened.find((one) => one && isMeant(one));
  if (found) return { key: found.key, lock: found.lock, prove: tried.prove };
  await tried.prove(nothing).catch(() => { /* It stays counted, as it should. */ });
  return { problem: "wrong" };
}

/** One try at the guard: `{opened, prove}` with what is in each slot or null, or `{problem, wait}`. */
async function trying(input, stored) {
  const salt = fromB64u(stored.salt);
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
  return { opened, prove };
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

/** What a vault knows to take back tries at all four PINs; nothing in one that does not know the PINs. */
export function knownResets(vault) {
  const known = vault.pinSlots();
  return known.length === slotCount ? known.map(({ reset }) => fromB64u(reset)) : nothing;
}

/** What a vault knows of the PIN that opens something, `{reset, …}`; undefined if there is none. */
export const pinFor = (vault, purpose, node) => vault.pinSlots().find((one) => one.purpose === purpose && one.node === node);

/**
 * Sets a PIN: in the slot that had it before, or in one that is free. Nobody who opens a slot learns whether it is the main
 * vault's: a tier and a decoy are written as that one is.
 *
 * Of two devices that set PINs at once neither loses its slot: each takes it in the vault first, and then the server refuses the
 * one that has not seen what the other has written.
 *
 * @param vault the main vault, which remembers what the slots are for
 * @param about `{purpose, key, lock, node, replaces}`: what it opens; `node` is the item of the main vault that stands for it;
 *   `replaces` is the `reset` of the PIN that the person wants to change, nothing for a new one
 * @returns `{slot, reset}`; `{problem}`, in words, for a PIN that opens something else already
 */
export async function writePIN(vault, stored, pin, { purpose, key, lock, node, replaces }) {
  const salt = fromB64u(stored.salt);
  const input = await stretched(pin, salt);
  const taken = await takeSlot(vault, { purpose, node, replaces });
  const { slot } = taken;
  const written = purpose === pinPurposes.item ? purpose : pinPurposes.main;
  try {
    await storing(vault, slot, taken.known[slot].reset, (revision) => store(vault, input, taken, { purpose: written, key, lock }, salt, revision));
  } catch (problem) {
    // Where nobody knows whether it was stored, the vault goes on listing the slot, so that it can be removed.
    if (!uncertain.has(problem.kind)) await forgetSlot(vault, slot, taken.known[slot].reset, taken.before).catch(() => { /* Then it can be removed. */ });
    throw problem;
  }
  if (!await isTaken(input)) return { slot, reset: fromB64u(taken.known[slot].reset) };
  await clearPIN(vault, slot, taken.known[slot].reset);
  return { problem: t`One of your PINs is this one already. Choose another one.` };
}

/** The resets of the slots that this page has taken, by vault: they are forgotten with it. */
const takenHere = new WeakMap();

/** Takes a slot for a PIN in the vault, before it is stored: `{slot, known, before, fresh}`. */
async function takeSlot(vault, { purpose, node, replaces }) {
  const fresh = numbers.map(() => b64u(random(32)));
  let taken;
  await vault.changePINSlots((known) => {
    // Without what the owner knows of the slots, all four are made again.
    const before = known.length === slotCount ? known : fresh.map((reset) => ({ reset }));
    const own = before.find((one) => one.purpose === purpose && one.node === node);
    // One that this page took itself, and of which nobody knows whether it was stored, it may take again.
    if (own && own.reset !== replaces && !takenHere.get(vault)?.has(own.reset)) throw changedElsewhere();
    const slot = slotFor(before, purpose, node);
    const now = before.map((one, number) => (number === slot ? { reset: fresh[slot], purpose, ...(node ? { node } : {}) } : one));
    taken = { slot, known: now, before: before[slot], fresh };
    return now;
  });
  takenHere.set(vault, (takenHere.get(vault) ?? new Set()).add(fresh[taken.slot]));
  return taken;
}

/** Has the vault know something else of a slot, unless another device has taken it since. */
const forgetSlot = (vault, slot, reset, next) => vault.changePINSlots((known) => known.map((one, number) => (number === slot && one.reset === reset ? next : one)));

/** Stores PIN slots at the revision of the server's that this device has seen; again while other devices are quicker. */
async function storing(vault, slot, reset, write) {
  for (let left = tries; ; left -= 1) {
    // In this order: who has written before this revision, took their slot in the vault before.
    const { guard: { revision } } = await api.get("/api/vault");
    await vault.refresh();
    if (vault.pinSlots()[slot]?.reset !== reset) throw changedElsewhere();
    try {
      await write(revision);
      return;
    } catch (problem) {
      // Another device has written slots, or asked for fresh keys.
      if (!["pins", "enrolment"].includes(problem.error) || left <= 1) throw problem;
      await new Promise((resolve) => { setTimeout(resolve, 50 + Math.random() * 200 * (tries - left + 1)); });
    }
  }
}

const changedElsewhere = () => new Problem("conflict", { detail: t`Another device has just changed this PIN. Look at your PINs, then set it again.` });

/** Whether a PIN opens more than one slot. It is a try, and proved; where one has to wait for it, nobody knows. */
async function isTaken(input) {
  const tried = await trying(input, await api.get("/api/vault"));
  if (tried.problem) return false;
  await tried.prove(nothing).catch(() => { /* Then it stays counted. */ });
  return tried.opened.filter(Boolean).length > 1;
}

/** Refuses early what has no room: a PIN for something new. */
export const requireFreeSlot = (vault) => { slotFor(vault.pinSlots(), undefined, null); };

/** The slot of a PIN: its own, or any that is free, so that the number of a slot says nothing. */
function slotFor(known, purpose, node) {
  const own = known.findIndex((one) => one.purpose === purpose && one.node === node);
  if (own >= 0) return own;
  const free = numbers.filter((slot) => !known[slot]?.purpose);
  if (free.length === 0) throw new Problem("conflict", { detail: t`All four PINs are in use. Remove one first.` });
  return free[crypto.getRandomValues(new Uint32Array(1))[0] % free.length];
}

/** Takes the PIN out of a slot, which the vault knows by its `reset`: what no PIN opens comes in its place. */
export async function clearPIN(vault, slot, reset) {
  const next = random(32);
  await storing(vault, slot, reset, async (revision) => {
    const { enrolment } = await enrol(await Promise.all(numbers.map(randomElement)));
    await api.put("/api/vault/pins", { enrolment, revision, pins: [await unused(slot, next)] }, { reason: t`Remove a PIN of your vault` });
  });
  // Only now: what was cut off before this is still listed, and can be removed again.
  await forgetSlot(vault, slot, reset, { reset: b64u(next) });
}

/** What a vault that a PIN opens says of the slots: only of its own it is right, and like the main vault it calls that one its own. */
export const ownView = (slot, reset) => numbers.map((one) => (
  one === slot ? { reset: b64u(reset), purpose: pinPurposes.main } : { reset: b64u(random(32)) }));

/** Writes the slot of a new PIN, and unused ones wherever the vault knows of none but those that were made for this one. */
async function store(vault, input, { slot, known, fresh }, { purpose, key, lock }, salt, revision) {
  const attempt = await pinAttempt(input, salt);
  const { enrolment, evaluations } = await enrol(await Promise.all(numbers.map((one) => (one === slot ? attempt.blinded : randomElement()))));
  const { element, proof, key: publicKey } = evaluations[slot];
  const value = await attempt.value({ element: fromB64u(element), proof: fromB64u(proof), publicKey: fromB64u(publicKey) });
  const scalar = await randomScalar();
  const own = {
    slot, sealed: b64u(await sealPINSlot({ purpose, key, lock, scalar }, slot, input, value, salt)),
    verifier: b64u(await pinVerifier(input, scalar, fromB64u(known[slot].reset))),
  };
  const present = vault.pinSlots();
  const others = numbers.filter((one) => one !== slot && present[one].reset === fresh[one]);
  const unusedOnes = await Promise.all(others.map((one) => unused(one, fromB64u(fresh[one]))));
  await api.put("/api/vault/pins", { enrolment, revision, pins: [own, ...unusedOnes] }, { reason: t`Set a PIN for your vault` });
}
