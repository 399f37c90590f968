// One user verification: seen by the authenticator or proved by the passphrase, told to the server when it can be
// reached, and counted. Two failures in a row end the session, with the server and without it.

import { Problem, api } from "../shell/api.js";
import { plural, t } from "../shell/translate.js";
import { end } from "./ending.js";
import * as passkeys from "./passkeys.js";
import { openWithPasskey, openWithPassphrase, Keyring } from "./keyring.js";
import { passphraseKeys } from "./wrap.js";
import { changeRecord } from "./records.js";

const allowed = 2;

/** How long things live at the server, in seconds: a confirmation, and the challenge of a sign-in. */
const lasts = { confirmation: 300, signIn: 300 };

/** Seconds since 1970. */
export const now = () => Math.floor(Date.now() / 1000);

/** The ways that open this record's keys here, the stronger one first. */
export function methodsOf(record) {
  const has = (wanted) => record.slots.some(({ kind }) => kind === wanted);
  return [
    ...(has("passkey") && passkeys.isSupported() ? ["passkey"] : []),
    ...(has("passphrase") ? ["passphrase"] : []),
  ];
}

/**
 * Verifies the person and opens the keys of `record`. With `extractable`, another slot can be added.
 *
 * - Returns: `{keyring, confirmedUntil}`; `confirmedUntil` is null without a network.
 * - Throws: Problem "failed" (may be tried again), "ended" (may not), or what the server said.
 */
export async function unlock(record, method, { passphrase, signal, extractable = false }) {
  const opened = method === "passkey"
    ? await withPasskey(record, signal, extractable) : await withPassphrase(record, passphrase, extractable);
  await changeRecord(record.id, { failures: 0 });
  return { keyring: new Keyring(record, opened.walletKey), confirmedUntil: opened.confirmedUntil };
}

/**
 * Verifies the person with a passkey for the server: no keys are opened.
 *
 * - input: what the passkey's secret is asked for, if not for the wallet's keys.
 * - Returns: `{confirmedUntil, id, user, secret}`, of the passkey that answered.
 */
export async function confirmWithPasskey(options, signal, input) {
  const { assertion, id, secret } = await passkeys.assert(options, { signal, input })
    .catch(async (problem) => { throw await reported(options.challenge, problem); });
  const confirmedUntil = await tellServer({ assertion }, options.confirmed_until ?? 0);
  return { confirmedUntil, id, user: assertion.user_handle, secret };
}

/**
 * Asks for a passkey's secret for `input`, with the server, or without a network alone: then failures count here.
 *
 * - record: of this browser, null when it has no keys of the account.
 * - Returns: `{id, secret}`.
 */
export async function secretOfPasskey(record, signal, input) {
  const options = await orOffline(ceremony, null);
  if (options) return confirmWithPasskey(options, signal, input);
  const known = record?.passkeys.map(({ id, transports }) => ({ id, transports })) ?? [];
  if (record) await countAttempt(record);
  const answer = await passkeys.assert(passkeys.localOptions(record?.rpID ?? location.hostname, known), { signal, input })
    .catch(async (problem) => { throw record ? await failed(record, problem) : problem; });
  if (record) await changeRecord(record.id, { failures: 0 });
  return answer;
}

/** Options for a ceremony of this session, from the server. */
export const ceremony = () => api.post("/api/account/ceremonies", {});

async function withPasskey(record, signal, extractable) {
  const own = record.slots.filter(({ kind }) => kind === "passkey")
    .map(({ credential, transports }) => ({ id: credential, transports }));
  const options = await orOffline(ceremony, null);
  const known = new Set(options?.credentials.map(({ id }) => id));
  const credentials = options ? own.filter(({ id }) => known.has(id)) : own;
  if (credentials.length === 0) {
    throw new Problem("no-keys", {
      detail: t`The passkeys that open this browser's keys were removed from the account. Add this browser again.`,
    });
  }
  const asked = options ? { ...options, credentials } : passkeys.localOptions(record.rpID, credentials);
  await countAttempt(record);
  const answer = await passkeys.assert(asked, { signal })
    .catch(async (problem) => { throw await failed(record, problem, options?.challenge); });
  const confirmedUntil = options
    ? await confirmed(record, { assertion: answer.assertion }, options.confirmed_until ?? 0) : null;
  const walletKey = await openWithPasskey(record, answer, extractable);
  if (walletKey) return { walletKey, confirmedUntil };
  throw new Problem("unsupported", {
    detail: answer.secret
      ? t`This passkey gave another secret than the one that the keys were locked with. They are unharmed: try another
        passkey, or update this device.`
      : t`This passkey cannot open the keys here: the device gave no secret with it. Use another passkey.`,
  });
}

