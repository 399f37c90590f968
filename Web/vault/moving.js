// From one vault to another: into a folder that is shared or that a PIN opens, out of it again, or to the same folder under another
// key. Nothing is removed in one place before it is whole in the other.

import { Problem } from "../shell/api.js";
import { b64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { random, same } from "./bytes.js";
import { changeNode, compartmentOf, openNode } from "./compartment.js";
import { openVersion, versionRecord } from "./content.js";
import { groups } from "./groups.js";
import { Vault } from "./vault-items.js";
import { root, VaultState } from "./vault-state.js";

/** Makes an empty compartment at the server. Gives its keys: only they lead to it. */
export async function madeCompartment(api) {
  const compartment = await compartmentOf(random(32));
  await api.post("/api/vault/compartments", await VaultState.made(compartment));
  return compartment;
}

/** The vault in a compartment. */
export const openedVault = async (key, limits, options, onProgress) =>
  new Vault(await VaultState.open(await compartmentOf(key), onProgress), limits, { isInner: true, ...options });

/**
 * Refuses what must not go to another vault.
 *
 * @returns the ids of the item and of all that is in it, from the top down
 */
export function movable(vault, id) {
  const all = vault.below(id);
  for (const node of all.map((one) => vault.state.nodes.get(one))) {
    if (!node?.key || node.locks.length > 0) {
      throw new Problem("locked", { detail: t`Something in it has a lock of its own. Take the lock off first.` });
    }
    if (node.metadata.compartment && !vault.isInner) {
      throw new Problem("conflict", {
        detail: node.metadata.share ? t`There is a shared folder in it. Move it out, or end it, first.`
          : t`A folder that a PIN opens cannot be shared, or moved into another one.`,
      });
    }
  }
  return all;
}

/** How many files of an item have earlier states: the people who see it would see those, too. */
export const withEarlier = (vault, id) =>
  vault.below(id).filter((one) => vault.state.nodes.get(one)?.record.versions.length > 1).length;

/**
 * Takes items from one of the account's vaults to another, with everything in them: their contents stay as they are at the
 * server. Up to so many at once, it is all of it or nothing; of more, each is always in one of the two.
 *
 * @param ids of items that are in `from`; @param parent the folder of `to` that they go into
 */
export async function handOver(from, to, ids, parent = root) {
  const all = ids.flatMap((id) => from.below(id));
  const trashed = all.filter((id) => from.state.records.get(id).trashed);
  const target = (id) => (ids.includes(id) ? parent : from.state.nodes.get(id).under);
  const step = (leaving, coming) => VaultState.handOver(from.state, to.state, async () => ({
    departure: { remove: leaving }, arrival: { put: await adopted(from, to, coming, target) },
  }));
  const split = (list) => groups(list, from.state.records);
  if (split(all).length <= 1) {
    await step(all, all);
  } else {
    const isFolder = (id) => from.state.nodes.get(id).metadata.kind === "folder";
    const folders = all.filter(isFolder);
    // The folders are in both places until everything in them has gone over.
    for (const group of split(folders)) {
      await to.state.change(async () => ({ put: await adopted(from, to, group, target) }));
    }
    for (const group of split(all.filter((id) => !isFolder(id)))) await step(group, group);
    for (const group of split(folders.toReversed())) {
      await from.state.change(({ records }) => ({ remove: group.filter((id) => records.has(id)) }));
    }
  }
  for (const group of groups(trashed, to.state.records)) {
    await to.state.change(({ records }) => ({ trash: group.filter((id) => records.has(id) && !records.get(id).trashed) }));
  }
}

/**
 * What of metadata goes to another vault. Others may have written it: no key, and nothing that this account's page acts upon. What an
 * issued document needs for its check goes along: the check itself decides whether it is shown.
 */
const kept = ["kind", "name", "created", "modified", "media_type", "tags", "expires", "size", "text", "thumbnail", "file_name", "issued"];
const cleaned = (metadata) => Object.fromEntries(kept.filter((name) => metadata[name] !== undefined).map((name) => [name, metadata[name]]));
const isThing = ({ metadata }) => metadata.kind !== "settings";

/**
 * The records of nodes for another compartment: with new keys, and the keys of their contents wrapped again. Each is opened as it
 * will be there, and compared: the same request that puts it there removes it here.
 */
async function adopted(from, to, ids, target) {
  const keys = new Map();
  const records = [];
  // From the top down: a folder's new key is there before what is in it. One that is there already was cut off before.
  const nodes = ids.map((id) => from.state.nodes.get(id));
  // Somebody else has taken something away, or put a lock before it.
  if (!nodes.every((node) => node?.key)) throw notWhole("conflict");
  for (const node of nodes.filter(isThing)) {
    const { id, key: old, record: stored } = node;
    const metadata = cleaned(node.metadata);
    if (to.state.records.has(id)) {
      const there = to.state.nodes.get(id);
      if (metadata.kind !== "folder") await compare(from, node, to, there?.record, there?.folder);
      continue;
    }
    const key = { node: old.node, generation: 1, key: random(32) };
    const versions = await Promise.all(stored.versions.map(async (one) =>
      versionRecord(to.compartment, key, await openVersion(from.compartment, old, one), one.content)));
    const parent = keys.get(target(id)) ?? to.state.keyOf(target(id));
    const unborn = { key, locks: [], record: { id: old.node, revision: 0 } };
    const { record } = await changeNode(to.compartment, unborn, parent, { metadata, versions });
    await compare(from, node, to, record, parent);
    records.push(record);
    keys.set(id, key);
  }
  return records;
}

/** Refuses a record that does not open to what the node is. */
async function compare(from, node, to, record, parent) {
  const { key, metadata = {} } = await openNode(to.compartment, record, parent).catch(() => ({}));
  const isSame = kept.every((name) => JSON.stringify(metadata[name]) === JSON.stringify(node.metadata[name]));
  const contents = !isSame ? [] : await Promise.all(record.versions.map(async (one, number) => {
    const [here, there] = [await openVersion(from.compartment, node.key, node.record.versions[number]), await openVersion(to.compartment, key, one)];
    return here.size === there.size && same(here.key, there.key) && same(one.content, node.record.versions[number].content);
  }));
  if (isSame && contents.length === node.record.versions.length && contents.every(Boolean)) return;
  throw notWhole("vault-broken");
}

const notWhole = (kind) => new Problem(kind, { detail: t`Not everything has arrived, so nothing was taken away. Try again.` });

/**
 * Copies an item with everything in it into another vault, also of another account: read here, sealed and sent again, and read back.
 *
 * @param options `{earlier, withTrash, transfer}`: whether the earlier states come along, and what in it was deleted; see transfers.js
 * @returns the id of the copy
 */
export async function copy(from, id, to, parent, { earlier = false, withTrash = false, transfer }) {
  const isTrashed = (one) => Boolean(from.state.records.get(one).trashed);
  const all = movable(from, id).filter((one) => withTrash || !isTrashed(one));
  const made = new Map();
  for (const one of all.filter((node) => isThing(from.state.nodes.get(node)))) {
    const { record, under } = from.state.nodes.get(one);
    const metadata = cleaned(from.state.nodes.get(one).metadata);
    const item = from.item(one);
    const states = metadata.kind === "file" ? record.versions.slice(0, earlier ? record.versions.length : 1) : [];
    const contents = [];
    for (const number of states.keys()) contents.push(await from.blob(item, { number }));
    made.set(one, await to.addCopy(one === id ? parent : made.get(under), metadata, contents, transfer));
    for (const number of states.keys()) await to.blob(to.item(made.get(one)), { number });
  }
  const trashed = all.filter((one) => made.has(one) && isTrashed(one)).map((one) => made.get(one));
  for (const trash of groups(trashed, to.state.records)) await to.state.change(() => ({ trash }));
  return made.get(id);
}

/**
 * Moves an item. Where both vaults are the account's it goes over as it is. Otherwise it is copied, read back, and put into the
 * trash of the place where it was; between vaults of the account it is removed there, as far as all of it came along.
 *
 * @param isOwn whether both vaults are the account's
 */
export async function move(from, id, to, parent, { isOwn, earlier, transfer }) {
  movable(from, id);
  const isWhole = isOwn && (earlier || withEarlier(from, id) === 0);
  if (isWhole) {
    try {
      return await handOver(from, to, [id], parent);
    } catch (problem) {
      // It was in that vault before: its name is used up there.
      if (problem.error !== "node") throw problem;
    }
  }
  await copy(from, id, to, parent, { earlier, withTrash: isWhole, transfer });
  return isWhole ? from.remove(id) : from.trash(id);
}

/** Everything that lies in the root folder of a vault, the trash included. */
export const everything = (vault) => [...vault.state.nodes.values()].filter(({ under }) => under === root).map(({ id }) => id);

/** What a folder's item remembers of a compartment. */
export const pointer = (compartment, share) => ({ compartment: b64u(compartment.key), share });
