// Writes or reads one export beside the page: sealing and unpacking would keep the page from moving.

import { moduleAt } from "../shell/core.js";

const exporting = moduleAt("/assets/vault/export.wasm");

self.addEventListener("message", async ({ data: { id, name, args, blobs } }) => {
  try {
    const answer = await exporting.call(name, args, ...blobs);
    self.postMessage({ id, answer }, [...new Set(answer.blobs.map(({ buffer }) => buffer))]);
  } catch ({ code, message }) {
    self.postMessage({ id, error: { code, message } });
  }
});
