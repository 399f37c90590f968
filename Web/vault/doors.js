// Doors: folders that stand for a compartment of their own, which another PIN opens too (docs/vault.md, "PINs for less"). The way
// through them is that through shared folders (shared-folders.js).

import { api, Problem } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { fromHex, hex } from "./bytes.js";
import { compartmentOf } from "./compartment.js";
import { madeCompartment, openedVault } from "./moving.js";
import { ownView, writePIN } from "./pin.js";
import { leave } from "./shared-folders.js";
import { root } from "./vault-state.js";

/** What is behind a door, opened. */
const openDoor = (vault, key) => openedVault(key, vault.limits, { isInner: false });

/**
 * Makes a folder that another PIN opens too.
 *
 * @param about `{name, purpose, pin}`
 * @returns `{item, inner}`: its id in the vault, and what is behind it; `{problem}` in words, when the PIN is in use
 */
export async function makeDoor(vault, stored, { name, purpose, pin }) {
  const compartment = await madeCompartment(api);
  // First the key is kept, and then a PIN opens it: what fails in between leaves an empty folder.
  const item = await vault.addDoor(root, name, compartment.key);
  try {
    const inner = await openDoor(vault, compartment.key);
    const written = await setDoorPIN(vault, stored, pin, { purpose, item, inner });
    if (!written.problem) return { item, inner };
    await removeDoor(vault, vault.item(item));
    return written;
  } catch (error) {
    await removeDoor(vault, vault.item(item)).catch(() => { /* It stays as an empty folder. */ });
    throw error;
  }
}

/** Sets the PIN of what is behind a door. As `writePIN`; `replaces` too. */
export async function setDoorPIN(vault, stored, pin, { purpose, item, inner = null, replaces }) {
  const room = inner ?? await openDoor(vault, fromB64u(vault.item(item).door));
  const written = await writePIN(vault, stored, pin, { purpose, key: room.compartment.key, node: b64u(fromHex(item)), replaces });
  if (!written.problem) await room.changePINSlots(() => ownView(written.slot, written.reset));
  return written;
}

/** The ids of what is behind a door; none where a removal was cut off in the middle, and only the folder is left. */
export const behind = (vault, item) => openDoor(vault, fromB64u(item.door)).then(({ state }) => [...state.nodes.keys()], (problem) => {
  if (problem.kind !== "not-found") throw problem;
  return [];
});

/** Destroys a door and everything behind it. Its PIN is to be taken out before. */
export async function removeDoor(vault, item) {
  if (vault.pinSlots().some(({ node }) => node === b64u(fromHex(item.id)))) {
    throw new Problem("conflict", { detail: t`A PIN opens this folder. Remove the PIN first, under “Ways to open it”.` });
  }
  const { id } = await compartmentOf(fromB64u(item.door));
  await api.delete(`/api/vault/compartments/${hex(id)}`, { reason: t`Destroy a folder with everything in it` }).catch((problem) => { if (problem.kind !== "not-found") throw problem; });
  leave(item.id);
  await vault.remove(item.id);
}

/** The item of the vault that a PIN slot names; undefined if it is gone. */
export const itemOf = (vault, { node }) => (node ? vault.item(hex(fromB64u(node))) : undefined);
