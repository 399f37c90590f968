// The two certificates that the root gives: the main administrator's, which they renew themselves (renewal.js), and the
// status signer's. What happens when one ends: docs/keys.md, "Certificates that end".

import { api } from "../shell/api.js";
import { b64u, call, fromB64u, text } from "../shell/core.js";
import { now } from "./certified.js";

/** From when on an end is said, in seconds before it. */
const warning = 60 * 86_400;

/** Whether something that ends at `ends` is to be renewed now. */
export const isEnding = (ends) => ends - now() < warning;

/**
 * The main administrator's certificate.
 *
 * @returns `{certificate, ends, isHere}`: DER in base64url, seconds since 1970 (0 when it has ended), and whether the key
 *   is in this browser
 */
export async function ownCertificate({ record }) {
  const { items: [certificate] } = await api.get("/api/authority");
  const path = await valid("authority", { root: record.trust.root, certificate });
  return { certificate, ends: path?.not_after ?? 0, isHere: path?.public_key === record.publicKeys.authority };
}

/** When the certificate of the status signer ends, as its newest token brings it; null when there is no token yet. */
export async function signerEnds({ record }) {
  const token = await api.text("/status/1").catch((error) => {
    if (error.kind !== "not-found") throw error;
  });
  if (!token) return null;
  const { x5c } = JSON.parse(text(fromB64u(token.split(".")[0])));
  const chain = x5c.map((der) => b64u(Uint8Array.from(atob(der), (character) => character.charCodeAt(0))));
  return (await valid("chain", { root: record.trust.root, chain, purpose: "status" }))?.not_after ?? 0;
}

/** The core's answer about it, or null when it has ended; any other fault is thrown. */
export async function valid(name, parameters) {
  try {
    return (await call(name, { ...parameters, time: now() })).value;
  } catch (error) {
    if (error.code === "certificate_expired") return null;
    throw error;
  }
}
