// A button that scans, and puts what was read where it belongs.

import { busy } from "../shell/dom.js";

/**
 * Makes `button` open the scanner, which is loaded then. `take(text, isFilmed)` gets what was read and whether the camera
 * saw it.
 *
 * @param more makes what puts several codes together, once for each scan
 */
export function scanButton(button, { title, hint, more }, take) {
  button.addEventListener("click", () => busy(button, async () => {
    const { scan } = await import("./scan.js");
    const found = await scan({ title, hint, more: more?.() });
    if (found) await take(found.text, found.isFilmed);
  }));
}
