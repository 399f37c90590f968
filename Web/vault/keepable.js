// Which items of a vault belong together: what is in a folder, what opens without the server, what an import has left behind.

import { hex } from "./bytes.js";
import { toServer } from "./reading.js";
import { root } from "./vault-state.js";

/** The ids of an item and of all that is in it, from the top down. */
export function below({ nodes }, id) {
  const byParent = new Map();
  for (const { id: one, under } of nodes.values()) {
    if (!byParent.has(under)) byParent.set(under, []);
    byParent.get(under).push(one);
  }
  const all = [id];
  for (let at = 0; at < all.length; at += 1) all.push(...(byParent.get(all[at]) ?? []));
  return all;
}

/**
 * What it takes to open some items without the server: `{items, records, contents}`, with the folders above. `contents` are the
 * newest contents by id: `{length, item}`, the length sealed. An item with a lock of its own stays out, and so does a folder that
 * stands for a compartment: what is in it is not in this one.
 *
 * @param state a VaultState; @param ids of the items, and of all that is in them
 */
export function keepable({ nodes }, ids) {
  const items = [...new Set(ids)].filter((id) => isKeepable(nodes.get(id)));
  const wanted = new Set(items);
  for (const id of items) for (let at = nodes.get(id).under; at !== root && nodes.has(at); at = nodes.get(at).under) wanted.add(at);
  const records = [...wanted].map((id) => nodes.get(id).record)
    .map((record) => ({ ...toServer(record), versions: toServer({ ...record, versions: record.versions.slice(0, 1) }).versions }));
  const contents = new Map();
  for (const item of items) {
    const newest = nodes.get(item).record.versions[0];
    if (newest) contents.set(hex(newest.content), { length: newest.sealedLength, item });
  }
  return { items, records, contents };
}

const isKeepable = (node) => node && !node.record.trashed && !node.isHidden && node.locks.length === 0 && !node.metadata.compartment;

/** The ids of what lies in a folder that went to the trash before a time, in seconds, and is not in the trash itself. */
export function leftBehind({ nodes, records }, time) {
  const since = ({ under }) => records.get(under)?.trashed ?? (nodes.has(under) ? since(nodes.get(under)) : Infinity);
  return [...nodes.values()].filter((node) => node.isHidden && !node.record.trashed && since(node) < time).map(({ id }) => id);
}
