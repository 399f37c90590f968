// What tells keys apart: their commitments, as servers and codes write them, and the short form for people.

import { b64u, fromB64u } from "../shell/core.js";
import { readCode } from "./reading.js";

/** Whether two commitments are the same, each in base64url, base64 or hexadecimal digits. */
export const sameCommitment = (one, other) => Boolean(one && other) && plain(one) === plain(other);

function plain(commitment) {
  if (/^[0-9a-f]{64}$/i.test(commitment)) {
    return b64u(Uint8Array.from(commitment.match(/../g), (digits) => parseInt(digits, 16)));
  }
  return b64u(fromB64u(commitment.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")));
}

/** The fingerprint of the key in a pairing code, as wallets show it: Core makes it, whatever the server says. */
export async function fingerprintText({ code }) {
  return (await readCode(code)).fingerprint ?? "";
}
