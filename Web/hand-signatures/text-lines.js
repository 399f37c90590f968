// Editing the text of a document, as functions from one state to the next: `{lines, range}`. A line is any place for
// the caret: a heading, a paragraph, an item of a list, a cell of a table. No DOM here.
//
// A place is `{line, offset}`: the line's number, and characters from its beginning, where a field counts as one. A range
// is `{start, end}`.

import { makeRun, merged } from "./text-model.js";

let made = 0;
/** A name that tells apart two lists or tables beside each other. */
export const newGroup = () => (made += 1);

/** The lines of blocks. */
export function toLines(blocks) {
  return blocks.flatMap((block) => {
    const group = newGroup();
    switch (block.kind) {
      case "list":
        return block.items.map((runs) => ({ kind: "item", ordered: block.ordered, group, runs }));
      case "table":
        return block.rows.flatMap((row, index) => row.map((runs, column) => ({ kind: "cell", group, row: index, column, runs })));
      case "page-break":
        return [{ ...block, runs: [] }];
      default:
        return [block];
    }
  });
}

/** The blocks of lines. */
export function toBlocks(lines) {
  const blocks = [];
  let last = null;
  for (const { group, row, column, ...line } of lines) {
    const isSame = group !== undefined && last === group;
    last = group;
    if (line.kind === "item") {
      if (isSame) blocks.at(-1).items.push(line.runs);
      else blocks.push({ kind: "list", ordered: line.ordered, items: [line.runs] });
    } else if (line.kind === "cell") {
      if (!isSame) blocks.push({ kind: "table", rows: [] });
      if (column === 0) blocks.at(-1).rows.push([]);
      blocks.at(-1).rows.at(-1).push(line.runs);
    } else {
      blocks.push(line.kind === "page-break" ? { kind: line.kind } : line);
    }
  }
  return blocks;
}

export const lengthOf = (runs) => runs.reduce((sum, run) => sum + (run.field === undefined ? run.text.length : 1), 0);

/** The runs between two offsets. */
export function slice(runs, from, to = Infinity) {
  const result = [];
  let place = 0;
  for (const run of runs) {
    const length = lengthOf([run]);
    const [start, end] = [Math.max(from - place, 0), Math.min(to - place, length)];
    if (start < end) result.push(run.field === undefined ? { ...run, text: run.text.slice(start, end) } : run);
    place += length;
  }
  return result;
}

export const isCollapsed = ({ start, end }) => start.line === end.line && start.offset === end.offset;
export const caret = (line, offset) => ({ start: { line, offset }, end: { line, offset } });

const paragraph = (runs = []) => ({ kind: "paragraph", runs });
const replaced = (lines, index, ...others) => lines.toSpliced(index, 1, ...others);
const withRuns = (line, runs) => ({ ...line, runs: merged(runs) });

/** Without what is selected. Cells are emptied, and stay; a table that is selected as a whole goes. */
export function remove({ lines, range }) {
  const { start, end } = range;
  if (start.line === end.line) {
    const { runs } = lines[start.line];
    const rest = [...slice(runs, 0, start.offset), ...slice(runs, end.offset)];
    return { lines: replaced(lines, start.line, withRuns(lines[start.line], rest)), range: caret(start.line, start.offset) };
  }
  const [first, last] = [lines[start.line], lines[end.line]];
  const head = slice(first.runs, 0, start.offset);
  const tail = slice(last.runs, end.offset);
  const isInTable = first.kind === "cell" || last.kind === "cell";
  const edges = [first, last].filter(({ kind }) => kind === "cell").map(({ group }) => group);
  const middle = lines.slice(start.line + 1, end.line).filter((line) => edges.includes(line.group)).map((line) => withRuns(line, []));
  const kept = isInTable
    ? [withRuns(first, head), ...middle, withRuns(last, tail)]
    : [withRuns(first.kind === "page-break" ? paragraph() : first, [...head, ...tail])];
  return { lines: lines.toSpliced(start.line, end.line - start.line + 1, ...kept), range: caret(start.line, start.offset) };
}

