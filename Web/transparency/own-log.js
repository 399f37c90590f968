// Everything that the log holds about the account, checked here. The checks are every receipt, the signature of the
// newest checkpoint, and that the log still begins as it did when this browser last looked
// (Sources/Wallet/Flows/WalletClient+Log.swift).

import { get, put } from "../accounts/store.js";
import { api } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { BadLog, checkpointOf, hex, keptCheckpoint, readCheckpoint } from "./checkpoint.js";
import { verifyReceipt } from "./receipts.js";
import { Tree } from "./tree.js";

const place = (owner) => `checkpoint ${owner.account}`;

/**
 * Checks the receipts of entries, one after the other.
 *
 * @param each is called as each is done, with the entry and its receipt, or with the error
 * @returns `{checkpoints, errors}`: the checkpoints that the receipts were made for, each once, and what went wrong
 */
export async function checkReceipts(entries, owner, each) {
  const checkpoints = new Map();
  const errors = [];
  for (const entry of entries) {
    try {
      const receipt = await verifyReceipt(owner.trust, entry.receipt, entry.type);
      if (receipt.index !== entry.index || receipt.time !== entry.time) {
        throw new BadLog(t`The receipt is for another entry than the one that is listed.`);
      }
      const checkpoint = checkpointOf(entry.receipt.proof);
      checkpoints.set(`${checkpoint.size} ${hex(checkpoint.root)}`, checkpoint);
      each(entry, receipt, null);
    } catch (error) {
      errors.push(error);
      each(entry, null, error);
    }
    // Lets the page draw between two of them.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { checkpoints: [...checkpoints.values()], errors };
}

/**
 * Fetches the newest checkpoint, checks it, and that the log goes on where it was: at the last look, and in each
 * receipt.
 *
 * @returns `{checkpoint, note, previous}`; `previous` is the size at the last look, 0 at the first
 */
export async function checkTree(checkpoints, owner) {
  const note = await api.text("/log/checkpoint");
  const checkpoint = await readCheckpoint(note, owner.trust.logKey);
  const tree = new Tree(checkpoint);
  const seen = await get("settings", place(owner));
  // It was checked when it was kept, by the policy of then.
  const old = seen ? keptCheckpoint(seen.note) : null;
  if (old) await tree.extends(old);
  for (const earlier of checkpoints) await tree.extends(earlier);
  await put("settings", place(owner), { note });
  return { checkpoint, note, previous: old?.size ?? 0 };
}

/** The checkpoint that this browser saw last: `{checkpoint, note}`, or null. */
export async function lastSeen(owner) {
  const seen = await get("settings", place(owner));
  return seen ? { checkpoint: keptCheckpoint(seen.note), note: seen.note } : null;
}
