// Argon2id for what a person types and no guard counts the tries of.

import { Problem } from "../shell/api.js";
import { CoreError, fromB64u } from "../shell/core.js";
import { ownScript } from "../shell/own-script.js";
import { t } from "../shell/translate.js";

/**
 * Stretches a password, beside the page.
 *
 * @param password bytes
 * @param costs `{salt, memory, passes, lanes}`: bytes, KiB, and two numbers
 * @param signal ends it
 * @returns 32 bytes. Throws CoreError "trap" if the browser has too little memory
 */
export async function stretched(password, costs, signal) {
  signal?.throwIfAborted();
  const worker = new Worker(ownScript("/assets/vault/stretch-worker.js"), { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Problem("cancelled", { detail: t`You cancelled.` })), { once: true });
      worker.onmessage = ({ data: { key, code, message } }) => (key ? resolve(fromB64u(key)) : reject(new CoreError(code, message)));
      worker.onerror = ({ message }) => reject(new CoreError("unavailable", message ?? ""));
      worker.postMessage({ password, ...costs });
    });
  } finally {
    worker.terminate();
  }
}
