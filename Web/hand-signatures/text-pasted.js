// Reads pasted HTML without ever making elements of it: a small scanner hands tags and texts to the builder, which keeps
// what the model knows. Nothing of it is fetched, styled or run.

import { builder } from "./text-builder.js";

const voids = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);

/** Elements whose inside is not markup. */
const raw = new Set(["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript"]);

/** Elements that end by themselves when another of their kind begins. */
const endsBefore = {
  li: ["li"], tr: ["tr", "td", "th"], td: ["td", "th"], th: ["td", "th"], dt: ["dt", "dd"], dd: ["dt", "dd"],
  option: ["option"],
};

const named = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", ensp: " ", emsp: " ", thinsp: " ", shy: "", ndash: "–",
  mdash: "—", hellip: "…", lsquo: "‘", rsquo: "’", sbquo: "‚", ldquo: "“", rdquo: "”", bdquo: "„", laquo: "«", raquo: "»",
  bull: "•", middot: "·", euro: "€", pound: "£", yen: "¥", cent: "¢", copy: "©", reg: "®", trade: "™", sect: "§", para: "¶",
  deg: "°", times: "×", divide: "÷", plusmn: "±", frac12: "½", frac14: "¼", frac34: "¾", auml: "ä", ouml: "ö", uuml: "ü",
  Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", eacute: "é", egrave: "è", ecirc: "ê", agrave: "à", acirc: "â", ccedil: "ç",
  ocirc: "ô", ntilde: "ñ", aring: "å", aelig: "æ", oslash: "ø", iacute: "í", oacute: "ó", uacute: "ú", aacute: "á",
};

/** The blocks of pasted HTML. */
export function fromHTML(html) {
  const into = builder();
  const stack = [];
  // The content of an element that the builder does not want is skipped until it ends.
  let skipping = 0;

  const end = () => {
    const { name, isSkipped } = stack.pop();
    if (isSkipped) skipping = 0;
    else if (skipping === 0) into.close(name);
  };
  const close = (name) => {
    const index = stack.findLastIndex((one) => one.name === name);
    // An end without a beginning is nothing; one further out ends what is still open inside.
    if (index >= 0) while (stack.length > index) end();
  };

  for (const token of tokens(html)) {
    if (token.text !== undefined) {
      if (skipping === 0) into.text(token.text);
    } else if (token.isEnd) {
      close(token.name);
    } else {
      for (const other of endsBefore[token.name] ?? []) if (stack.at(-1)?.name === other) end();
      const isWanted = skipping === 0 && into.open(token.name, (name) => token.attributes.get(name) ?? null);
      if (voids.has(token.name) || token.isClosed) {
        if (isWanted) into.close(token.name);
      } else {
        const isSkipped = skipping === 0 && !isWanted;
        stack.push({ name: token.name, isSkipped });
        if (isSkipped) skipping = 1;
      }
    }
  }
  while (stack.length > 0) end();
  return into.blocks();
}

/** The blocks of plain text: one paragraph for each line, none for empty ones. */
export function fromText(text) {
  return text.split(/\r\n?|\n/).map((line) => line.replace(/[\t\u200b]+/g, " ").trim()).filter(Boolean)
    .map((line) => ({ kind: "paragraph", runs: [{ text: line }] }));
}

const comment = /<!--[^]*?(?:-->|$)|<[!?][^>]*>/y;
const tag = /<(\/?)([a-zA-Z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/y;

function* tokens(html) {
  // Browsers mark the part that was copied; what stands around it is not wanted.
  const [, fragment = html] = /<!--StartFragment-->([^]*?)<!--EndFragment-->/.exec(html) ?? [];
  const match = (expression, place) => {
    expression.lastIndex = place;
    return expression.exec(fragment);
  };
  let place = 0;
  let search = 0;
  while (place < fragment.length) {
    const begin = fragment.indexOf("<", search);
    const remark = begin < 0 ? null : match(comment, begin);
    const found = begin < 0 || remark ? null : match(tag, begin);
    const isOver = begin < 0 || (!remark && !found && /[a-z/!?]/i.test(fragment[begin + 1] ?? ""));
    if (!isOver && !remark && !found) {
      // Only a sign: "1 < 2".
      search = begin + 1;
      continue;
    }
    // A tag without an end: everything that follows is looked at once, as text.
    const end = isOver ? fragment.length : begin;
    if (end > place) yield { text: decode(fragment.slice(place, end)) };
    if (isOver) return;
    place = search = begin + (remark ?? found)[0].length;
    if (!found) continue;
    const name = found[2].toLowerCase();
    yield { name, isEnd: found[1] === "/", isClosed: found[3].endsWith("/"), attributes: attributesOf(found[3]) };
    if (found[1] === "/" || !raw.has(name)) continue;
    const rest = fragment.slice(place).search(new RegExp(`</${name}[\\s/>]`, "i"));
    place = search = rest < 0 ? fragment.length : place + rest;
  }
}

function attributesOf(text) {
  const found = new Map();
  for (const [, name, double, single, bare] of text.matchAll(/([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)) {
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), decode(double ?? single ?? bare ?? ""));
  }
  return found;
}

function decode(text) {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z][a-z0-9]*));?/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
    return isCharacter ? String.fromCodePoint(code) : " ";
  });
}
