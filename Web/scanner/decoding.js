// Where frames are read: in a worker, or in the page itself in a browser whose workers take no modules.

import { ownScript } from "../shell/own-script.js";
import * as reader from "./reader.js";

/**
 * Starts reading; `{isAside, read(image, {isStill}), close()}`. `isAside` says whether a worker does it.
 */
export function startDecoding() {
  const waiting = new Map();
  let count = 0;
  let worker = null;
  try {
    worker = new Worker(ownScript("/assets/scanner/scan-worker.js"), { type: "module" });
    worker.addEventListener("message", ({ data }) => settle(data));
    worker.addEventListener("error", takeOver);
  } catch (error) {
    console.info("reads codes in the page itself:", error.message);
  }

  function settle({ id, found, failed }) {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (found) resolve?.(found);
    else reject?.(new Error(failed));
  }

  /** The worker did not start: what it was given is read here. */
  function takeOver() {
    worker?.terminate();
    worker = null;
    for (const [id, { image, isStill, resolve, reject }] of waiting) {
      waiting.delete(id);
      here(image, isStill).then(resolve, reject);
    }
  }

  async function here(image, isStill) {
    await reader.prepare();
    return reader.read(image, { isStill });
  }

  return {
    get isAside() { return worker !== null; },
    read(image, { isStill = false } = {}) {
      if (!worker) return here(image, isStill);
      count += 1;
      const id = count;
      return new Promise((resolve, reject) => {
        waiting.set(id, { image, isStill, resolve, reject });
        worker.postMessage({ id, isStill, image: { data: image.data, width: image.width, height: image.height } });
      });
    },
    close() {
      worker?.terminate();
      worker = null;
      waiting.clear();
    },
  };
}
