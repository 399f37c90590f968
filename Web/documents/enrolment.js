// The member's side of the face-to-face check (docs/accounts.md): commitment, code, signed answer, six digits.
// Everything that the wallet must not forget is in IndexedDB, so that a reload, another tab or a lost answer does no
// harm.

import { thumbprint } from "../accounts/jose.js";
import { use } from "../accounts/keys.js";
import { now } from "../accounts/mine.js";
import { get, put, update, delete as remove } from "../accounts/store.js";
import { api, Problem } from "../shell/api.js";
import { b64u, call, fromB64u, sha256 } from "../shell/core.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";

const statementType = "countersign-enrolment+jwt";
const path = (id, act) => `/api/enrolments/${encodeURIComponent(id)}${act ? `/${act}` : ""}`;
const place = (owner) => `enrolment ${owner.account}`;

/** The check that this browser has begun: `{id, nonce, commitment, expires, administratorNonce?}`, or undefined. */
export const pending = async (owner) => get("settings", place(owner));

/** Forgets it. */
export const forget = (owner) => remove("settings", place(owner));

/** Opens a check; earlier unfinished ones end. After a lost answer it may simply be done again. */
export async function begin(owner) {
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  const commitment = await sha256(nonce);
  const enrolment = await api.post("/api/enrolments", { commitment });
  const begun = { id: enrolment.id, nonce: b64u(nonce), commitment, expires: enrolment.expires };
  await put("settings", place(owner), begun);
  return begun;
}

/** The code: `{text, link}`; the link is what a camera opens. */
export async function codeOf(begun, owner) {
  const { value } = await call("enrolment_code", {
    server: owner.trust.publicURL,
    enrolment: begun.id,
    key: await thumbprint(fromB64u(owner.publicKeys.signing)),
    encryption_key: await thumbprint(fromB64u(owner.publicKeys.encryption)),
    commitment: begun.commitment,
  });
  return value;
}

/** The check as the server has it; one that is not the one that was begun here is refused. */
export async function look(begun, owner) {
  const enrolment = await api.get(path(begun.id));
  const isOurs = enrolment.id === begun.id && enrolment.commitment === begun.commitment
    && enrolment.device.signing_key === owner.publicKeys.signing
    && enrolment.device.encryption_key === owner.publicKeys.encryption;
  if (!isOurs) {
    throw new Problem("trust", {
      detail: t`The server shows another check than the one that you began. Do not go on.`,
    });
  }
  return enrolment;
}

/** Signs the administrator's nonce and opens the commitment. */
export async function answer(begun, enrolment, owner) {
  const administratorNonce = enrolment.administrator_nonce;
  if (fromB64u(administratorNonce ?? "").length !== 32) {
    throw new Problem("trust", { detail: t`The server shows no proper number of the administrator. Start again.` });
  }
  const reason = t`Take part in the face-to-face check by ${enrolment.administrator.name}`;
  const statement = await use(reason, (k) => k.jws(statementType, {
    aud: owner.trust.publicURL,
    enrolment: begun.id,
    administrator_nonce: administratorNonce,
    holder_nonce: begun.nonce,
    iat: now(),
  }));
  // The digits are those of the signed answer, even if the server shows another later. So the answer is noted before it
  // is sent.
  await update("settings", place(owner), (old) => old?.id === begun.id ? { ...old, administratorNonce } : old);
  await once(
    t`your answer was sent`, () => api.post(path(begun.id, "answer"), { nonce: begun.nonce, statement }),
    async () => {
      const found = await look(begun, owner);
      return found.state === "answered" || found.state === "completed" ? found : undefined;
    });
}

/** The six digits, of what this device has signed. */
export async function digitsOf(begun, owner) {
  const { value } = await call("digits", {
    holder_key: await thumbprint(fromB64u(owner.publicKeys.signing)),
    encryption_key: await thumbprint(fromB64u(owner.publicKeys.encryption)),
    holder_nonce: begun.nonce,
    administrator_nonce: begun.administratorNonce,
  });
  return value.digits;
}

/**
 * Gives the check up.
 *
 * @returns the check as it ended, perhaps earlier and by another person; undefined if the server no longer knows it
 */
export async function abandon(begun, owner) {
  let end;
  try {
    end = await api.post(path(begun.id, "abandon"));
  } catch (problem) {
    if (!["conflict", "gone", "not-found"].includes(problem.kind)) throw problem;
    if (problem.kind !== "not-found") end = await api.get(path(begun.id));
  }
  await forget(owner);
  return end;
}
