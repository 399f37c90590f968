// Messages that are too long for one code, and come as several, one after the other.

import { CoreError, b64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { call } from "./protocol.js";

/** Whether a text is one of several. */
export const isPart = (text) => /^(web\+)?authreq:2:[0-9]+\/[0-9]+\//.test(text);

/** A question as a page shows it to be scanned, `LINK#CODE`: `{link, code}`; without a code, the whole text as `link`. */
export function withoutCode(text) {
  const [, link, code] = /^((?:web\+)?authreq:2:[^#]*)#([0-9]{2,12})$/.exec(text) ?? [null, text, ""];
  return { link, code };
}

/**
 * Puts the codes of one scan together: for `more` of scanner/scan.js.
 *
 * @returns takes a text; gives null for one that is no part, `{text}` with the whole message as a link once all parts are
 *   there, and before that `{words}` of how far it is
 */
export function collector() {
  let texts = new Set();
  return async (text) => {
    if (!isPart(text)) return null;
    texts.add(text);
    try {
      const { value: { received, expected }, blobs: [message] } = await call("join_parts", { texts: [...texts] });
      return message ? { text: `authreq:2:${b64u(message)}` } : { words: t`${received} of ${expected} codes are read. Go on filming.` };
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      texts = new Set();
      return { words: t`These codes do not belong together. Begin again.` };
    }
  };
}

/** How long each code of several stays on the screen, in milliseconds. */
const pace = 400;

/**
 * Shows a message as a code, or as several in turn until `signal` is aborted.
 *
 * @param draw draws a text; `say` tells which of how many it is
 */
export async function showCodes(message, { draw, say, signal }) {
  const { value: { links } } = await call("links", {}, message);
  say("");
  for (let index = 0; !signal.aborted; index = (index + 1) % links.length) {
    await draw(links[index]);
    if (links.length === 1) return;
    say(t`Code ${index + 1} of ${links.length}, again and again`);
    await new Promise((resolve) => { setTimeout(resolve, pace); });
  }
}
