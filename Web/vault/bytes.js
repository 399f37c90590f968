// Bytes as the vault's format joins them (docs/vault-format.md, "Notation").

/** Something of a vault that is refused; `code` is for programs, as in Core/Sources/VaultBrowser. */
export class VaultError extends Error {
  constructor(code) {
    super(`The vault refused this: ${code}.`);
    this.name = "VaultError";
    this.code = code;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export const utf8 = (text) => encoder.encode(text);

/** Text of UTF-8 bytes; other bytes are refused. */
export function textOf(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new VaultError("malformed");
  }
}

export function join(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** A big-endian number of `count` bytes. */
export function number(value, count) {
  const bytes = new Uint8Array(count);
  for (let rest = value, place = count - 1; place >= 0; place -= 1) {
    bytes[place] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

export const u32 = (value) => number(value, 4);
export const u64 = (value) => number(value, 8);

/** What begins an HKDF info or additional data: no two purposes share a label. */
export const label = (name) => utf8(`countersign/vault/v1/${name}\0`);

export const random = (count) => crypto.getRandomValues(new Uint8Array(count));

/** Bytes as hexadecimal digits, as the server writes identifiers, and back. */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** For public values. */
export const same = (left, right) => left.length === right.length && left.every((byte, index) => byte === right[index]);

/** Compares without telling where the first difference is. */
export function sameSecret(left, right) {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index += 1) difference |= left[index] ^ right[index];
  return difference === 0;
}

export function requireLength(bytes, length) {
  if (bytes.length !== length) throw new VaultError("malformed");
  return bytes;
}

/** Reads bytes from the front, each exactly once. */
export class Reader {
  #bytes;
  #offset = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get remaining() {
    return this.#bytes.length - this.#offset;
  }

  take(count) {
    if (count > this.remaining) throw new VaultError("malformed");
    this.#offset += count;
    return this.#bytes.slice(this.#offset - count, this.#offset);
  }

  number(count) {
    const value = this.take(count).reduce((sum, byte) => sum * 256 + byte, 0);
    if (!Number.isSafeInteger(value)) throw new VaultError("out_of_range");
    return value;
  }

  /** Refuses anything but zeros up to the end. */
  finishPadding() {
    if (this.take(this.remaining).some((byte) => byte !== 0)) throw new VaultError("malformed");
  }

  finish() {
    if (this.remaining !== 0) throw new VaultError("malformed");
  }
}

/** The padded length of a plaintext: what is stored tells little of how long it is. */
export function padme(length) {
  if (length <= 512) return 512;
  const exponent = Math.floor(Math.log2(length));
  const exact = 2 ** exponent > length ? exponent - 1 : 2 ** (exponent + 1) <= length ? exponent + 1 : exponent;
  const significant = Math.floor(Math.log2(exact)) + 1;
  const step = 2 ** (exact - significant);
  return Math.ceil(length / step) * step;
}
