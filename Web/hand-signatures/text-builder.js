// Makes blocks out of a stream of elements and texts, whether they are read from the page or from what was pasted. The
// few elements that the model knows become its blocks; every other one is only what it holds. No DOM here.

import { alignments, isField, makeRun, merged } from "./text-model.js";

const levels = { h1: 1, h2: 2, h3: 3, h4: 3, h5: 3, h6: 3 };
const lists = { ul: false, ol: true, menu: false };
const cells = new Set(["td", "th"]);
const bolds = new Set(["b", "strong"]);
const italics = new Set(["i", "em", "cite", "dfn", "var"]);

/** Elements that begin a line of their own and mean nothing else here. */
const boxes = new Set([
  "p", "div", "section", "article", "aside", "header", "footer", "main", "nav", "address", "blockquote", "pre", "figure",
  "figcaption", "form", "fieldset", "legend", "details", "summary", "dialog", "dl", "dt", "dd", "hr", "body", "html",
  "caption", "center", "search", "hgroup", ...Object.keys(levels),
]);

/** Elements whose inside is no text for people. */
const silent = new Set([
  "script", "style", "head", "title", "template", "noscript", "iframe", "object", "embed", "svg", "math", "textarea",
  "select", "option", "audio", "video", "canvas", "meta", "link", "img", "input", "button", "map", "area", "noembed",
  "noframes", "xmp", "plaintext",
]);

/** Controls, and the mark of no width that the page puts beside fields so that the caret finds its place. */
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b]/g;

/**
 * A builder: `open(name, attribute)` answers whether to go on into the element, `close(name)` ends it, `text(words)` adds
 * to the line that is open, `blocks()` gives what was made.
 *
 * @param isOwn whether it is our own page that is read: then spaces count, and so do empty lines
 */
