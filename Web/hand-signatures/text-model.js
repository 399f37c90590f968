// The text of a document, countersign-text-1: headings, paragraphs, lists and tables of runs, and nothing else. This is
// what is saved; what the page shows is drawn from it and read back into it. No DOM here.

import { locale, t } from "../shell/translate.js";

export const format = "countersign-text-1";

/** What is put in when the document is made for a client. */
export const fields = {
  given_name: t`Given name`, family_name: t`Family name`, number: t`Identity number`, date: t`Date`,
  organisation: t`Organisation`,
};

/** What the server takes. */
export const limits = { blocks: 2000, bytes: 256 * 1024, cells: 20 };

/** A text that is not of this format. */
export class BadText extends Error {
  constructor(what) {
    super(t`This text is not in the form that this page writes (${what}). Nothing of it is shown, so that nothing of it is lost.`);
  }
}

const marks = ["bold", "italic"];
const members = {
  heading: ["kind", "level", "runs"], paragraph: ["kind", "runs"], list: ["kind", "ordered", "items"],
  table: ["kind", "rows"],
};

/** The blocks of a text as the server keeps it; anything that the format does not know is refused, not dropped. */
export function parse(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadText(t`no JSON`);
  }
  only(value, ["format", "blocks"]);
  if (value.format !== format || !Array.isArray(value.blocks)) throw new BadText(t`no blocks`);
  return value.blocks.map(block);
}

/** The text of blocks, as it is saved. */
export function serialise(blocks) {
  return JSON.stringify({ format, blocks: blocks.map(block) });
}

/** What keeps these blocks from being saved, as a sentence; `""` when nothing does. */
export function obstacle(blocks) {
  const bytes = new TextEncoder().encode(serialise(blocks)).length;
  if (blocks.length > limits.blocks) return t`This document has ${blocks.length.toLocaleString(locale)} blocks; ${limits.blocks.toLocaleString(locale)} are possible. Make two documents of it.`;
  if (bytes > limits.bytes) return t`This document has ${Math.ceil(bytes / 1024)} KiB of text; ${limits.bytes / 1024} KiB are possible. Make two documents of it.`;
  if (blocks.some(({ rows }) => rows?.[0].length > limits.cells)) return t`A table has more than ${limits.cells} columns. Make two tables of it.`;
  if (blocks.some(({ items, rows }) => (items ?? rows ?? []).length > limits.blocks)) return t`A list or table has more than ${limits.blocks.toLocaleString(locale)} rows. Make two of it.`;
  return isEmpty(blocks) ? t`Write something first: a document without words cannot be signed.` : "";
}

/** Whether there is nothing to read in it. */
export function isEmpty(blocks) {
  return !blocks.some((one) => runsOf(one).some((line) => line.some((run) => run.field || run.text.trim() !== "")));
}

/** The lines of a block: each a list of runs. */
export function runsOf(one) {
  if (one.kind === "list") return one.items;
  return one.kind === "table" ? one.rows.flat() : [one.runs];
}

/** A run with those marks that are set. */
export function makeRun(content, { bold = false, italic = false } = {}) {
  return { ...content, ...(bold && { bold }), ...(italic && { italic }) };
}

/** Whether two runs look the same, whatever they say. */
export const areAlike = (one, other) => marks.every((mark) => Boolean(one[mark]) === Boolean(other[mark]));

/** Runs without empty ones, and with neighbours of one look as one. */
export function merged(runs) {
  const result = [];
  for (const run of runs) {
    const last = result.at(-1);
    if (run.field === undefined && run.text === "") continue;
    if (last?.text !== undefined && run.text !== undefined && areAlike(last, run)) {
      result[result.length - 1] = { ...last, text: last.text + run.text };
    } else {
      result.push(run);
    }
  }
  return result;
}

function block(value) {
  only(value, Object.hasOwn(members, value?.kind) ? members[value.kind] : []);
  switch (value.kind) {
    case "heading":
      if (![1, 2, 3].includes(value.level)) throw new BadText(t`a heading's level`);
      return { kind: "heading", level: value.level, runs: line(value.runs) };
    case "paragraph":
      return { kind: "paragraph", runs: line(value.runs) };
    case "list":
      if (typeof value.ordered !== "boolean") throw new BadText(t`a list's kind`);
      return { kind: "list", ordered: value.ordered, items: several(value.items).map(line) };
    case "table":
      return { kind: "table", rows: rows(value.rows) };
    default:
      throw new BadText(t`a block's kind`);
  }
}

function rows(value) {
  const all = several(value).map((row) => several(row).map(line));
  if (all.some((row) => row.length !== all[0].length)) throw new BadText(t`a table's rows`);
  return all;
}

function several(value) {
  if (!Array.isArray(value) || value.length === 0) throw new BadText(t`an empty list`);
  return value;
}

function line(value) {
  if (!Array.isArray(value)) throw new BadText(t`a line`);
  return merged(value.map(run));
}

function run(value) {
  const content = value?.field === undefined ? "text" : "field";
  only(value, [content, ...marks]);
  const isKnown = content === "text" ? typeof value.text === "string" : Object.hasOwn(fields, value.field);
  if (!isKnown || marks.some((mark) => value[mark] !== undefined && value[mark] !== true)) throw new BadText(t`a run`);
  return makeRun({ [content]: value[content] }, value);
}

function only(value, names) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new BadText(t`a value`);
  const other = Object.keys(value).find((name) => !names.includes(name));
  if (other !== undefined) throw new BadText(`“${other}”`);
}
