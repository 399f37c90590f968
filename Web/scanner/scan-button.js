// A button that scans, and puts what was read where it belongs.

import { busy } from "../shell/dom.js";

/** Makes `button` open the scanner, which is loaded then. `take(text, isFilmed)` gets what was read and whether the camera saw it. */
export function scanButton(button, { title, hint }, take) {
  button.addEventListener("click", () => busy(button, async () => {
    const { scan } = await import("./scan.js");
    const found = await scan({ title, hint });
    if (found) await take(found.text, found.isFilmed);
  }));
}
