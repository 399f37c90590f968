// What the server keeps of a compartment: read page by page, with bytes in place of base64url and hexadecimal digits.

import { api } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { fromHex, hex } from "./bytes.js";

/** How many records of a page, the most that the server gives. */
const most = 500;

/**
 * Reads the records that changed after a sequence.
 *
 * @param onProgress called with how many were read
 * @returns `{records, head, sequence, bytes, quota}`; a record that is gone has `removed`
 */
export async function readAfter(compartment, sequence, onProgress = () => {}) {
  const records = [];
  for (let after = sequence; ;) {
    const page = await api.get(`/api/vault/compartments/${compartment}/nodes?after=${encodeURIComponent(after)}&limit=${most}`);
    records.push(...page.items.map(fromServer));
    onProgress(records.length);
    if (!page.next) return { records, head: fromB64u(page.head), sequence: page.sequence, bytes: page.bytes, quota: page.quota };
    after = page.next;
  }
}

/** A record with bytes, as the server answered it. */
export function fromServer({ id, revision, place, key, metadata, versions, trashed, removed }) {
  if (removed) return { id: fromHex(id), revision, removed };
  return {
    id: fromHex(id), revision, place: fromB64u(place), key: fromB64u(key), metadata: fromB64u(metadata), trashed,
    versions: versions.map((one) => (
      { id: fromHex(one.id), content: fromHex(one.content), key: fromB64u(one.key), sealedLength: one.size, created: one.created })),
  };
}

/** A record as the server takes it. */
export const toServer = ({ id, revision, place, key, metadata, versions }) => ({
  id: hex(id), revision, place: b64u(place), key: b64u(key), metadata: b64u(metadata),
  versions: versions.map((one) => ({ id: hex(one.id), content: hex(one.content), key: b64u(one.key), size: one.sealedLength })),
});
