// Fingerprints: what two people read to each other, in groups of four.

import { fromB64u, sha256 } from "../shell/core.js";
import { group, make } from "../shell/dom.js";

/** Bytes in base64url as lower-case hexadecimal in groups of four. */
export function hexOf(text) {
  return group([...fromB64u(text)].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
}

/** The first 16 bytes of SHA-256 over an authority key: what the wallets on the command line show, too. */
export async function authorityFingerprint(authorityKey) {
  const hex = (await sha256(fromB64u(authorityKey)).then(hexOf)).replaceAll(" ", "");
  return group(hex.slice(0, 32));
}

/**
 * Shows a fingerprint in groups; a screen reader spells it out group by group.
 */
export function fingerprintElement(grouped) {
  const spelt = grouped.split(" ").map((part) => [...part].join(" ")).join(", ");
  return make("p", {}, make("span", { class: "fingerprint", "aria-hidden": "true" }, grouped),
    make("span", { class: "visually-hidden" }, spelt));
}

/** The beginning of a key's thumbprint: enough to recognise a key by. */
export function keyLine(thumbprint) {
  return make("span", { class: "fingerprint long" }, hexOf(thumbprint).slice(0, 39));
}
