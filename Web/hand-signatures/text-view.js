// Shows the text of a document in the page, reads it back, and says where the caret is in it.

import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { builder } from "./text-builder.js";
import { labelOf } from "./text-model.js";

/** A mark of no width: beside a field, a caret needs something to be in. */
const nothing = "\u200b";
const leafNames = "p, h1, h2, h3, li, th, td";

/** The element of a block. */
export function drawBlock(block) {
  switch (block.kind) {
    case "heading":
      return make(`h${block.level}`, looks(block), ...drawRuns(block.runs));
    case "page-break":
      return make("p", { class: "page-break", contenteditable: "false", "data-label": t`Page break` });
    case "signature":
      return make("p", { class: "signature" }, ...drawRuns(block.runs));
    case "list":
      return make(block.ordered ? "ol" : "ul", {}, ...block.items.map((runs) => make("li", {}, ...drawRuns(runs))));
    case "table":
      return make("table", {}, make("tbody", {}, ...block.rows.map((row, index) => make("tr", {},
        ...row.map((runs) => make(index === 0 ? "th" : "td", {}, ...drawRuns(runs)))))));
    default:
      return make("p", looks(block), ...drawRuns(block.runs));
  }
}

const looks = ({ align }) => (align ? { class: align } : {});

function drawRuns(runs) {
  const nodes = runs.flatMap((run, index) => {
    const isField = run.field !== undefined;
    const before = isField && runs[index - 1]?.text === undefined ? [nothing] : [];
    // At the end, after a field and after the end of a line, the caret needs something to be in.
    const after = index === runs.length - 1 && (isField || run.text.endsWith("\n")) ? [nothing] : [];
    const content = isField ? chip(run.field) : run.text;
    const inner = run.italic ? make("em", {}, content) : content;
    return [...before, run.bold ? make("strong", {}, inner) : inner, ...after];
  });
  return nodes.length > 0 ? nodes : [make("br")];
}

function chip(field) {
  return make("span", { class: "chip", "data-field": field, contenteditable: "false" }, labelOf(field));
}

