// Compartments, nodes and heads (docs/vault-format.md). `openNode` is the one way to open a node: list, search,
// thumbnail, export and everything else come through it.

import { join, label, random, Reader, requireLength, same, sameSecret, u32, u64, VaultError } from "./bytes.js";
import { decodeMetadata, encodeMetadata } from "./metadata.js";
import { authenticator, boxOverhead, derive, open, seal, sha256 } from "./sealing.js";

export const root = new Uint8Array(16);
const wrapped = 160;
const mostLocks = 2;
const empty = new Uint8Array(0);

/** The keys of a compartment. */
export async function compartmentOf(key) {
  requireLength(key, 32);
  const [id, place, rootFolder, head, accumulator] = await Promise.all([
    derive(key, "compartment-id", empty, 16), derive(key, "place"), derive(key, "root-folder"), derive(key, "head"),
    derive(key, "accumulator"),
  ]);
  return { key, id, place, head, accumulator, root: { node: root, generation: 0, key: rootFolder } };
}

/** The folder that a node is in. */
export function parentOf(compartment, record) {
  return open(compartment.place, "place", join(compartment.id, record.id), record.place);
}

const outer = (compartment, parent, id, generation) => join(compartment.id, parent, id, u32(generation));
const inner = (compartment, id, generation, lock) => join(compartment.id, id, u32(generation), lock);
const metadataBinding = (compartment, id, revision) => join(compartment.id, id, u64(revision));

/** What opens the keys of the nodes in a folder, by the folder's key: a folder may have many. */
const folderKeys = new WeakMap();

function folderKey(parent) {
  if (!folderKeys.has(parent.key)) folderKeys.set(parent.key, derive(parent.key, "node-key"));
  return folderKeys.get(parent.key);
}

/** What a folder keeps of a node's key: `{ generation, plain, locks: [{ method, id, box }] }`. */
export async function unwrap(compartment, record, parent) {
  requireLength(record.key, 4 + wrapped + boxOverhead);
  const generation = new Reader(record.key).number(4);
  const binding = outer(compartment, parent.node, record.id, generation);
  const plaintext = await open(await folderKey(parent), "node-key", binding, record.key.slice(4));
  const reader = new Reader(plaintext);
  const count = reader.number(1);
  if (count > mostLocks) throw new VaultError("malformed");
  const plain = count === 0 ? reader.take(32) : null;
  const locks = [];
  while (locks.length < count) {
    const method = reader.number(1);
    if (method !== 1 && method !== 2) throw new VaultError("malformed");
    locks.push({ method, id: reader.take(16), box: reader.take(32 + boxOverhead) });
  }
  reader.finishPadding();
  return { generation, plain, locks };
}

async function keyOf(compartment, record, wrapping, keys) {
  if (wrapping.plain) return wrapping.plain;
  for (const lock of wrapping.locks) {
    const key = keys.find((one) => one.method === lock.method && same(one.id, lock.id));
    if (!key) continue;
    const binding = inner(compartment, record.id, wrapping.generation, lock.id);
    return open(await derive(key.key, "item-lock"), "item-lock", binding, lock.box);
  }
  throw new VaultError("locked");
}

/**
 * Opens a node.
 *
 * @param record `{ id, revision, place, key, metadata, versions }` with bytes
 * @param parent the key of the folder that it is in: `{ node, generation, key }`
 * @param locks the locks of items that are open: `{ method, id, key }`
 * @returns `{ record, parent, key: { node, generation, key }, metadata, locks }`
 * @throws VaultError "malformed" for a record with the id of the root folder, which has none
 */
export async function openNode(compartment, record, parent, locks = []) {
  if (same(record.id, root)) throw new VaultError("malformed");
  if (!same(await parentOf(compartment, record), parent.node)) throw new VaultError("cannot_open");
  const wrapping = await unwrap(compartment, record, parent);
  const key = await keyOf(compartment, record, wrapping, locks);
  const binding = metadataBinding(compartment, record.id, record.revision);
  const plaintext = await open(await derive(key, "metadata"), "metadata", binding, record.metadata);
  return {
    record, parent: parent.node, key: { node: record.id, generation: wrapping.generation, key },
    metadata: decodeMetadata(plaintext), locks: wrapping.locks,
  };
}

/** Makes a node in a folder; `locks` are those that are put before it. */
export async function makeNode(compartment, metadata, parent, { id = random(16), locks = [] } = {}) {
  if (same(id, root)) throw new VaultError("malformed");
  const key = { node: id, generation: 1, key: random(32) };
  return sealNode(compartment, key, metadata, await wrap(compartment, key, locks), parent, 1, []);
}

