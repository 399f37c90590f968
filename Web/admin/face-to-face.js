// The administrator's side of a face-to-face check: WalletClient+FaceToFace.swift, in the page.
//
// The holder's code carries the thumbprints of their keys and a commitment past the server. Nothing that the server
// says about keys is believed unless it agrees with the code. Where eight characters were typed, the server gives the
// code too. Then only the digits show an exchanged key: they depend on both keys and on a number that the server does
// not know yet.

import { api } from "../shell/api.js";
import { b64u, call } from "../shell/core.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { issuedAs } from "./issued.js";

/** The code, or what the server and the phone say, is not what it should be. */
export class BadCheck extends Error {}

/**
 * Reads a code as text or as link.
 *
 * @returns `{text, server, enrolment, key, encryption_key, commitment}`
 */
export async function readCode(text, trust) {
  let code;
  try {
    code = (await call("read_enrolment_code", { text: text.trim() })).value;
  } catch (error) {
    throw new BadCheck(t`This is not the code of a check. Copy it whole, from “countersign-enrol” or “http” to its
      last letter.`, { cause: error });
  }
  if (code.server !== trust.publicURL) throw new BadCheck(t`This code is for another server, ${code.server}.`);
  return { ...code, text: text.trim() };
}

/** The code of the check that eight characters find, once: what the phone shows as text. */
export async function codeOfCharacters(typed) {
  try {
    return (await api.post("/api/typed-codes", { code: typed.trim() })).text;
  } catch (error) {
    if (error.kind === "wrong-code") {
      throw new BadCheck(t`These characters find no check. They work once, for five minutes. Compare them, or ask for new ones.`, { cause: error });
    }
    if (error.kind === "invalid-member") {
      throw new BadCheck(t`Type the eight letters and digits that the phone shows.`, { cause: error });
    }
    throw error;
  }
}

/** The check as the server has it, if it shows the keys that the code shows. */
export async function find(code) {
  const enrolment = await api.get(path(code));
  await compare(enrolment, code);
  return enrolment;
}

/** The administrator's number in a check: 32 random bytes, base64url. */
export function newNonce() {
  return b64u(crypto.getRandomValues(new Uint8Array(32)));
}

/** Takes the code: from now on this administrator and no other carries out the check. The same nonce may try again. */
export async function claim(code, nonce, me) {
  const enrolment = await once(
    t`the check was begun`, () => api.post(`${path(code)}/claim`, { nonce }),
    async () => {
      const now = await api.get(path(code));
      return now.administrator?.id === me.account.id && now.administrator_nonce === nonce ? now : undefined;
    });
  await compare(enrolment, code);
  return enrolment;
}

/**
 * Checks the phone's answer: commitment, signature, and that it is about this very check.
 *
 * @returns `{digits, statementDigest}`
 */
export async function checkAnswer(code, enrolment, nonce, trust) {
  await compare(enrolment, code);
  try {
    const { value } = await call("check_answer", { code: code.text, enrolment, nonce, server: trust.publicURL });
    return { digits: value.digits, statementDigest: value.statement_digest };
  } catch (error) {
    throw new BadCheck(t`The answer that arrived is not by the phone whose code you took.`, { cause: error });
  }
}

/**
 * Gives a check up.
 *
 * @returns the check as it ended, perhaps earlier and by another person; undefined if the server no longer knows it
 */
export async function abandon(code) {
  try {
    return await api.post(`${path(code)}/abandon`);
  } catch (error) {
    if (error.kind === "not-found") return undefined;
    if (!["conflict", "gone"].includes(error.kind)) throw error;
    return api.get(path(code));
  }
}

/** Completes the check with the signed identity credential; `name` is the paper's, in its parts. */
export function complete(code, { paper, name }, signed) {
  return once(
    t`the check was completed`, () => api.post(`${path(code)}/complete`, { paper, name, issuance: signed.issuance }),
    async () => {
      const { state, holder } = await api.get(path(code));
      return state === "completed" ? issuedAs(signed.digest, holder) : undefined;
    });
}

async function compare(enrolment, code) {
  const [signing, encryption] = await Promise.all(
    [enrolment.device.signing_key, enrolment.device.encryption_key].map(async (key) => (await call("thumbprint", { key })).value.thumbprint));
  const isSame = enrolment.id === code.enrolment && enrolment.commitment === code.commitment
    && signing === code.key && encryption === code.encryption_key;
  if (!isSame) throw new BadCheck(t`The server shows other keys than the phone's code.`);
}

function path(code) {
  return `/api/enrolments/${encodeURIComponent(code.enrolment)}`;
}
