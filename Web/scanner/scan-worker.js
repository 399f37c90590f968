// Reads codes beside the page, so that the page stays quick while the camera runs.

import { prepare, read } from "./reader.js";

addEventListener("message", async ({ data: { id, image, isStill } }) => {
  try {
    await prepare();
    postMessage({ id, found: read(image, { isStill }) });
  } catch (error) {
    postMessage({ id, failed: error.message });
  }
});
