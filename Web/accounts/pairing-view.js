// What both sides of a pairing show.

import { fromB64u } from "../shell/core.js";
import { $, group } from "../shell/dom.js";

const parts = ["new-device", "waiting", "have-keys", "decide", "over"];

/** Shows one part of the page, and no other. */
export function only(id) {
  for (const part of parts) $(`#${part}`).hidden = part !== id;
  $(`#${id} [tabindex="-1"]:not(.error-summary, .notice)`)?.focus();
}

/** The end of it, good or bad. */
export function over({ title, text, href, link }) {
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  $("#over-link").href = href;
  $("#over-link").textContent = link;
  only("over");
}

/** A thumbprint as people compare it: its first 16 bytes are plenty, as the whole of it is in the code. */
export const shown = (key) =>
  group([...fromB64u(key).subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