/** With these runs in place of what is selected. */
export function insert(state, runs) {
  const { lines, range: { start } } = isCollapsed(state.range) ? state : remove(state);
  const line = lines[start.line];
  const whole = [...slice(line.runs, 0, start.offset), ...runs, ...slice(line.runs, start.offset)];
  return { lines: replaced(lines, start.line, withRuns(line, whole)), range: caret(start.line, start.offset + lengthOf(runs)) };
}

/** Enter: another line of the same kind; after a heading a paragraph; an empty item leaves its list. */
export function breakLine(state) {
  const { lines, range: { start } } = isCollapsed(state.range) ? state : remove(state);
  const line = lines[start.line];
  if (line.kind === "cell") return goBelow(state);
  const length = lengthOf(line.runs);
  if (line.kind === "item" && length === 0) return { lines: replaced(lines, start.line, paragraph()), range: caret(start.line, 0) };
  const [before, after] = [slice(line.runs, 0, start.offset), slice(line.runs, start.offset)];
  const isNew = line.kind === "signature" || (line.kind === "heading" && start.offset === length);
  const next = isNew ? paragraph(after) : withRuns(line, after);
  return { lines: replaced(lines, start.line, withRuns(line, before), next), range: caret(start.line + 1, 0) };
}

/** Shift and Enter: the same line goes on below, as in an address. */
export function goBelow(state) {
  return insert(state, [makeRun({ text: "\n" }, lookAt(state))]);
}

/** Backspace: a field or character; at the beginning of a line what ties it to the one before. */
export function backward({ lines, range: { start } }) {
  const line = lines[start.line];
  if (start.offset > 0) {
    const from = start.offset - lastCharacter(slice(line.runs, 0, start.offset));
    return remove({ lines, range: { start: { line: start.line, offset: from }, end: start } });
  }
  if (line.kind === "item" || line.kind === "signature" || (line.kind === "heading" && start.line === 0)) {
    return { lines: replaced(lines, start.line, paragraph(line.runs)), range: caret(start.line, 0) };
  }
  if (line.kind === "cell" || start.line === 0) return { lines, range: caret(start.line, 0) };
  if (lines[start.line - 1].kind === "page-break") return { lines: lines.toSpliced(start.line - 1, 1), range: caret(start.line - 1, 0) };
  return joined(lines, start.line);
}

/** Delete: the same in the other direction. */
export function forward({ lines, range: { start } }) {
  const line = lines[start.line];
  if (start.offset < lengthOf(line.runs)) {
    const to = start.offset + firstCharacter(slice(line.runs, start.offset));
    return remove({ lines, range: { start, end: { line: start.line, offset: to } } });
  }
  const next = lines[start.line + 1];
  if (!next || line.kind === "cell") return { lines, range: caret(start.line, start.offset) };
  if (next.kind === "page-break") return { lines: lines.toSpliced(start.line + 1, 1), range: caret(start.line, start.offset) };
  // An empty paragraph before a table goes; anything else stays apart from it.
  if (next.kind === "cell" && line.runs.length > 0) return { lines, range: caret(start.line, start.offset) };
  if (next.kind === "cell") return { lines: lines.toSpliced(start.line, 1), range: caret(start.line, 0) };
  return { ...joined(lines, start.line + 1), range: caret(start.line, start.offset) };
}

/** The line is joined to the one before it. */
function joined(lines, index) {
  const [before, line] = [lines[index - 1], lines[index]];
  const offset = lengthOf(before.runs);
  if (before.kind === "cell" && line.runs.length > 0) return { lines, range: caret(index, 0) };
  return {
    lines: lines.toSpliced(index - 1, 2, withRuns(before, [...before.runs, ...line.runs])), range: caret(index - 1, offset),
  };
}

const graphemes = new Intl.Segmenter();

function lastCharacter(runs) {
  const last = runs.at(-1);
  return last.field === undefined ? [...graphemes.segment(last.text)].at(-1).segment.length : 1;
}

function firstCharacter([first]) {
  return first.field === undefined ? graphemes.segment(first.text)[Symbol.iterator]().next().value.segment.length : 1;
}

/** The look of what would be typed here. */
export function lookAt({ lines, range: { start } }) {
  const { runs } = lines[start.line];
  const [run] = start.offset > 0 ? slice(runs, start.offset - 1, start.offset) : slice(runs, 0, 1);
  return makeRun({}, run);
}
