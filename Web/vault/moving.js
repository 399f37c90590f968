// Moving items from one compartment to another: sealed there for the other key, looked at, and only then destroyed here. If it is
// cut short, something is in both, and nothing is lost.

import { Problem } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { Transfer } from "./transfers.js";

/**
 * Moves an item, with all that is in it.
 *
 * @param parent the folder in the other vault
 * @param onProgress called with how many items are there
 * @returns its id there
 */
export async function moveItem(from, id, to, parent, onProgress = () => {}) {
  const open = [id, ...below(from, id)].map((one) => from.item(one));
  if (open.some((item) => item.isLocked)) {
    throw new Problem("locked", { detail: t`Something in it has a lock of its own. Open it and take the lock off, and then move it.` });
  }
  if (open.some((item) => item.door)) {
    throw new Problem("conflict", { detail: t`A folder that a PIN opens cannot be moved into another one.` });
  }
  const made = new Map();
  try {
    for (const item of open) {
      const blobs = await Promise.all(item.versions.map((_, number) => from.blob(item, undefined, number)));
      const folder = item.id === id ? parent : made.get(item.parent);
      made.set(item.id, await to.adopt(folder, from.metadata(item.id), blobs, new Transfer(item.name)));
      onProgress(made.size);
    }
    await compare(open, to, made);
  } catch (error) {
    if (made.has(id)) await to.remove(made.get(id)).catch(() => { /* Then it is in both. */ });
    throw error;
  }
  await from.remove(id);
  return made.get(id);
}

/** Refuses a copy that is not whole. */
async function compare(items, to, made) {
  await to.refresh();
  const isThere = (item) => {
    const there = to.item(made.get(item.id));
    return there && there.size === item.size && there.text === item.text && there.versions.length === item.versions.length;
  };
  if (!items.every(isThere)) throw new Problem("vault-broken", { detail: t`Not everything has arrived, so nothing was taken away. Try again.` });
}

/** What is in a folder, each folder before what is in it. */
const below = (vault, id) => vault.children(id).flatMap((item) => [item.id, ...below(vault, item.id)]);
