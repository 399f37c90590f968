// The WebAssembly face of Core (Core/Sources/Browser): what the organisation's documents, certificates and log mean is
// decided there, in the same code as on the server. This module loads it once and carries values in and out.
//
//   const { value, blobs } = await call('verify', { root, log_key, time }, fileBytes);

/** An instance whose memory has grown beyond this is given up after the call: linear memory never shrinks. */
const largestIdleMemory = 64 << 20;

/** Something that Core refuses: `code` for programs, `message` for people. */
export class CoreError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'CoreError';
    this.code = code;
  }
}

/** A WebAssembly module of Core's: loaded from its address when it is first needed, and once. */
export function moduleAt(address) {
  let module = null; // the compiled WebAssembly.Module
  let loading = null; // promise while the module is on its way
  const live = { exports: null }; // of the one instance, unless it was given up

  async function core() {
    if (!module) await (loading ??= take(fetched(address)));
    return { call: callNow };
  }

  function useModule(bytes) {
    module = live.exports = null;
    loading = take(WebAssembly.instantiate(bytes));
    return core();
  }

  async function call(name, args = {}, ...blobs) {
    await core();
    return callNow(name, args, ...blobs);
  }

  async function take(source) {
    try {
      const result = await source;
      module = result.module;
      live.exports = result.instance.exports;
    } catch (error) {
      throw new CoreError('unavailable', `The checking code could not be loaded: ${error.message}`);
    } finally {
      loading = null;
    }
  }

  function callNow(name, args = {}, ...blobs) {
    const input = packedCall(name, args, blobs);
    live.exports ??= new WebAssembly.Instance(module).exports;
    return outcome(run(live, input));
  }

  return { core, useModule, call };
}

const shell = moduleAt('/assets/shell/countersign.wasm');

/** Loads the module unless that was done; gives `{ call(name, args, ...blobs) }`, which answers at once. */
export const core = shell.core;

/** Uses these bytes instead of loading the module: for the page that is one file. */
export const useModule = shell.useModule;

/** Calls a function of Core: `args` is a plain object, `blobs` are Uint8Arrays or ArrayBuffers. */
export const call = shell.call;

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return WebAssembly.instantiateStreaming(response);
}

/** Calls the instance, and gives it up when its memory is large or cannot be relied on. */
function run(live, input) {
  try {
    const parts = exchanged(live.exports, input);
    if (live.exports.memory.buffer.byteLength > largestIdleMemory) live.exports = null;
    return parts;
  } catch (error) {
    live.exports = null; // after a trap nothing in that memory can be relied on
    throw new CoreError('trap', `The checking code stopped: ${error.message}`);
  }
}

/** The bytes of a call, as a module of Core's takes them. */
export function packedCall(name, args, blobs) {
  return frames([utf8(name), utf8(JSON.stringify(args)), ...blobs.map(bytesOf)]);
}

/**
 * Copies a packed call into an instance and the answer out: its parts. No view is kept: growing the memory detaches every one.
 *
 * @param exports of the instance
 */
export function exchanged(exports, input) {
  const pointer = exports.allocate(input.length) >>> 0;
  new Uint8Array(exports.memory.buffer, pointer, input.length).set(input);
  const answer = exports.call(pointer, input.length) >>> 0; // releases the input
  const size = new DataView(exports.memory.buffer).getUint32(answer, true);
  const output = new Uint8Array(exports.memory.buffer, answer, size).slice();
  exports.release(answer, size);
  return split(output.subarray(4));
}

/** What the parts of an answer say: `{ value, blobs }`. Throws what Core refuses, as a CoreError. */
export function outcome([status, said, ...blobs]) {
  const value = JSON.parse(text(said));
  if (status[0] !== 0) throw new CoreError(value.code, value.message);
  return { value, blobs };
}

/** Length (u32, little-endian) and bytes of each part. */
function frames(parts) {
  const output = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(output.buffer);
  let offset = 0;
  for (const part of parts) {
    view.setUint32(offset, part.length, true);
    output.set(part, offset + 4);
    offset += 4 + part.length;
  }
  return output;
}

function split(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = [];
  for (let offset = 0; offset < bytes.length; ) {
    const length = view.getUint32(offset, true);
    parts.push(bytes.subarray(offset + 4, offset + 4 + length));
    offset += 4 + length;
  }
  return parts;
}

function bytesOf(blob) {
  if (blob instanceof Uint8Array) return blob;
  if (blob instanceof ArrayBuffer) return new Uint8Array(blob);
  throw new TypeError('a blob is a Uint8Array or an ArrayBuffer');
}

/** The UTF-8 bytes of a text. */
export function utf8(string) {
  return new TextEncoder().encode(string);
}

/** The text of UTF-8 bytes. */
export function text(bytes) {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Bytes as base64url without padding. */
export function b64u(bytes) {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** SHA-256 of bytes as base64url. */
export async function sha256(bytes) {
  return b64u(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** The bytes of base64url text; anything but its one spelling is refused. */
export function fromB64u(string) {
  let bytes = null;
  if (/^[A-Za-z0-9_-]*$/.test(string) && string.length % 4 !== 1) {
    bytes = Uint8Array.from(atob(string.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  }
  if (!bytes || b64u(bytes) !== string) throw new CoreError('bad_base64url', 'A value is not base64url.');
  return bytes;
}
