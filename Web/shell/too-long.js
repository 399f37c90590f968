// A text that is longer than it may be: how much of it must go, as people count.

import { byteLength } from "./text.js";
import { plural } from "./translate.js";

/**
 * How many characters a text has too many, in words; empty when it fits. Where a limit counts bytes of UTF-8, it is what must go
 * from the end until the rest fits: nobody can count bytes.
 *
 * Where a limit counts code points too, as the server does after composing letters, only marks can be too many: what people
 * call one character has several of them.
 */
export function tooLong(text, { characters = Infinity, bytes = Infinity, codePoints = Infinity }) {
  const kept = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  const had = kept.length;
  let size = byteLength(text);
  while (kept.length > characters || size > bytes) size -= byteLength(kept.pop());
  const over = had - kept.length;
  if (over > 0) return plural(over, "Too long: {0} character over.", "Too long: {0} characters over.");
  const marks = [...text.normalize("NFC")].length - codePoints;
  return marks > 0 ? plural(marks, "Too many accents and marks on the letters: {0} over.",
    "Too many accents and marks on the letters: {0} over.") : "";
}