/** The same node with other metadata, in the same or another folder, with these versions. */
export function changeNode(compartment, node, parent, { metadata = node.metadata, versions = node.record.versions } = {}) {
  const wrapping = { generation: node.key.generation, plain: node.locks.length ? null : node.key.key, locks: node.locks };
  return sealNode(compartment, node.key, metadata, wrapping, parent, node.record.revision + 1, versions);
}

/**
 * The same node under a key of its own that nobody has had before, with these locks before it, or with none.
 *
 * @param rewrap `async (key) => versions`: the keys of the contents, wrapped again
 */
export async function relockNode(compartment, node, parent, locks, rewrap) {
  const key = { node: node.key.node, generation: node.key.generation + 1, key: random(32) };
  const [wrapping, versions] = [await wrap(compartment, key, locks), await rewrap(key)];
  return sealNode(compartment, key, node.metadata, wrapping, parent, node.record.revision + 1, versions);
}

async function wrap(compartment, key, locks) {
  if (locks.length > mostLocks) throw new VaultError("out_of_range");
  const made = [];
  for (const lock of locks) {
    const binding = inner(compartment, key.node, key.generation, lock.id);
    const box = await seal(await derive(lock.key, "item-lock"), "item-lock", binding, key.key);
    made.push({ method: lock.method, id: lock.id, box });
  }
  return { generation: key.generation, plain: locks.length ? null : key.key, locks: made };
}

async function sealNode(compartment, key, metadata, wrapping, parent, revision, versions) {
  const id = key.node;
  const parts = wrapping.locks.map((lock) => join([lock.method], lock.id, lock.box));
  const used = join([wrapping.locks.length], wrapping.plain ?? empty, ...parts);
  const plaintext = join(used, new Uint8Array(wrapped - used.length));
  const binding = outer(compartment, parent.node, id, wrapping.generation);
  const record = {
    id, revision, versions,
    place: await seal(compartment.place, "place", join(compartment.id, id), parent.node),
    key: join(u32(wrapping.generation), await seal(await folderKey(parent), "node-key", binding, plaintext)),
    metadata: await seal(
      await derive(key.key, "metadata"), "metadata", metadataBinding(compartment, id, revision), encodeMetadata(metadata)),
  };
  return { record, parent: parent.node, key, metadata, locks: wrapping.locks };
}

/** The key of a lock that a passkey opens, from its PRF result. */
export const passkeyLock = async (prf, id) => ({ method: 2, id, key: await derive(prf, "item-prf", id) });

/** What a passkey is asked with for one item. */
export const itemSalt = (compartment, node, lock) => sha256(join(label("item-prf"), compartment.id, node, lock));

/** What the head vouches for. */
export function vouched(record) {
  const parts = [record.place, record.key, record.metadata].flatMap((part) => [u32(part.length), part]);
  const newest = record.versions[0];
  const version = newest
    ? [[1], newest.id, u64(newest.sealedLength), u32(newest.content.length), newest.content, newest.key]
    : [[0]];
  return join(record.id, u64(record.revision), ...parts, ...version);
}

export const emptyHead = () => ({ sequence: 0, count: 0, sum: new Uint8Array(32) });

export async function openHead(compartment, sealed) {
  requireLength(sealed, 48 + boxOverhead);
  const reader = new Reader(await open(compartment.head, "head", compartment.id, sealed));
  return { sequence: reader.number(8), count: reader.number(8), sum: reader.take(32) };
}

export const sealHead = (compartment, head) =>
  seal(compartment.head, "head", compartment.id, join(u64(head.sequence), u64(head.count), head.sum));

/** The head after live records went and others came. */
export async function changedHead(compartment, head, removed, added) {
  if (removed.length > head.count) throw new VaultError("incomplete");
  const sum = head.sum.slice();
  const authenticate = await authenticator(compartment.accumulator);
  const records = [...removed, ...added];
  for (let at = 0; at < records.length; at += 1000) {
    const codes = await Promise.all(records.slice(at, at + 1000).map((record) => authenticate(vouched(record))));
    for (const code of codes) for (let index = 0; index < 32; index += 1) sum[index] ^= code[index];
  }
  return { sequence: head.sequence + 1, count: head.count - removed.length + added.length, sum };
}

/** Refuses anything but the live records, all of them, each once. */
export async function checkHead(compartment, head, records) {
  const ids = new Set(records.map((record) => record.id.join()));
  const found = await changedHead(compartment, emptyHead(), [], records);
  const isWhole = ids.size === records.length && found.count === head.count && sameSecret(found.sum, head.sum);
  if (!isWhole) throw new VaultError("incomplete");
}
