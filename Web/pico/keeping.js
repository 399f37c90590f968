// What this browser keeps of the services that it signs in to: a key for each pairing, beside the device's keys and
// wrapped like them (accounts/wrap.js), and what the service gave it to bring back.

import { ofPico } from "../accounts/key-names.js";
import { changeServiceKey, makeServiceKey, serviceKeys } from "../accounts/keys.js";
import { Problem } from "../shell/api.js";
import { now } from "../shell/clock.js";
import { b64u, fromB64u, sha256 } from "../shell/core.js";
import { byteLength } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { isOurs, newNumber, signedWith } from "./old-curves.js";

/** What comes before a point of P-256 in a SubjectPublicKeyInfo. */
const beforePoint = [
  0x30, 0x59, 0x30, 0x13, 6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7, 3, 0x42, 0,
];

/** So many a browser keeps, and a backup has. */
export const mostKept = 100;

/**
 * The pairings of this browser, the newest first: `{name, publicKey, curve, isOld, service, title, host, account, secret, made}`.
 * One that is on another curve than P-256 is with a service that was marked as old.
 */
export const kept = async () => (await serviceKeys(ofPico)).filter(({ isPaired }) => isPaired).sort((a, b) => b.made - a.made)
  .map(({ curve = "p256", ...one }) => ({ ...one, curve, isOld: curve !== "p256" }));

/** Those with the service of a commitment, base64url. A person may be several users of one service. */
export const keptFor = async (service) => (await kept()).filter((one) => one.service === service);

/** The commitment of a key on P-256: what this server lists it by, base64url. It knows none on another curve: null. */
export async function commitmentOf({ publicKey, curve }) {
  if (curve !== "p256") return null;
  const spki = new Uint8Array([...beforePoint, ...fromB64u(publicKey)]);
  return sha256(spki);
}

/**
 * Makes a key to pair with the service of a code.
 *
 * @param k what `use` handed out; @param read what Core read of the code, with the curve on which all keys of the pairing are
 * @returns `{name, publicKey, curve}`
 */
export async function makeKey(k, { commitment, name: title, host, curve }) {
  for (const one of await serviceKeys(ofPico)) if (!one.isPaired && one.made + unfinished < now()) await forget(one.name);
  if ((await kept()).length >= mostKept) {
    throw new Problem("full", { detail: t`A browser keeps ${mostKept} accounts at most. Forget some first.` });
  }
  const name = ofPico + b64u(crypto.getRandomValues(new Uint8Array(16)));
  const about = { service: commitment, title, host, curve, made: now(), isPaired: false };
  const number = isOurs(curve) ? await newNumber(curve) : null;
  try {
    return { name, curve, publicKey: await makeServiceKey(k, name, about, number) };
  } finally {
    number?.number.fill(0);
  }
}

/**
 * What signs with the key of a pairing: bytes to r and s.
 *
 * @param k what `use` handed out
 */
export const signer = (k, { name, curve }) => (bytes) => (isOurs(curve)
  ? k.lend(name, async (number) => fromB64u(await signedWith(curve, number, bytes))) : k.signFor(name, bytes));

/** After so many seconds a pairing that never came to an end is none. */
const unfinished = 3600;

/**
 * The service has taken the key. `account` is what it calls the person, `secret` what it wants to see again, and `isOwn`
 * says that it is this very server.
 */
export const markPaired = (name, { account, secret, isOwn = false }) => changeServiceKey(name, { isPaired: true, account, secret, isOwn });

/** Whether a name can be shown, and kept in a backup: at most 256 bytes, without anything that hides or reorders other text. */
export const isName = (text) => Boolean(text) && byteLength(text) <= 256 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

/** The person's own name for an account. */
export const rename = (name, account) => changeServiceKey(name, { account });

/** Forgets a key for ever. */
export const forget = (name) => changeServiceKey(name, null);
