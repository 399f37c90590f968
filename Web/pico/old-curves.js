// The module with all curves (Core/Sources/PicoBrowser), loaded when a service uses an old one. On P-192 and secp192k1 it
// computes with secrets, since WebCrypto has neither. So each call has an instance of its own, and its memory is overwritten
// after the call.

import { webCurve } from "../accounts/key-curves.js";
import { CoreError, b64u, exchanged, outcome, packedCall } from "../shell/core.js";

const address = "/assets/pico/old-curves.wasm";
/** Random bytes for a key, and for a signature. */
const counts = { key: 96, signature: 32 };
const random = (count) => b64u(crypto.getRandomValues(new Uint8Array(count)));

/** The compiled module, or a promise of it. */
const held = { module: null };

/** Whether keys on this curve are ours to make: WebCrypto lacks it. */
export const isOurs = (curve) => !webCurve(curve);

/** Calls a function of the module: as `call` of shell/core.js. */
export async function callOld(name, args = {}, ...blobs) {
  held.module ??= loaded();
  const module = await held.module;
  const { exports } = await WebAssembly.instantiate(module);
  const input = packedCall(name, args, blobs);
  try {
    return outcome(exchanged(exports, input));
  } catch (error) {
    if (error instanceof CoreError) throw error;
    throw new CoreError("trap", `The module stopped: ${error.message}`);
  } finally {
    input.fill(0);
    new Uint8Array(exports.memory.buffer).fill(0);
  }
}

/** A new key on a curve that WebCrypto lacks: `{publicKey, number}`, a point in base64url and bytes to be overwritten. */
export async function newNumber(curve) {
  const { value, blobs: [number] } = await callOld("key_make", { curve, random: random(counts.key) });
  return { publicKey: value.publicKey, number };
}

/** Signs with a number: r and s, as base64url. */
export const signedWith = async (curve, number, bytes) => (
  await callOld("key_sign", { curve, random: random(counts.signature) }, number, bytes)).value.signature;

async function loaded() {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address} answers ${response.status}`);
    return await WebAssembly.compileStreaming(response);
  } catch (error) {
    held.module = null;
    throw new CoreError("unavailable", `The module for old services could not be loaded: ${error.message}`);
  }
}
