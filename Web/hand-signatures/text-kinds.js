// Changing what lines are: headings, lists, bold and italic. Functions from one state to the next, as in text-lines.js.

import { insert, isCollapsed, lengthOf, newGroup, slice, toLines } from "./text-lines.js";
import { makeRun, merged } from "./text-model.js";

/** Makes the selected lines paragraphs (level 0) or headings (1 to 3); cells stay what they are. */
export function setLevel(state, level) {
  return changed(state, ({ runs, align }) => ({ ...(level === 0 ? { kind: "paragraph" } : { kind: "heading", level }), runs, ...(align && { align }) }));
}

/** Makes the selected lines items of a list of this kind, or, when all of them are, paragraphs. */
export function toggleList(state, ordered) {
  const chosen = selected(state).filter(({ kind }) => kind !== "cell");
  if (chosen.every((line) => line.kind === "item" && line.ordered === ordered)) return setLevel(state, 0);
  // Beside a list of the same kind they become part of it.
  const { lines, range: { start, end } } = state;
  const neighbour = [lines[start.line - 1], lines[end.line + 1]].find((line) => line?.kind === "item" && line.ordered === ordered);
  const group = neighbour?.group ?? newGroup();
  return changed(state, ({ runs }) => ({ kind: "item", ordered, group, runs }));
}

/** Whether everything that is selected has the look. */
export function has(state, mark) {
  const runs = selectedRuns(state).flat();
  return runs.length > 0 && runs.every((run) => run[mark]);
}

/** Gives the look to what is selected, or takes it away when all of it has it. */
export function toggle(state, mark) {
  const isOn = !has(state, mark);
  const { lines, range: { start, end } } = state;
  return {
    lines: lines.map((line, index) => {
      if (index < start.line || index > end.line) return line;
      const [from, to] = [index === start.line ? start.offset : 0, index === end.line ? end.offset : lengthOf(line.runs)];
      const middle = slice(line.runs, from, to).map(({ bold, italic, ...content }) => makeRun(content, { bold, italic, [mark]: isOn }));
      return { ...line, runs: merged([...slice(line.runs, 0, from), ...middle, ...slice(line.runs, to)]) };
    }),
    range: state.range,
  };
}

/** Puts blocks in place of what is selected: one line of text into the line, more as lines of their own. */
export function paste(state, blocks) {
  const added = toLines(blocks);
  if (added.length === 0) return state;
  const isInCell = state.lines[state.range.start.line].kind === "cell";
  if (isInCell) return insert(state, below(added));
  if (blocks.length === 1 && blocks[0].kind === "paragraph") return insert(state, blocks[0].runs);
  const { lines, range: { start } } = insert(state, []);
  const line = lines[start.line];
  const [before, after] = [slice(line.runs, 0, start.offset), slice(line.runs, start.offset)];
  const whole = [
    ...(before.length > 0 ? [{ ...line, runs: before }] : []), ...added, ...(after.length > 0 ? [{ ...line, runs: after }] : []),
  ];
  // After a table there is always a line to go on in.
  const isOpen = added.at(-1).kind === "cell" && after.length === 0 && start.line === lines.length - 1;
  if (isOpen) whole.push({ kind: "paragraph", runs: [] });
  const last = start.line + (before.length > 0 ? 1 : 0) + added.length - 1;
  const place = isOpen ? { line: last + 1, offset: 0 } : { line: last, offset: lengthOf(added.at(-1).runs) };
  return { lines: lines.toSpliced(start.line, 1, ...whole), range: { start: place, end: place } };
}

/** The runs of lines as one line that goes on below. */
const below = (lines) => merged(lines.flatMap(({ runs }, index) => (index > 0 ? [{ text: "\n" }, ...runs] : runs)));

const selected = ({ lines, range: { start, end } }) => lines.slice(start.line, end.line + 1);

/** The selected part of each selected line; without a selection, the text before the caret. */
export function selectedRuns(state) {
  const { range: { start, end } } = state;
  if (isCollapsed(state.range)) {
    const { runs } = selected(state)[0];
    return [start.offset > 0 ? slice(runs, start.offset - 1, start.offset) : slice(runs, 0, 1)];
  }
  return selected(state).map(({ runs }, index, all) => slice(
    runs, index === 0 ? start.offset : 0, index === all.length - 1 ? end.offset : Infinity));
}

function changed({ lines, range }, change) {
  const { start, end } = range;
  const isMeant = (line, index) => index >= start.line && index <= end.line && line.kind !== "cell" && line.kind !== "page-break";
  return { lines: lines.map((line, index) => (isMeant(line, index) ? change(line) : line)), range };
}
