// Sealed copies of documents on this device, so that they open without a network. A copy is as the server has it: only
// the device's key opens it.

import { api } from "../shell/api.js";
import { device } from "../accounts/keys.js";
import { all, get, put, delete as remove } from "../accounts/store.js";

/** How much is fetched before anybody asks for it, in bytes, of one document and altogether. */
const largest = 4_000_000;
const room = 40_000_000;

/** A document's sealed package: from here when it is here (it never changes), else from the server. */
export async function sealedPackage(info) {
  const copy = await get("documents", info.id);
  if (copy?.sealed) return copy.sealed;
  const sealed = await api.text(`/api/documents/${encodeURIComponent(info.id)}/content`);
  await keep(info, sealed);
  return sealed;
}

/** Whether there is a copy here. */
export const isKept = async (id) => Boolean((await get("documents", id))?.sealed);

/** Removes a copy. */
export const discard = (id) => remove("documents", id);

/**
 * Brings the copies in line with the server's list: documents gone there go here, and small ones that are missing are
 * fetched, newest first.
 */
export async function keepAll(items) {
  const owner = await device();
  if (!owner) return;
  const listed = new Set(items.map((info) => info.id));
  let used = 0;
  for (const { key, value } of await all("documents")) {
    if (value.account === owner.account && !listed.has(key)) await remove("documents", key);
    else used += value.sealed.length;
  }
  if (navigator.connection?.saveData) return;
  for (const info of items) {
    if (info.device !== owner.device || info.size > largest || used + info.size > room) continue;
    if (await isKept(info.id)) continue;
    await sealedPackage(info);
    used += info.size;
  }
}

async function keep(info, sealed) {
  const owner = await device();
  if (!owner || info.device !== owner.device) return;
  try {
    await put("documents", info.id, { account: owner.account, device: info.device, sealed });
  } catch (error) {
    // No room on this device: it still opens, with a network.
    console.info("not kept on this device:", error.message);
  }
}
