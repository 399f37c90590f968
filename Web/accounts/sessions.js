// Signing in, and what follows from it in this browser.

import { Problem, api } from "../shell/api.js";
import { tell } from "../shell/tabs.js";
import { t } from "../shell/translate.js";
import { forgetEnding } from "./ending.js";
import { Keyring, openWithPasskey, openWithPassphrase } from "./keyring.js";
import * as passkeys from "./passkeys.js";
import { forget, remember } from "./held.js";
import { prompt } from "./prompt.js";
import { forgetKept } from "./kept-caches.js";
import { adopt, allRecords, changeRecord, recordsWith, setSignedIn } from "./records.js";
import { checkRecord, firstContact } from "./trust.js";
import { signInProof } from "./unlock.js";
import { passphraseKeys } from "./wrap.js";

/**
 * Signs in with a passkey. When this browser holds keys that it opens, the session is their device's; one touch for
 * both.
 *
 * - isAutofill: waits until the person chooses a passkey under the text field.
 * - record: only this account's passkeys, if given.
 * - passphrase: for keys that the passkey does not open; without it the person is asked.
 * - Returns: the NewSession.
 */
export async function signInWithPasskey({ isAutofill, signal, record, passphrase } = {}) {
  const options = await api.post("/api/passkeys/sign-in", {}, { signal });
  const credentials = record?.passkeys ?? options.credentials;
  const answer = await passkeys.assert({ ...options, credentials }, { isAutofill, signal });
  const records = await recordsWith(answer.id);
  const known = record ? records.find(({ id }) => id === record.id) : records[0];
  const keyring = known ? await openKeys(known, answer, passphrase) : null;
  const body = { assertion: answer.assertion };
  if (keyring) {
    await checkRecord(known);
    Object.assign(body, { device: deviceName(known), proof: await signInProof(keyring, known, options.challenge) });
    keyring.close();
  } else {
    await firstContact();
  }
  return settle(await asking(() => api.post("/api/sessions/passkey", body, { allow401: true }), known, body));
}

/** Signs in with the passphrase of keys that are in this browser. */
export async function signInWithPassphrase(record, passphrase, { former } = {}) {
  const { slotKey, forServer } = await passphraseKeys(passphrase, record.trust.publicURL, record.username);
  let walletKey = await openWithPassphrase(record, slotKey);
  if (!walletKey && former) walletKey = await changeSlot(record, former, slotKey);
  if (!walletKey) {
    throw new Problem("failed", {
      detail: t`This passphrase does not open the keys in this browser. Check it and try again.`,
    });
  }
  await checkRecord(record);
  const { nonce } = await api.post("/api/sign-in", { username: record.username });
  const keyring = new Keyring(record, walletKey);
  const body = {
    username: record.username, passphrase: forServer, device: deviceName(record),
    proof: await signInProof(keyring, record, nonce),
  };
  keyring.close();
  return settle(await api.post("/api/sessions", body, { allow401: true }));
}

/**
 * The effect of a new session on this browser: who is signed in, and what the server now knows about the keys here.
 *
 * `held`: the sign-in `{id, secret}`, if a wallet has to answer for the session.
 */
export async function settle(session, held) {
  const { account, device } = session;
  if (held) remember(held);
  else forget();
  await forgetEnding();
  for (const record of await allRecords()) {
    if (device && record.keys.signing.publicKey === device.signing_key) await adopt(record, session);
    else if (record.account === account.id && record.state === "ready") {
      await changeRecord(record.id, { name: account.name, username: account.username, role: account.role });
    }
  }
  if (!device) await findDevice(account);
  await setSignedIn(account);
  await forgetKept(account.id);
  tell({ kind: "signed-in", account: account.id });
  return session;
}

/** Where the work of a role is, if not in the wallet. */
const homes = { owner: "/console", administrator: "/console", operator: "/desk" };

