// Reads a QR code from pixels: the WebAssembly of Core/Sources/CodeScanner, loaded at the first scan.

const address = "/assets/scanner/scanner.wasm";

/** The result of a frame, by the number that the module answers. */
const states = ["text", "bytes", "not-found", "damaged", "malformed", "part-of-several", "bad-frame"];

let module = null;
let exports = null;

/** Loads the module unless that was done. */
export async function prepare() {
  if (module) return;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  module = await WebAssembly.compileStreaming(response);
}

/**
 * Reads the clearest code in a picture; `prepare` comes first.
 *
 * @param image `{data, width, height}` as a canvas gives it
 * @param isStill whether it is no frame of a camera, with others after it: reading may take longer then
 * @returns `{state, text?}`; the text only in the state "text"
 */
export function read({ data, width, height }, { isStill = false } = {}) {
  try {
    exports ??= new WebAssembly.Instance(module).exports;
    return answer(data, width, height, isStill);
  } catch (error) {
    exports = null; // after a trap nothing in that memory can be relied on
    throw error;
  }
}

function answer(data, width, height, isStill) {
  // A byte more, of any value, says that the picture is still.
  const size = 8 + width * height + (isStill ? 1 : 0);
  const pointer = exports.allocate(size) >>> 0;
  const head = new DataView(exports.memory.buffer, pointer, 8);
  head.setUint32(0, width, true);
  head.setUint32(4, height, true);
  const grey = new Uint8Array(exports.memory.buffer, pointer + 8, width * height);
  // Weights of ITU-R BT.601, in shares of 256.
  for (let to = 0, from = 0; to < grey.length; to += 1, from += 4) {
    grey[to] = (77 * data[from] + 150 * data[from + 1] + 29 * data[from + 2]) >> 8;
  }
  const block = exports.call(pointer, size) >>> 0; // releases the frame
  const length = new DataView(exports.memory.buffer).getUint32(block, true);
  const output = new Uint8Array(exports.memory.buffer, block + 4, length - 4).slice();
  exports.release(block, length);
  const state = states[output[0]];
  return state === "text" ? { state, text: new TextDecoder().decode(output.subarray(1)) } : { state };
}
