// Argon2id beside the page: 64 MiB and three passes take seconds in which nothing else would move.

import { b64u, moduleAt } from "../shell/core.js";

const vault = moduleAt("/assets/vault/vault.wasm");

self.addEventListener("message", async ({ data: { password, salt, memory, passes, lanes } }) => {
  try {
    const { value: { key } } = await vault.call("stretch", { salt: b64u(salt), memory, passes, lanes }, password);
    self.postMessage({ key });
  } catch ({ code, message }) {
    self.postMessage({ code: code ?? "unavailable", message });
  }
});
