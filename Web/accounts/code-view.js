// A code that another device scans: drawn, as text to copy, and with the time that it has left.

import { now } from "../shell/clock.js";
import { $ } from "../shell/dom.js";
import { drawQR } from "../shell/qr.js";

/**
 * Shows a code in `root`, which has parts for it: `[data-qr]`, `[data-code]` for its text, `[data-left]` for the time.
 *
 * @param code `{text, expires}`, `expires` in seconds since 1970
 * @param label what people hear who do not see the code; @param over is called when its time is over
 * @param signal takes the code away
 */
export async function showCode(root, { text, expires }, { label, over, signal }) {
  await drawQR($("[data-qr]", root), text, { label, level: "L" });
  if (signal.aborted) return;
  $("[data-code]", root).textContent = text;
  const left = $("[data-left]", root);
  const tick = () => {
    const seconds = Math.max(0, expires - now());
    left.textContent = `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
    if (seconds === 0 && !signal.aborted) over();
  };
  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    $("[data-qr]", root).replaceChildren();
    $("[data-code]", root).textContent = "";
  });
  tick();
}
