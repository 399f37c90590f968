// A link `<public URL>/s/<id>#<key>`: what it leads to, and how that is sealed and opened. The key is in the link's
// fragment, which no browser sends to a server, and stays in the page (docs/documents.md, "Sharing by link";
// Sources/Wallet/Flows/SharedLink.swift).

import { b64u, fromB64u, sha256, utf8 } from './core.js';

/** The content of a link: no other box under the same key opens in its place. */
export const purposes = { presentation: 'countersign share v1', copy: 'countersign copy v1', vault: 'countersign vault link v1' };

// The additional data of the box.
const context = (purpose) => utf8(`countersign secret box v1\n${purpose}`);

/** The longest `sealed` that the server takes, in characters; base64url makes four of three bytes. */
const longestSealed = 16_777_216;
const overhead = 28;

/** Whether a file fits into a link. */
export const fits = (file) => Math.ceil((file.length + overhead) * 4 / 3) <= longestSealed;

/** A new key: 32 bytes. */
export const newKey = () => crypto.getRandomValues(new Uint8Array(32));

/** Nonce, ciphertext and tag, base64url: AES-256-GCM as SecretBox.swift has it. */
export async function seal(bytes, keyBytes, purpose) {
  const secret = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: context(purpose) }, secret, bytes);
  const box = new Uint8Array(iv.length + sealed.byteLength);
  box.set(iv);
  box.set(new Uint8Array(sealed), iv.length);
  return b64u(box);
}

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

/**
 * A mark that tells a link's key from others and says nothing about it. The server compares it before it spends an
 * opening.
 */
export async function keyCheck(key) {
  const purpose = utf8('countersign share key v1');
  const text = new Uint8Array(purpose.length + key.length);
  text.set(purpose);
  text.set(key, purpose.length);
  return sha256(text);
}

/** This tab's name for its attempt to open a link: the same after a reload, so that it costs no second opening. */
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

/** Opens what was sealed: AES-256-GCM, the nonce's 12 bytes in front, the tag behind. */
export async function unseal(sealed, keyBytes, purpose) {
  const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['decrypt']);
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: sealed.subarray(0, 12), additionalData: context(purpose) }, key, sealed.subarray(12));
  return new Uint8Array(opened);
}
