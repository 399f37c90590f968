// Tables: making them, and adding and taking away rows and columns. Functions from one state to the next, as in
// text-lines.js.

import { caret, insert, lengthOf, newGroup } from "./text-lines.js";
import { limits } from "./text-model.js";

/** The table in which the caret stands: `{from, to, rows, row, column}`, or `null`. */
export function tableAt({ lines, range: { start } }) {
  const cell = lines[start.line];
  if (cell?.kind !== "cell") return null;
  let [from, to] = [start.line, start.line + 1];
  const isSame = (line) => line?.kind === "cell" && line.group === cell.group;
  while (isSame(lines[from - 1])) from -= 1;
  while (isSame(lines[to])) to += 1;
  const rows = [];
  for (const { row, runs } of lines.slice(from, to)) (rows[row] ??= []).push(runs);
  return { from, to, rows, row: cell.row, column: cell.column };
}

/** Puts a table after the line of the caret, or in its place when it is empty. */
export function insertTable(state, rowCount = 3, columnCount = 2) {
  const { lines, range: { start } } = insert(state, []);
  const line = lines[start.line];
  if (line.kind === "cell") return state;
  const rows = Array.from({ length: rowCount }, () => Array.from({ length: columnCount }, () => []));
  const at = line.runs.length === 0 ? start.line : start.line + 1;
  const isLast = start.line === lines.length - 1;
  // There is always a line after a table, to go on in.
  const after = isLast ? [{ kind: "paragraph", runs: [] }] : [];
  return { lines: lines.toSpliced(at, line.runs.length === 0 ? 1 : 0, ...cellsOf(rows), ...after), range: caret(at, 0) };
}

const changes = {
  "row-above": (rows, { row }) => ({ rows: rows.toSpliced(row, 0, rows[0].map(() => [])), row }),
  "row-below": (rows, { row }) => ({ rows: rows.toSpliced(row + 1, 0, rows[0].map(() => [])), row: row + 1 }),
  "column-before": (rows, { column }) => ({ rows: rows.map((cells) => cells.toSpliced(column, 0, [])), column }),
  "column-after": (rows, { column }) => ({ rows: rows.map((cells) => cells.toSpliced(column + 1, 0, [])), column: column + 1 }),
  "remove-row": (rows, { row }) => ({ rows: rows.toSpliced(row, 1), row: Math.max(0, Math.min(row, rows.length - 2)) }),
  "remove-column": (rows, { column }) => ({
    rows: rows.map((cells) => cells.toSpliced(column, 1)), column: Math.max(0, Math.min(column, rows[0].length - 2)),
  }),
  "remove-table": () => ({ rows: [] }),
};

/** Changes the table of the caret; a table without rows or columns is gone. */
export function changeTable(state, name) {
  const table = tableAt(state);
  if (!table) return state;
  const { rows, row = table.row, column = table.column } = changes[name](table.rows, table);
  if (rows[0]?.length > limits.cells) return state;
  const isGone = rows.length === 0 || rows[0].length === 0;
  const cells = isGone ? [{ kind: "paragraph", runs: [] }] : cellsOf(rows);
  const line = isGone ? table.from : table.from + row * rows[0].length + column;
  return { lines: state.lines.toSpliced(table.from, table.to - table.from, ...cells), range: caret(line, 0) };
}

/** The next cell, or the one before; `null` at the table's end, where Tab leaves the text as it does elsewhere. */
export function neighbourCell(state, step) {
  const table = tableAt(state);
  if (!table) return null;
  const line = state.range.start.line + step;
  return line < table.from || line >= table.to ? null : caret(line, lengthOf(state.lines[line].runs));
}

function cellsOf(rows) {
  const group = newGroup();
  return rows.flatMap((row, index) => row.map((runs, column) => ({ kind: "cell", group, row: index, column, runs })));
}
