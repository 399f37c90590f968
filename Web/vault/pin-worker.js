// Stretches a PIN beside the page: 64 MiB and three passes take a second in which nothing else would move.

import { pinInput } from "./kernel.js";

self.addEventListener("message", async ({ data: { pin, salt } }) => {
  try {
    self.postMessage({ input: await pinInput(pin, salt) });
  } catch (error) {
    self.postMessage({ error: error.message });
  }
});
