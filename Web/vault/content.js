// Contents: Cobblestone-256 of C2SP chunked-encryption, over padded bytes (docs/vault-format.md, "Nodes").

import { join, padme, random, Reader, requireLength, sameSecret, u64, utf8, VaultError } from "./bytes.js";
import { aesKey, decrypt, derive, encrypt, expand, open, seal } from "./sealing.js";

/** The content bytes of a chunk, and what it takes sealed. */
export const chunkLength = 16_384;
export const sealedChunk = chunkLength + 16;
export const headerLength = 56;
const none = new Uint8Array(0);

/** How long the ciphertext of a content is. */
export function sealedLength(size) {
  const padded = padme(size);
  return headerLength + padded + (Math.floor(padded / chunkLength) + 1) * 16;
}

/** A new version of a file, whose content is to be sealed once. */
export const newVersion = (compartment, node, size, created) =>
  ({ id: random(16), node, size, created, key: random(32), home: compartment.id });

const plaintextOf = (version) => join(version.key, version.home, u64(version.size), u64(version.created));
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

/**
 * Seals a content chunk by chunk.
 *
 * @param read gives the bytes from one place to another, at most a chunk
 */
export async function* sealContent(version, read, salt = random(24)) {
  const { key, nonce, commitment } = await keys(version, salt);
  yield join(salt, commitment);
  const padded = padme(version.size);
  for (let chunk = 0; chunk * chunkLength <= padded; chunk += 1) {
    const start = chunk * chunkLength;
    const plaintext = new Uint8Array(Math.min(chunkLength, padded - start));
    const end = Math.min(start + chunkLength, version.size);
    if (end > start) plaintext.set(requireLength(await read(start, end), end - start));
    yield encrypt(key, nonceOf(nonce, chunk), none, plaintext);
  }
}

/**
 * Opens any part of a content.
 *
 * @param header the first 56 bytes of the ciphertext
 * @param read gives the bytes of the ciphertext from one place to another
 */
export async function contentReader(version, header, read) {
  const parts = new Reader(requireLength(header, headerLength));
  const { key, nonce, commitment } = await keys(version, parts.take(24));
  if (!sameSecret(commitment, parts.take(32))) throw new VaultError("cannot_open");
  const whole = sealedLength(version.size);
  const chunkAt = async (chunk) => {
    const start = headerLength + chunk * sealedChunk;
    const end = Math.min(start + sealedChunk, whole);
    return decrypt(key, nonceOf(nonce, chunk), none, requireLength(await read(start, end), end - start));
  };
  return {
    size: version.size,
    /** The chunk with the content's last bytes is not the ciphertext's last one; what is behind `size` are zeros. */
    async bytes(start, end) {
      if (start < 0 || end < start || end > version.size) throw new VaultError("out_of_range");
      const found = [];
      for (let chunk = Math.floor(start / chunkLength); chunk * chunkLength < end; chunk += 1) {
        const offset = chunk * chunkLength;
        found.push((await chunkAt(chunk)).slice(Math.max(start - offset, 0), Math.min(end - offset, chunkLength)));
      }
      return join(...found);
    },
    /** Checks that the ciphertext ends where it should, and that the padding is zeros. */
    async checkEnd() {
      for (let chunk = Math.floor(version.size / chunkLength); chunk * chunkLength <= padme(version.size); chunk += 1) {
        const padding = (await chunkAt(chunk)).slice(Math.max(version.size - chunk * chunkLength, 0));
        if (padding.some((byte) => byte !== 0)) throw new VaultError("malformed");
      }
    },
  };
}
