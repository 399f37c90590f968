// How a text is laid out: alignment, page breaks, and the place of the signature. Functions from one state to the next, as
// in text-lines.js. No DOM here.

import { t } from "../shell/translate.js";
import { caret, insert, isCollapsed, lengthOf, slice } from "./text-lines.js";
import { merged } from "./text-model.js";

const paragraph = (runs = []) => ({ kind: "paragraph", runs });

/** Puts the selected headings and paragraphs at the start, in the centre or at the end of their lines. */
export function setAlignment({ lines, range }, align) {
  const isMeant = ({ kind }, index) => index >= range.start.line && index <= range.end.line && (kind === "paragraph" || kind === "heading");
  return {
    lines: lines.map((line, index) => {
      if (!isMeant(line, index)) return line;
      const { align: before, ...rest } = line;
      return align === "start" ? rest : { ...rest, align };
    }),
    range,
  };
}

/** What follows the caret begins on another page. */
export function breakPage(state) {
  const { lines, range: { start } } = insert(state, []);
  const line = lines[start.line];
  if (line.kind === "cell" || line.kind === "page-break") return state;
  // The place of the signature is not cut in two.
  const cut = line.kind === "signature" ? lengthOf(line.runs) : start.offset;
  const [before, after] = [slice(line.runs, 0, cut), slice(line.runs, cut)];
  const isAtEnd = after.length === 0;
  const rest = isAtEnd && start.line < lines.length - 1 && before.length > 0 ? [] : [isAtEnd ? paragraph() : { ...line, runs: merged(after) }];
  const parts = [...(before.length > 0 ? [{ ...line, runs: merged(before) }] : []), { kind: "page-break", runs: [] }, ...rest];
  const at = start.line + (before.length > 0 ? 2 : 1);
  return { lines: lines.toSpliced(start.line, 1, ...parts), range: caret(at, 0) };
}

/** The place of the signature is below the line of the caret; a text has one, which moves there. */
export function placeSignature(state) {
  const { lines, range: { start } } = insert(state, []);
  const line = lines[start.line];
  if (line.kind === "cell" || line.kind === "signature") return state;
  const old = lines.find(({ kind }) => kind === "signature");
  const place = old ?? { kind: "signature", runs: [{ text: t`Signature of the client` }] };
  const isEmpty = line.runs.length === 0 && line.kind !== "page-break";
  const isLast = start.line === lines.length - 1;
  const put = lines.toSpliced(isEmpty ? start.line : start.line + 1, isEmpty ? 1 : 0, place, ...(isLast ? [paragraph()] : []));
  // Now it is there twice; the earlier one goes.
  const kept = old ? put.toSpliced(lines.indexOf(old) > start.line ? put.lastIndexOf(place) : put.indexOf(place), 1) : put;
  const at = kept.indexOf(place);
  return { lines: kept, range: caret(at, lengthOf(place.runs)) };
}

/** A caret cannot be in a page break: it is in the next line, or in the one before. */
export function settled(lines, range) {
  if (!range || !isCollapsed(range) || lines[range.start.line]?.kind !== "page-break") return range;
  const isText = ({ kind }) => kind !== "page-break";
  const next = lines.findIndex((line, index) => index > range.start.line && isText(line));
  if (next >= 0) return caret(next, 0);
  const before = lines.findLastIndex(isText);
  return before < 0 ? range : caret(before, lengthOf(lines[before].runs));
}