/** The text in the page, as blocks. */
export function readBlocks(root) {
  const into = builder({ isOwn: true });
  const walk = (nodes) => {
    for (const node of nodes) {
      if (node.nodeType === Node.TEXT_NODE) into.text(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      if (!into.open(node.localName, (name) => node.getAttribute(name))) continue;
      walk(node.childNodes);
      into.close(node.localName);
    }
  };
  walk(root.childNodes);
  return into.blocks();
}

/** Whether the page holds an element that is not ours: browsers put some in by themselves. */
export function isForeign(root) {
  return Boolean(root.querySelector(":not(p, h1, h2, h3, ul, ol, li, table, tbody, tr, th, td, strong, em, br, span.chip), [style]"))
    || [...root.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
}

/** Draws blocks; those that have not changed keep their elements. */
export function draw(root, blocks) {
  const wanted = blocks.map((block) => JSON.stringify(block));
  const there = [...root.childNodes];
  const isSame = (node, text) => node?.source === text;
  let start = 0;
  while (start < wanted.length && isSame(there[start], wanted[start])) start += 1;
  let end = 0;
  while (end < wanted.length - start && end < there.length - start && isSame(there.at(-1 - end), wanted.at(-1 - end))) end += 1;
  const fresh = blocks.slice(start, blocks.length - end).map((block, index) => {
    const element = drawBlock(block);
    element.source = wanted[start + index];
    return element;
  });
  const old = there.slice(start, there.length - end);
  const after = there[there.length - end] ?? null;
  for (const node of old) node.remove();
  for (const element of fresh) root.insertBefore(element, after);
}

/** After typing: what was changed is no longer what was drawn. */
export function remember(root, blocks) {
  [...root.children].forEach((element, index) => { element.source = JSON.stringify(blocks[index]); });
}

/** Where a node and an offset in it are in the text: `{line, offset}`, or `null` outside of it. */
export function placeOf(root, node, offset) {
  if (!root.contains(node)) return null;
  const leaves = [...root.querySelectorAll(leafNames)];
  const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  const leaf = element.closest(leafNames);
  if (!leaf || !root.contains(leaf)) return betweenLines(root, leaves, node, offset);
  let count = 0;
  let isFound = false;
  const visit = (one) => {
    if (isFound) return;
    if (one.nodeType === Node.TEXT_NODE) {
      const text = one === node ? one.data.slice(0, offset) : one.data;
      count += text.replaceAll(nothing, "").length;
      isFound = one === node;
      return;
    }
    // In a field, or before its words: it counts as a whole, and the caret is behind it.
    if (one.dataset?.field !== undefined) {
      count += 1;
      isFound = one.contains(node);
      return;
    }
    [...one.childNodes].forEach((child, index) => {
      if (one === node && index === offset) isFound = true;
      visit(child);
    });
    if (one === node) isFound = true;
  };
  visit(leaf);
  return { line: leaves.indexOf(leaf), offset: count };
}

/** A place between blocks, rows or items belongs to the line that follows, or to the end of the last. */
function betweenLines(root, leaves, node, offset) {
  if (leaves.length === 0) return null;
  const next = node.childNodes[offset];
  const isBefore = (leaf) => next && (next === leaf || next.contains(leaf) || next.compareDocumentPosition(leaf) & Node.DOCUMENT_POSITION_FOLLOWING);
  const line = leaves.findIndex(isBefore);
  if (line >= 0) return { line, offset: 0 };
  const inside = node === root ? leaves : leaves.filter((leaf) => node.contains(leaf));
  const last = inside.at(-1) ?? leaves.at(-1);
  return placeOf(root, last, last.childNodes.length);
}

/** The node and offset of a place, for the selection. */
export function nodeAt(root, { line, offset }) {
  const leaves = root.querySelectorAll(leafNames);
  const leaf = leaves[Math.min(line, leaves.length - 1)];
  let rest = offset;
  let found = null;
  const visit = (one) => {
    if (found) return;
    if (one.nodeType === Node.TEXT_NODE) {
      const length = one.data.replaceAll(nothing, "").length;
      if (rest <= length) found = { node: one, offset: rawOffset(one.data, rest) };
      rest -= length;
    } else if (one.dataset?.field !== undefined) {
      rest -= 1;
    } else {
      for (const child of one.childNodes) visit(child);
    }
  };
  visit(leaf);
  return found ?? { node: leaf, offset: leaf.firstChild?.localName === "br" ? 0 : leaf.childNodes.length };
}

/** Where the selection is in the text: `{start, end}`, or `null` when it is elsewhere. */
export function selectionIn(root) {
  const selection = getSelection();
  return selection.rangeCount === 0 ? null : rangeIn(root, selection.getRangeAt(0));
}

/** The same for a range of the page. */
export function rangeIn(root, { startContainer, startOffset, endContainer, endOffset }) {
  const [start, end] = [placeOf(root, startContainer, startOffset), placeOf(root, endContainer, endOffset)];
  return start && end && { start, end };
}

/** Puts the selection there, and into view. */
export function select(root, range) {
  const [start, end] = [nodeAt(root, range.start), nodeAt(root, range.end)];
  getSelection().setBaseAndExtent(start.node, start.offset, end.node, end.offset);
  const element = end.node.nodeType === Node.TEXT_NODE ? end.node.parentElement : end.node;
  element.scrollIntoView?.({ block: "nearest" });
}

/** The offset in a text that has marks of no width: behind them, so that what is typed goes on from there. */
function rawOffset(text, offset) {
  let count = 0;
  for (let index = 0; index <= text.length; index += 1) {
    if (count === offset && text[index] !== nothing) return index;
    if (text[index] !== nothing) count += 1;
  }
  return text.length;
}
