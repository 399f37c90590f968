// Contents: Cobblestone-256 of C2SP chunked-encryption, over padded bytes (docs/vault-format.md, "Nodes").

import { join, padme, random, Reader, requireLength, sameSecret, u64, utf8, VaultError } from "./bytes.js";
import { aesKey, decrypt, derive, encrypt, expand, open, seal } from "./sealing.js";

/** By how much a chunk is longer sealed. */
const tagLength = 16;
/** The content bytes of a chunk, and what it takes sealed. */
export const chunkLength = 16_384;
export const sealedChunk = chunkLength + tagLength;
export const headerLength = 56;
const none = new Uint8Array(0);

/** How long the ciphertext of a content is. */
export function sealedLength(size) {
  const padded = padme(size);
  return headerLength + padded + (Math.floor(padded / chunkLength) + 1) * tagLength;
}

/** A new version of a file, whose content is to be sealed once. */
export const newVersion = (compartment, node, size, created) =>
  ({ id: random(16), node, size, created, key: random(32), home: compartment.id });

/** What is sealed of a version, 64 bytes. */
export const plaintextOf = (version) => join(version.key, version.home, u64(version.size), u64(version.created));
const bindingOf = (compartment, node, id) => join(compartment.id, node, id);

/** What a node's record holds of a version: `{ id, content, key, sealedLength }`. */
export async function versionRecord(compartment, node, version, content) {
  const key = await derive(node.key, "content-key");
  const box = await seal(key, "content-key", bindingOf(compartment, node.node, version.id), plaintextOf(version));
  return { id: version.id, content, key: box, sealedLength: sealedLength(version.size) };
}

export async function openVersion(compartment, node, record) {
  const key = await derive(node.key, "content-key");
  const plaintext = await open(key, "content-key", bindingOf(compartment, node.node, record.id), record.key);
  const version = readVersion(record.id, node.node, plaintext);
  if (sealedLength(version.size) !== record.sealedLength) throw new VaultError("malformed");
  return version;
}

/** A version out of the 64 bytes that were sealed. */
export function readVersion(id, node, plaintext) {
  const reader = new Reader(requireLength(plaintext, 64));
  return { id, node, key: reader.take(32), home: reader.take(16), size: reader.number(8), created: reader.number(8) };
}

/** The keys of one ciphertext. */
async function keys(version, salt) {
  const context = join(version.home, version.node, version.id);
  const info = join(utf8("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0"), salt, context);
  const output = await expand(version.key, info, 76, "SHA-512");
  return { key: await aesKey(output.slice(0, 32)), nonce: output.slice(32, 44), commitment: output.slice(44) };
}

function nonceOf(base, chunk) {
  const nonce = base.slice();
  for (let place = 11, rest = chunk; place > 6; place -= 1) {
    nonce[place] ^= rest % 256;
    rest = Math.floor(rest / 256);
  }
  return nonce;
}

/** Places from one number up to before another. */
const from = (first, end) => Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);

/** Puts a chunk where it belongs, as far as it is within: at once, while others are still being sealed or opened. */
function place(whole, chunk, at) {
  whole.set(chunk.subarray(Math.max(0, -at), Math.max(0, whole.length - at)), Math.max(0, at));
}

/**
 * Seals a content.
 *
 * @param read gives the bytes of the content from one place to another
 * @returns `{length, part(start, end, room)}` of the ciphertext; a part is the same each time, so it can be sent again. Give room
 *   for it where many are asked for: fresh memory for each takes a fifth of the time
 */
export async function contentSealer(version, read, salt = random(24)) {
  const { key, nonce, commitment } = await keys(version, salt);
  const [header, padded, length] = [join(salt, commitment), padme(version.size), sealedLength(version.size)];
  const chunks = Math.floor(padded / chunkLength) + 1;
  /** Bytes of the padded content: those that were read, uncopied, unless padding follows them. */
  async function plain(start, end) {
    const last = Math.min(end, version.size);
    const content = last > start ? requireLength(await read(start, last), last - start) : none;
    if (last === end) return content;
    const bytes = new Uint8Array(end - start);
    bytes.set(content);
    return bytes;
  }
  return {
    length,
    async part(start, end, room) {
      const first = Math.floor(Math.max(0, start - headerLength) / sealedChunk);
      const last = Math.min(chunks, Math.ceil(Math.max(0, end - headerLength) / sealedChunk));
      const bytes = last > first ? await plain(first * chunkLength, Math.min(last * chunkLength, padded)) : none;
      const count = Math.max(0, Math.min(end, length) - start);
      const sealed = room ? room.subarray(0, count) : new Uint8Array(count);
      sealed.set(header.subarray(start, end));
      await Promise.all(from(first, last).map((chunk) => {
        const at = (chunk - first) * chunkLength;
        return encrypt(key, nonceOf(nonce, chunk), none, bytes.subarray(at, at + chunkLength))
          .then((box) => { place(sealed, box, headerLength + chunk * sealedChunk - start); });
      }));
      return sealed;
    },
  };
}

/**
 * Opens any part of a content.
 *
 * @param header the first 56 bytes of the ciphertext
 * @param read gives the bytes of the ciphertext from one place to another: once for each part that is asked for
 */
export async function contentReader(version, header, read) {
  const parts = new Reader(requireLength(header, headerLength));
  const { key, nonce, commitment } = await keys(version, parts.take(24));
  if (!sameSecret(commitment, parts.take(32))) throw new VaultError("cannot_open");
  const [padded, whole] = [padme(version.size), sealedLength(version.size)];
  /** The padded content in some chunks. */
  async function opened(first, end) {
    const start = headerLength + first * sealedChunk;
    const stop = Math.min(headerLength + end * sealedChunk, whole);
    const sealed = requireLength(await read(start, stop), stop - start);
    const bytes = new Uint8Array(sealed.length - (end - first) * tagLength);
    await Promise.all(from(first, end).map(async (chunk) => {
      const at = (chunk - first) * sealedChunk;
      place(bytes, await decrypt(key, nonceOf(nonce, chunk), none, sealed.subarray(at, at + sealedChunk)), (chunk - first) * chunkLength);
    }));
    return bytes;
  }
  return {
    size: version.size,
    /** The chunk with the content's last bytes is not the ciphertext's last one; what is behind `size` are zeros. */
    async bytes(start, end) {
      if (start < 0 || end < start || end > version.size) throw new VaultError("out_of_range");
      if (start === end) return none;
      const first = Math.floor(start / chunkLength);
      const bytes = await opened(first, Math.floor((end - 1) / chunkLength) + 1);
      return bytes.subarray(start - first * chunkLength, end - first * chunkLength);
    },
    /** Checks that the ciphertext ends where it should, and that the padding is zeros. */
    async checkEnd() {
      const first = Math.floor(version.size / chunkLength);
      const bytes = await opened(first, Math.floor(padded / chunkLength) + 1);
      if (bytes.subarray(version.size - first * chunkLength).some((byte) => byte !== 0)) throw new VaultError("malformed");
    },
  };
}