/** Where to go after signing in: back to where one was sent from, if that is a page of ours, or home by role. */
export function destination(account) {
  const next = new URLSearchParams(location.search).get("next");
  const home = homes[account.role] ?? "/wallet";
  if (!next?.startsWith("/") || /^\/[/\\]/.test(next)) return home;
  const target = new URL(next, location.origin);
  if (target.origin !== location.origin || target.pathname === "/sign-in") return home;
  // The page's own fragment: a code on its way to where it is needed.
  target.hash = location.hash;
  // Whole, with the origin: a path may itself begin with two slashes ("/.//host"), and alone would name a host.
  return target.href;
}

const doubts = {
  ready: t`The server did not accept this browser's keys; they may have been revoked. Try again: you will be signed
    in without them, and Devices says what happened.`,
  draft: t`The server does not know this browser's keys yet. Try again: with the passkey alone it tells whether it
    worked.`,
};

/** The id; for a draft, whose answer was lost, the key itself. */
const deviceName = (record) => record.device ?? record.keys.signing.publicKey;

async function openKeys(record, answer, passphrase) {
  if (record.state === "revoked" || record.isDoubtful) return null;
  const walletKey = await openWithPasskey(record, answer);
  if (walletKey) return new Keyring(record, walletKey);
  if (!record.slots.some(({ kind }) => kind === "passphrase")) return null;
  const open = async (text) => {
    const { slotKey } = await passphraseKeys(text, record.trust.publicURL, record.username);
    const opened = await openWithPassphrase(record, slotKey);
    if (!opened) throw new Problem("failed", { detail: t`This passphrase does not open the keys in this browser.` });
    return new Keyring(record, opened);
  };
  if (passphrase) return open(passphrase);
  return prompt({
    title: t`Open this browser's keys`,
    reason: t`Your passkey signs you in. The keys in this browser are behind your passphrase; without it you can look,
      but not sign.`,
    methods: ["passphrase"],
    username: record.username,
    attempt: (_, given) => open(given.passphrase),
  }).catch((problem) => {
    if (problem.kind === "cancelled") return null;
    throw problem;
  });
}

/**
 * A device that was revoked elsewhere, or that never came to be, cannot sign in, while the passkey still can: then the
 * next attempt goes without.
 */
async function asking(act, record, body) {
  try {
    return await act();
  } catch (problem) {
    if (problem.kind !== "sign-in-failed" || !body.device) throw problem;
    const { refusals } = await changeRecord(record.id, (old) => ({ refusals: (old.refusals ?? 0) + 1 }));
    // A draft may well be unknown. Others are believed once: a browser repeats a request whose connection broke, and it
    // is the repetition that is refused then.
    if (refusals === 1 && record.state === "ready") throw problem;
    await changeRecord(record.id, { isDoubtful: true });
    throw new Problem("failed", { detail: doubts[record.state], cause: problem });
  }
}

/**
 * Signed in without device: what does the server say of the keys that are here? One may be a device whose answer was
 * lost; one may have been revoked.
 */
async function findDevice(account) {
  const records = (await allRecords()).filter((record) => record.username === account.username);
  if (records.length === 0) return;
  const { items } = await api.get("/api/devices");
  for (const record of records) {
    const device = items.find(({ signing_key }) => signing_key === record.keys.signing.publicKey);
    if (device?.revoked) await changeRecord(record.id, { state: "revoked" });
    else if (device) await adopt(record, { account, device });
  }
}

/**
 * The passphrase was changed in another browser: the former one opens the slot here, and the new one takes its place.
 */
async function changeSlot(record, former, slotKey) {
  const old = await passphraseKeys(former, record.trust.publicURL, record.username);
  const walletKey = await openWithPassphrase(record, old.slotKey, true);
  if (!walletKey) return null;
  const keyring = new Keyring(record, walletKey);
  const slot = await keyring.addPassphrase(slotKey);
  await changeRecord(record.id, ({ slots }) => ({
    slots: [...slots.filter(({ kind }) => kind !== "passphrase"), slot],
  }));
  return walletKey;
}
