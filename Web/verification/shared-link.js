// A link `<public URL>/s/<id>#<key>`: what it leads to, and how that is opened. The key stays in this page.

import { fromB64u, utf8 } from '../shell/core.js';

// Additional data of the box: no other box under the same key opens in its place.
const context = 'countersign secret box v1\ncountersign share v1';

/** The link that this page was opened with: `{id, key}`; `key` is null when the part after # is missing or broken. */
export function linkOf({ pathname, hash }) {
  const id = pathname.split('/')[2] ?? '';
  try {
    const key = fromB64u(hash.slice(1));
    return { id, key: key.length === 32 ? key : null };
  } catch {
    return { id, key: null };
  }
}

/** Opens a sealed presentation: AES-256-GCM, the nonce's 12 bytes in front, the tag behind. */
export async function unseal(sealed, keyBytes) {
  const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['decrypt']);
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: sealed.subarray(0, 12), additionalData: utf8(context) }, key, sealed.subarray(12));
  return new Uint8Array(opened);
}
