// The way to open the keys of this browser, in the page's words.

import { $$ } from "../shell/dom.js";
import { means } from "./words.js";

/** Says in the page's words what opens the keys here, and marks keys that are weaker. */
export function showMeans(owner) {
  for (const place of $$("[data-means]")) place.textContent = means(owner);
  for (const mark of $$("[data-weaker]")) mark.hidden = owner?.kind !== "passphrase";
}
