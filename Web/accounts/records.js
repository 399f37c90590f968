// The sets of keys in this browser: one record for each account that has a device here. A record is stored as a draft
// before the server hears of its keys, so that no answer that gets lost can make keys useless.
//
//   {id, state: "draft" | "ready" | "revoked", username, name, account, role, device, deviceName, rpID, trust, created,
//    slots: [{kind: "passkey", credential, transports, salt, walletKey} | {kind: "passphrase", walletKey}],
//    keys: {signing: {publicKey, wrapped}, encryption, authority?}, passkeys: [{id, transports, user?}], failures, …}

import { b64u } from "../shell/core.js";
import * as store from "./store.js";

const current = "current";

/** Keys of the store `settings` under which pages remember lists of the account begin so: `seen ACCOUNT PATH`. */
const seen = "seen ";

/** And those under which pages remember what a person chose to keep on this device: `chosen ACCOUNT WHAT`. */
const chosen = "chosen ";

/** Where the keys lie that begin with `prefix`, which ends with a space: from the first to before the second. */
const beginningWith = (prefix) => [prefix, prefix.replace(/ $/, "!")];

/** The record of the account that is signed in in this browser; null without one, or when it has no keys here. */
export async function currentRecord() {
  const signedIn = await store.get("settings", current);
  return signedIn ? recordOf(signedIn.account) : null;
}

/** Which account is signed in as far as this browser knows: `{account, username, role}` or null. */
export const signedIn = async () => (await store.get("settings", current)) ?? null;

/**
 * Remembers who is signed in, or with null that nobody is. The same transaction forgets everything about anybody else,
 * even if the page ends at once: nothing stays for the next person.
 *
 * - more: further entries of the store `settings`.
 */
export function setSignedIn(account, more = {}) {
  const all = beginningWith(seen);
  const mine = account && beginningWith(`${seen}${account.id} `);
  const others = account ? [[all[0], mine[0]], [mine[1], all[1]]] : [all];
  const now = account && { account: account.id, username: account.username, role: account.role };
  return store.replace("settings", [...others, [current, `${current} `]], { ...(now && { [current]: now }), ...more });
}

/** What the person who is signed in chose to keep on this device of `what`, or undefined. It outlasts the session. */
export async function choice(what) {
  const now = await signedIn();
  return now ? store.get("settings", `${chosen}${now.account} ${what}`) : undefined;
}

/** Remembers that. */
export async function setChoice(what, value) {
  const now = await signedIn();
  if (now) await store.put("settings", `${chosen}${now.account} ${what}`, value);
}

/** Forgets what anybody chose: the person signs out. */
export const forgetChoices = () => store.replace("settings", [beginningWith(chosen)], {});

/** Remembers what `path` answered about an account, unless it is no longer signed in. */
export const rememberSeen = (account, path, value) => store.putWhile(
  "settings", current, (now) => now?.account === account, `${seen}${account} ${path}`, value);

/** What was last remembered of `path`, or undefined. */
export const rememberedSeen = (account, path) => store.get("settings", `${seen}${account} ${path}`);

/** All records, the newest first. */
export const allRecords = async () => (await store.all("devices"))
  .map(({ value }) => value).sort((a, b) => b.created - a.created);

/** The usable record of an account. */
const recordOf = async (account) => (await allRecords())
  .find((record) => record.state === "ready" && record.account === account) ?? null;

/** Records whose account has this passkey, as far as this browser knows; usable ones first. */
export const recordsWith = async (credential) => (await allRecords())
  .filter((record) => record.passkeys.some(({ id }) => id === credential))
  .sort((a, b) => (b.state === "ready") - (a.state === "ready"));

/** Stores a new record. */
export async function addRecord(record) {
  const whole = {
    id: b64u(crypto.getRandomValues(new Uint8Array(16))),
    state: "draft",
    created: Math.floor(Date.now() / 1000),
    failures: 0,
    passkeys: [],
    ...record,
  };
  await store.put("devices", whole.id, whole);
  store.keep();
  return whole;
}

/** Changes a record safely, even if another tab acts at the same time. A record that was wiped stays wiped. */
export const changeRecord = (id, change) => store.update(
  "devices", id, (old) => old && { ...old, ...(typeof change === "function" ? change(old) : change) });

/** Forgets a record with its keys, for ever. */
export const removeRecord = (id) => store.remove("devices", id);

/** A draft has become a device of the account: what the server knows of it goes in. */
export const adopt = (record, { account, device }, more = {}) => changeRecord(record.id, {
  ...more,
  state: "ready",
  failures: 0,
  isDoubtful: false,
  refusals: 0,
  account: account.id,
  username: account.username,
  name: account.name,
  role: account.role,
  device: device.id,
  deviceName: device.name,
});

/** `"prf"` when only a passkey opens the keys; `"passphrase"` otherwise: as weak as what can be guessed. */
export const kindOf = (record) => (record.slots.every((slot) => slot.kind === "passkey") ? "prf" : "passphrase");

/** The part of a record that pages may see: nothing that is wrapped. */
export function face(record) {
  if (!record) return null;
  const { account, username, name, role, device, deviceName, trust, certificate, keys, passkeys, created } = record;
  return {
    account, username, name, role, device, deviceName, trust, certificate, created,
    kind: kindOf(record),
    slots: record.slots.map(({ kind, credential }) => ({ kind, credential })),
    passkeys: passkeys.map(({ id }) => id),
    publicKeys: Object.fromEntries(Object.entries(keys).map(([key, { publicKey }]) => [key, publicKey])),
  };
}
