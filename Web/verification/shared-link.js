// A link `<public URL>/s/<id>#<key>`: what it leads to, and how that is opened. The key stays in this page.

import { b64u, fromB64u, utf8 } from '../shell/core.js';

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

/** What tells a link's key from others, and nothing about it: the server compares it before it spends an opening. */
export async function keyCheck(key) {
  const purpose = utf8('countersign share key v1');
  const text = new Uint8Array(purpose.length + key.length);
  text.set(purpose);
  text.set(key, purpose.length);
  return b64u(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
}

/** What this tab calls its attempt to open a link: the same after a reload, so that it costs no second opening. */
export function attemptAt(id) {
  const name = `countersign attempt ${id}`;
  const made = b64u(crypto.getRandomValues(new Uint8Array(24)));
  try {
    if (!sessionStorage.getItem(name)) sessionStorage.setItem(name, made);
    return sessionStorage.getItem(name);
  } catch {
    return made;
  }
}

/** Opens a sealed presentation: AES-256-GCM, the nonce's 12 bytes in front, the tag behind. */
export async function unseal(sealed, keyBytes) {
  const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['decrypt']);
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: sealed.subarray(0, 12), additionalData: utf8(context) }, key, sealed.subarray(12));
  return new Uint8Array(opened);
}