async function withPassphrase(record, passphrase, extractable) {
  const { slotKey, forServer } = await passphraseKeys(passphrase, record.trust.publicURL, record.username);
  await countAttempt(record);
  const walletKey = await openWithPassphrase(record, slotKey, extractable);
  if (!walletKey) throw await wrongPassphrase(record, forServer);
  const challenge = await orOffline(() => api.post("/api/sign-in", { username: record.username }), null);
  if (!challenge) return { walletKey, confirmedUntil: null };
  const proof = await signInProof(new Keyring(record, walletKey), record, challenge.nonce);
  // Such a challenge does not say when the last confirmation was: at the latest in the challenge's own second.
  const before = challenge.expires - lasts.signIn + lasts.confirmation;
  return { walletKey, confirmedUntil: await confirmed(record, { passphrase: forServer, proof }, before) };
}

/** The keys stay locked, so nothing can be proved; the server refuses it, and that is how it counts it. */
async function wrongPassphrase(record, forServer) {
  const problem = await confirmed(record, { passphrase: forServer, proof: "none" }).catch((refusal) => refusal);
  if (problem?.kind === "ended") return problem;
  const wrong = new Problem("failed", { detail: t`That is not the passphrase. One attempt is left.` });
  return problem ? wrong : failed(record, wrong);
}

/**
 * Tells the server; null when it cannot be reached any more. An answer that it does not accept counts here as it does
 * there.
 */
async function confirmed(record, body, before) {
  try {
    return await orOffline(() => tellServer(body, before), null);
  } catch (problem) {
    throw problem.kind === "failed" ? await failed(record, problem) : problem;
  }
}

/** The statement by which a device answers a challenge: at sign-in, and at a confirmation by passphrase. */
export const signInProof = (keyring, record, nonce) => keyring.jws("countersign-sign-in+jwt", {
  aud: record.trust.publicURL, username: record.username, nonce, iat: now(),
});

/** Tells the server that the person was there. `before` is until when the session was confirmed before that. */
async function tellServer(body, before = Infinity) {
  try {
    return (await api.post("/api/account/confirmations", body, { allow401: true })).confirmed_until;
  } catch (problem) {
    if (problem.kind === "unauthenticated") throw await end();
    if (problem.kind !== "confirmation-failed") throw problem;
    // A browser repeats a request whose connection broke; then it is the repetition that is refused.
    const current = await api.get("/api/sessions/current", { allow401: true }).catch(() => null);
    if (current?.confirmed_until > before) return current.confirmed_until;
    throw new Problem("failed", { detail: t`The server did not accept this. One attempt is left.`, cause: problem });
  }
}

/** Counted before it is made, so that an attempt whose page was closed counts too. */
async function countAttempt(record) {
  const { failures } = await changeRecord(record.id, (old) => ({ failures: old.failures + 1 })) ?? {};
  if (failures === undefined) throw new Problem("no-keys", { detail: t`The keys were removed from this browser. Add it again from a device that you have.` });
  if (failures > allowed) throw await end();
}

async function failed(record, problem, challenge) {
  // Without any passkey nothing was attempted, and a browser's missing feature does not count as a failure.
  if (problem.kind === "unsupported") {
    await changeRecord(record.id, (old) => ({ failures: Math.max(0, old.failures - 1) }));
    return problem;
  }
  const after = challenge ? await reported(challenge, problem) : problem;
  if (after.kind === "ended") return after;
  const { failures = allowed } = await changeRecord(record.id, {}) ?? {};
  return failures >= allowed ? end() : after;
}

/** Tells the server of a ceremony that came to nothing. It counts; at none left it has ended the session. */
async function reported(challenge, problem) {
  try {
    const { remaining } = await api.post("/api/account/ceremony-failures", { challenge }, { allow401: true });
    if (remaining === 0) return end();
    const left = plural(remaining, "One attempt is left.", "{0} attempts are left.");
    const counted = new Problem(problem.kind, { detail: `${problem.detail} ${left}`, cause: problem });
    return Object.assign(counted, { remaining });
  } catch (error) {
    return error.kind === "unauthenticated" ? end() : problem;
  }
}

/** The answer of `act`, or `otherwise` when the server cannot be reached: the keys work without it. */
async function orOffline(act, otherwise) {
  try {
    return await act();
  } catch (problem) {
    if (problem.kind === "offline") return otherwise;
    throw problem;
  }
}