export function builder({ isOwn = false } = {}) {
  const made = [];
  const looks = [{ bold: false, italic: false }];
  let line = null;
  /** Line ends that count only if something follows them in the same line. */
  let breaks = 0;
  let list = null;
  let listDepth = 0;
  /** `{align}` of the paragraph that begins with the next words, or nothing. */
  let place = {};
  let table = null;
  let tableDepth = 0;

  function begin(runs) {
    breaks = 0;
    line = runs;
    return runs;
  }

  /** Ends the line; in an item and in a cell, which are one line, it goes on below. */
  function end() {
    place = {};
    if (line && (table || list)) breaks = Math.max(breaks, 1);
    else line = null;
  }

  function add(content) {
    if (!line) {
      // Between the cells of a table nothing is said.
      if (table) return;
      if (list) list.items.push(begin([]));
      else made.push({ kind: "paragraph", runs: begin([]), ...place });
    }
    if (breaks > 0 && line.length > 0) line.push(makeRun({ text: "\n".repeat(breaks) }, looks.at(-1)));
    breaks = 0;
    line.push(makeRun(content, looks.at(-1)));
  }

  function look(name, attribute) {
    const style = attribute("style") ?? "";
    const weight = /font-weight\s*:\s*(\w+)/i.exec(style)?.[1];
    const slant = /font-style\s*:\s*(\w+)/i.exec(style)?.[1];
    const { bold, italic } = looks.at(-1);
    // Word processors write <b style="font-weight:normal"> around everything.
    return {
      bold: weight ? weight === "bold" || weight === "bolder" || Number(weight) >= 600 : bold || bolds.has(name),
      italic: slant ? slant === "italic" || slant === "oblique" : italic || italics.has(name),
    };
  }

  function open(name, attribute = () => null) {
    if (silent.has(name)) return false;
    if (name === "br") {
      if (line) breaks += 1;
      return false;
    }
    const field = name === "span" && attribute("data-field");
    if (field && isField(field)) {
      add({ field });
      return false;
    }
    looks.push(look(name, attribute));
    if (table) inTable(name);
    else if (name === "table") openTable();
    else if (name in lists) openList(lists[name]);
    else if (name === "li" && list) list.items.push(begin([]));
    else if (name === "p" && !list && attribute("class") === "page-break") breakPage();
    else if (name === "p" && !list && attribute("class") === "signature") made.push({ kind: "signature", runs: begin([]) });
    else if (name in levels && !list) made.push({ kind: "heading", level: levels[name], runs: begin([]), ...placeIn(attribute) });
    else if (name === "p" && isOwn && !list) made.push({ kind: "paragraph", runs: begin([]), ...placeIn(attribute) });
    else if (name === "li" || boxes.has(name)) {
      end();
      if (name === "p") place = placeIn(attribute);
    }
    return true;
  }

  /** The text after it is a paragraph of its own. */
  function breakPage() {
    end();
    made.push({ kind: "page-break" });
  }

  /** Only our own classes say where a line is. */
  function placeIn(attribute) {
    const align = attribute("class");
    return alignments.includes(align) && align !== "start" ? { align } : {};
  }

  function openList(ordered) {
    line = null;
    listDepth += 1;
    if (listDepth === 1) made.push((list = { kind: "list", ordered, items: [] }));
  }

  function openTable() {
    line = list = null;
    listDepth = 0;
    tableDepth = 1;
    made.push((table = { kind: "table", rows: [] }));
  }

  /** Tables and lists in cells are only their words. */
  function inTable(name) {
    if (name === "table") tableDepth += 1;
    const isOurs = tableDepth === 1;
    if (isOurs && name === "tr") {
      table.rows.push([]);
      line = null;
    } else if (isOurs && cells.has(name)) {
      if (table.rows.length === 0) table.rows.push([]);
      table.rows.at(-1).push(begin([]));
    } else if (name === "tr" || name === "li" || name in lists || boxes.has(name)) {
      end();
    } else if (cells.has(name) && line?.length > 0 && breaks === 0) {
      add({ text: " " });
    }
  }

  function close(name) {
    if (looks.length > 1) looks.pop();
    if (table) {
      if (name === "table") tableDepth -= 1;
      if (tableDepth === 0) table = line = null;
      else if (cells.has(name) && tableDepth === 1) line = null;
      else if (boxes.has(name) || name === "li" || name === "table") end();
    } else if (name in lists && listDepth > 0) {
      listDepth -= 1;
      line = null;
      if (listDepth === 0) list = null;
    } else if (name === "li" || (name in levels && !list)) {
      line = null;
    } else if (boxes.has(name)) {
      end();
    }
  }

  function text(words) {
    const plain = (isOwn ? words.replace(/\t/g, " ") : words.replace(/\s+/g, " ")).replace(unprintable, "");
    if (plain === "" || (plain === " " && !isOwn && (!line?.length || breaks > 0))) return;
    add({ text: plain });
  }

  return { open, close, text, blocks: () => made.map((one) => whole(one, isOwn ? merged : trimmed)).filter(Boolean) };
}

/** A block with its lines made neat; `null` when there is nothing in it. */
function whole(block, neat) {
  if (block.kind === "list") {
    const items = block.items.map(neat).filter((runs) => neat === merged || runs.length > 0);
    return items.length > 0 ? { ...block, items } : null;
  }
  if (block.kind === "table") {
    const rows = block.rows.filter((row) => row.length > 0).map((row) => row.map(neat));
    const width = Math.max(0, ...rows.map((row) => row.length));
    const even = rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => [])]);
    return rows.length > 0 ? { kind: "table", rows: even } : null;
  }
  if (block.kind === "page-break") return block;
  const runs = neat(block.runs);
  return neat === merged || runs.length > 0 ? { ...block, runs } : null;
}

/** Without the spaces around it, and with one between words: what markup is indented with is no text. */
function trimmed(runs) {
  let last = "\n";
  const kept = runs.map((run) => {
    if (run.field !== undefined) {
      last = run.field;
      return run;
    }
    let text = "";
    for (const letter of run.text) {
      if (letter === " " && (last === " " || last === "\n")) continue;
      text += letter;
      last = letter;
    }
    return { ...run, text };
  });
  while (kept.at(-1)?.text !== undefined) {
    const text = kept.at(-1).text.trimEnd();
    kept[kept.length - 1] = { ...kept.at(-1), text };
    if (text !== "") break;
    kept.pop();
  }
  return merged(kept);
}
