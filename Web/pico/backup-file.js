// A backup of accounts: the file of the command line, byte for byte. Core writes and reads it (Core/Sources/Pico/Backup),
// Argon2id makes the key of the recovery phrase, and WebCrypto seals.

import { CoreError, b64u, fromB64u, utf8 } from "../shell/core.js";
import { stretched } from "../vault/stretching.js";
import { callOld } from "./old-curves.js";
import { call } from "./protocol.js";

/** Random bytes of each. */
const counts = { phrase: 24, salt: 16, iv: 12 };
const random = (count) => crypto.getRandomValues(new Uint8Array(count));

/** The largest file, in bytes. */
export const largest = 4 << 20;

/** A new recovery phrase, six groups of four characters. */
export const newPhrase = async () => (await call("backup_phrase", { random: b64u(random(counts.phrase)) })).value.phrase;

/** What counts of a phrase that was typed; null for what is no phrase. */
export const readPhrase = async (typed) => (await call("backup_typed", {}, utf8(typed))).value.password;

/**
 * Seals accounts.
 *
 * @param accounts as a backup has them (docs/pico.md), with their keys
 * @returns the file. Throws Problem "cancelled" when `signal` says so
 */
export async function sealBackup(accounts, phrase, signal) {
  const salt = b64u(random(counts.salt));
  const { value: how } = await call("backup_begin", { salt });
  const { blobs: [plain] } = await call("backup_plain", {}, utf8(JSON.stringify(accounts)));
  try {
    const iv = random(counts.iv);
    const key = await keyOf(phrase, how, signal);
    const box = new Uint8Array(await crypto.subtle.encrypt(sealing(iv, how), key, plain));
    const sealed = new Uint8Array(iv.length + box.length);
    sealed.set(iv);
    sealed.set(box, iv.length);
    return (await call("backup_file", { salt }, sealed)).blobs[0];
  } finally {
    plain.fill(0);
  }
}

/**
 * Opens a file.
 *
 * @returns the accounts, as `backup_contents` of Core gives them. Throws CoreError: "malformed", "unsupported_version" for one of
 *   the original's app, "unacceptable", "cannot_open" for another phrase or a damaged file, "trap" for too little memory
 */
export async function openBackup(file, phrase, signal) {
  const { value: how, blobs: [sealed] } = await call("backup_read", {}, file);
  const key = await keyOf(phrase, how, signal);
  const opened = await crypto.subtle.decrypt(sealing(sealed.subarray(0, counts.iv), how), key, sealed.subarray(counts.iv))
    .catch(() => { throw new CoreError("cannot_open", "The phrase is another one, or the file was changed."); });
  const plain = new Uint8Array(opened);
  try {
    const { value: { accounts } } = await call("backup_contents", {}, plain);
    // Only the other module knows keys on old curves.
    return accounts.every(({ curve }) => curve === "p256") ? accounts : (await callOld("backup_contents", {}, plain)).value.accounts;
  } finally {
    plain.fill(0);
  }
}

const sealing = (iv, { additional }) => ({ name: "AES-GCM", iv, additionalData: fromB64u(additional), tagLength: 128 });

async function keyOf(phrase, { salt, memory, passes, lanes }, signal) {
  const password = utf8(await readPhrase(phrase));
  const bytes = await stretched(password, { salt: fromB64u(salt), memory, passes, lanes }, signal);
  try {
    return await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  } finally {
    bytes.fill(0);
    password.fill(0);
  }
}
