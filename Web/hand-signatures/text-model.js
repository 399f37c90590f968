// The text of a document: headings, paragraphs, lists and tables of runs, and nothing else. This is what is saved; what
// the page shows is drawn from it and read back into it. No DOM here.
//
// countersign-text-2 has more: alignment, page breaks, the place of the signature and the organisation's header. A text
// without any of it is written in the first form, as it always was.

import { locale, t } from "../shell/translate.js";

export const format = "countersign-text-1";
export const laidOutFormat = "countersign-text-2";

/** Where lines may be; `start` goes without saying. */
export const alignments = ["start", "centre", "end"];

/** The values put in when the document is made for a client. */
export const fields = {
  given_name: t`Given name`, family_name: t`Family name`, number: t`Identity number`, date: t`Date`,
  organisation: t`Organisation`,
};

/** Those that the organisation has defined are named so, with their id. */
const ownField = /^custom:[0-9a-z]{1,64}$/;
export const isField = (name) => Object.hasOwn(fields, name) || ownField.test(name);

/** The name of a field; a removed one may still be in a text. */
export const labelOf = (name) => fields[name] ?? t`Removed field`;

/** Adds those that the organisation has defined. */
export function defineFields(own) {
  for (const { id, label } of own) fields[`custom:${id}`] = label;
}

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
/** Those of the second form alone. */
const moreMembers = {
  heading: [...members.heading, "align"], paragraph: [...members.paragraph, "align"], "page-break": ["kind"],
  signature: ["kind", "runs"],
};

/** The blocks of a text as the server keeps it; anything that the format does not know is refused, not dropped. */
export function parse(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadText(t`no JSON`);
  }
  const isLaidOut = value?.format === laidOutFormat;
  only(value, ["format", "blocks", ...(isLaidOut ? ["header"] : [])]);
  if (!(isLaidOut || value.format === format) || !Array.isArray(value.blocks)) throw new BadText(t`no blocks`);
  if (value.header !== undefined && typeof value.header !== "boolean") throw new BadText(t`a header`);
  return value.blocks.map((one) => block(one, isLaidOut));
}

/** Whether a text that was parsed has the organisation's logo and name at the top. */
export const hasHeader = (text) => JSON.parse(text).header === true;

/** The text of blocks, as it is saved. */
export function serialise(blocks, header = false) {
  const written = blocks.map((one) => block(one, true));
  const hasOwn = (one) => runsOf(one).flat().some(({ field }) => ownField.test(field ?? ""));
  const isLaidOut = header || written.some((one) => one.align || one.kind === "page-break" || one.kind === "signature" || hasOwn(one));
  return JSON.stringify({ format: isLaidOut ? laidOutFormat : format, blocks: written, ...(header && { header }) });
}

/** The reason why these blocks cannot be saved, as a sentence; `""` if they can. */
export function obstacle(blocks) {
  const bytes = new TextEncoder().encode(serialise(blocks)).length;
  if (blocks.length > limits.blocks) return t`This document has ${blocks.length.toLocaleString(locale)} blocks; ${limits.blocks.toLocaleString(locale)} are possible. Make two documents of it.`;
  if (bytes > limits.bytes) return t`This document has ${Math.ceil(bytes / 1024)} KiB of text; ${limits.bytes / 1024} KiB are possible. Make two documents of it.`;
  if (blocks.some(({ rows }) => rows?.[0].length > limits.cells)) return t`A table has more than ${limits.cells} columns. Make two tables of it.`;
  if (blocks.some(({ items, rows }) => (items ?? rows ?? []).length > limits.blocks)) return t`A list or table has more than ${limits.blocks.toLocaleString(locale)} rows. Make two of it.`;
  if (blocks.filter(({ kind }) => kind === "signature").length > 1) return t`This text has two places for the signature. Remove one of them.`;
  return isEmpty(blocks) ? t`Write something first: a document without words cannot be signed.` : "";
}

/** Whether there is nothing to read in it. */
export function isEmpty(blocks) {
  return !blocks.some((one) => runsOf(one).some((line) => line.some((run) => run.field || run.text.trim() !== "")));
}

/** The lines of a block: each a list of runs. */
export function runsOf(one) {
  if (one.kind === "list") return one.items;
  return one.kind === "table" ? one.rows.flat() : [one.runs ?? []];
}

/** A run with those marks that are set. */
export function makeRun(content, { bold = false, italic = false } = {}) {
  return { ...content, ...(bold && { bold }), ...(italic && { italic }) };
}

/** Whether two runs look the same, apart from their words. */
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

function block(value, isLaidOut) {
  const known = isLaidOut ? { ...members, ...moreMembers } : members;
  only(value, Object.hasOwn(known, value?.kind) ? known[value.kind] : []);
  const { align } = value;
  if (align !== undefined && !alignments.includes(align)) throw new BadText(t`an alignment`);
  const place = align === undefined || align === "start" ? {} : { align };
  switch (value.kind) {
    case "heading":
      if (![1, 2, 3].includes(value.level)) throw new BadText(t`a heading's level`);
      return { kind: "heading", level: value.level, runs: line(value.runs), ...place };
    case "paragraph":
      return { kind: "paragraph", runs: line(value.runs), ...place };
    case "signature":
      return { kind: "signature", runs: line(value.runs) };
    case "page-break":
      return { kind: "page-break" };
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
  const isKnown = content === "text" ? typeof value.text === "string" : typeof value.field === "string" && isField(value.field);
  if (!isKnown || marks.some((mark) => value[mark] !== undefined && value[mark] !== true)) throw new BadText(t`a run`);
  return makeRun({ [content]: value[content] }, value);
}

function only(value, names) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new BadText(t`a value`);
  const other = Object.keys(value).find((name) => !names.includes(name));
  if (other !== undefined) throw new BadText(`“${other}”`);
}
