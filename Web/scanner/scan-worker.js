// Reads codes beside the page, so that the page stays quick while the camera runs.

import { prepare, read } from "./reader.js";

addEventListener("message", async ({ data: { id, image } }) => {
  try {
    await prepare();
    postMessage({ id, found: read(image) });
  } catch (error) {
    postMessage({ id, failed: error.message });
  }
});
