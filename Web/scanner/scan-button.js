// A button that scans, and puts what was read where it belongs.

import { busy } from "../shell/dom.js";

/** Makes `button` open the scanner, which is loaded then. `take(text)` gets what was read. */
export function scanButton(button, { title, hint }, take) {
  button.addEventListener("click", () => busy(button, async () => {
    const { scan } = await import("./scan.js");
    const text = await scan({ title, hint });
    if (text !== null) await take(text);
  }));
}
