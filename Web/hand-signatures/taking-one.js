// One signature that must be like some others, which are there already.

import { t } from "../shell/translate.js";
import { takeSignatures } from "./capture.js";
import { strangers } from "./signature-core.js";

/** How often it is sent back from here; then the server says what is so. */
const mostDoubts = 2;

/**
 * Takes it.
 *
 * @param others captures' texts; four of them are compared
 * @param tool what the others were written with
 * @param way where: "here" or "phone"
 * @returns the capture's text, or `null` when it was given up
 */
export async function takeOne({ title, words, others, tool, way }) {
  let doubts = 0;
  const taken = await takeSignatures({
    title, words, tool, way, count: 1,
    check: async ([capture]) => {
      const all = [...others.slice(0, 4), capture];
      if (doubts === mostDoubts || !(await strangers(all)).includes(all.length - 1)) return null;
      doubts += 1;
      return t`That is not like the others. Please write it again, as you always do.`;
    },
  });
  return taken?.captures[0] ?? null;
}
