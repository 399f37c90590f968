// The key of one run, which WebCrypto makes and nobody can read.

import { webCurve } from "../accounts/key-curves.js";
import { b64u } from "../shell/core.js";

/** How long the secret is that two keys agree on, in bits: whole bytes. */
const bits = { p256: 256, p384: 384, p521: 528 };

/**
 * Makes a key on a curve.
 *
 * @returns `{point, agree}`: its public half in base64url, and what it agrees on with another point, bytes to bytes; null on a
 *   curve that WebCrypto lacks, where Core makes the key of the run's random bytes
 */
export async function newOwnKey(curve) {
  const namedCurve = webCurve(curve);
  if (!namedCurve) return null;
  const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: "ECDH", namedCurve }, false, ["deriveBits"]);
  const agree = async (point) => {
    const other = await crypto.subtle.importKey("raw", point, { name: "ECDH", namedCurve }, false, []);
    return new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: other }, privateKey, bits[curve]));
  };
  return { point: b64u(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey))), agree };
}
