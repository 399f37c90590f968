// Doors: folders that stand for a compartment of their own, which another PIN opens too (docs/vault.md, "PINs for less"). What is
// in one is read when somebody goes there, so that a vault with doors asks the server for the same as one without.

import { api, Problem } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { fromHex, hex, random } from "./bytes.js";
import { compartmentOf } from "./compartment.js";
import { ownView, writePIN } from "./pin.js";
import { Vault } from "./vault-items.js";
import { root, VaultState } from "./vault-state.js";

/** The way from the vault that was opened, through doors, to where the person is. */
export class Trail {
  #rooms;
  #known = new Map();

  constructor(vault) {
    this.#rooms = [{ vault, door: null }];
    this.#linked(vault, null);
  }

  /** The vault that was opened. */
  get main() { return this.#rooms[0].vault; }

  /** Where the person is. */
  get here() { return this.#rooms.at(-1).vault; }

  /** Every vault that has been opened on the way, for what is to happen to all of them. */
  get all() { return [this.main, ...this.#known.values()]; }

  /** Goes to where an item is: "" is the top of all. Returns the folder to look at, if the item is one. */
  async go(id) {
    if (id === "") this.#rooms.length = 1;
    // The top of a room has the same name in each.
    if (id === "" || id === root) return root;
    while (this.#rooms.length > 1 && !this.here.item(id)) this.#rooms.pop();
    const item = this.here.item(id);
    if (!item?.door) return id;
    this.#rooms.push({ vault: await this.#behind(this.here, item), door: item });
    return root;
  }

  /** Back to the vault that was opened, and to its top. */
  leave() {
    this.#rooms.length = 1;
    return root;
  }

  /** The folders from the top of all down to this one: `[{name, href}]`. */
  path(folder) {
    const below = this.here.path(folder).map((one) => ({ name: one.name, href: `#folder=${one.id}` }));
    const doors = this.#rooms.slice(1).flatMap(({ door }, index) => [
      ...this.#rooms[index].vault.path(door.parent).map((one) => ({ name: one.name, href: `#folder=${one.id}` })),
      { name: door.name, href: `#folder=${door.id}` },
    ]);
    return [...doors, ...below];
  }

  async #behind(vault, item) {
    if (!this.#known.has(item.id)) {
      const inner = await openDoor(vault, item);
      this.#linked(inner, vault);
      this.#known.set(item.id, inner);
    }
    return this.#known.get(item.id);
  }

  /** Says where else an item of a vault can go: through its doors, and out of the one that leads to it. */
  #linked(vault, outer) {
    vault.elsewhere = () => [
      ...(outer ? [{ id: "out", path: t`Out of here, into the vault`, open: async () => outer }] : []),
      ...vault.doors().map((item) => ({ id: item.id, path: item.name, open: () => this.#behind(vault, item) })),
    ];
  }
}

/** What is behind a door, opened. */
async function openDoor(vault, { door }) {
  return new Vault(await VaultState.open(await compartmentOf(fromB64u(door))), vault.limits);
}

/**
 * Makes a folder that another PIN opens too.
 *
 * @param about `{name, purpose, pin}`
 * @returns `{item, inner}`: its id in the vault, and what is behind it; `{problem}` in words, when the PIN is in use
 */
export async function makeDoor(vault, stored, { name, purpose, pin }) {
  const compartment = await compartmentOf(random(32));
  await api.post("/api/vault/compartments", await VaultState.made(compartment));
  // First the key is kept, and then a PIN opens it: what fails in between leaves an empty folder.
  const item = await vault.addDoor(root, name, compartment.key);
  try {
    const inner = new Vault(await VaultState.open(compartment), vault.limits);
    const written = await setDoorPIN(vault, stored, pin, { purpose, item, inner });
    if (!written.problem) return { item, inner };
    await removeDoor(vault, vault.item(item));
    return written;
  } catch (error) {
    await removeDoor(vault, vault.item(item)).catch(() => { /* It stays as an empty folder. */ });
    throw error;
  }
}

/** Sets the PIN of what is behind a door. As `writePIN`. */
export async function setDoorPIN(vault, stored, pin, { purpose, item, inner = null }) {
  const room = inner ?? await openDoor(vault, vault.item(item));
  const written = await writePIN(vault, stored, pin, { purpose, key: room.compartment.key, node: b64u(fromHex(item)) });
  if (!written.problem) await room.setPINSlots(ownView(written.slot, written.reset));
  return written;
}

/** Destroys a door and everything behind it. Its PIN is to be taken out before. */
export async function removeDoor(vault, item) {
  if (vault.pinSlots().some(({ node }) => node === b64u(fromHex(item.id)))) {
    throw new Problem("conflict", { detail: t`A PIN opens this folder. Remove the PIN first, under “Ways to open it”.` });
  }
  const { id } = await compartmentOf(fromB64u(item.door));
  await api.delete(`/api/vault/compartments/${hex(id)}`, { reason: t`Destroy a folder with everything in it` }).catch((problem) => { if (problem.kind !== "not-found") throw problem; });
  await vault.remove(item.id);
}

/** The item of the vault that a PIN slot names; undefined if it is gone. */
export const itemOf = (vault, { node }) => (node ? vault.item(hex(fromB64u(node))) : undefined);
