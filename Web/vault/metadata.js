// The metadata of a node: canonical JSON, padded (docs/vault-format.md, "Nodes").

import { join, padme, Reader, textOf, u32, utf8, VaultError } from "./bytes.js";

/** Padded and sealed it just fits into the 256 KiB that the server takes. */
const longestJSON = (252 << 10) - 4;
const longest = { text: 128 << 10, media_type: 127, tag: 64, tags: 32, name: 255, thumbnail: 64 << 10 };
/** The most values, and the most arrays and objects that lie in each other: as Core reads them. */
const [mostValues, deepest] = [4096, 32];
const kinds = ["folder", "file", "note", "settings"];
/** Control characters, slashes, and marks that turn the direction of writing. */
const forbidden = /[\u0000-\u001f\u007f-\u009f/\\\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

/** RFC 8785 for what metadata holds: texts, whole numbers, booleans, null, arrays and objects. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    // Member names are sorted by their UTF-16 units, which is what comparing texts does here.
    const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
    return `{${members.join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new VaultError("malformed");
  return JSON.stringify(value);
}

/** The padded plaintext of metadata. */
export function encodeMetadata(metadata) {
  requireReadable(metadata);
  check(metadata);
  const json = utf8(canonical(metadata));
  if (json.length > longestJSON) throw new VaultError("out_of_range");
  const bytes = join(u32(json.length), json);
  return join(bytes, new Uint8Array(padme(bytes.length) - bytes.length));
}

/** Reads a padded plaintext; any other spelling than that of `encodeMetadata` is refused. */
export function decodeMetadata(bytes) {
  const reader = new Reader(bytes);
  const length = reader.number(4);
  if (length > longestJSON || bytes.length !== padme(4 + length)) throw new VaultError("malformed");
  const text = textOf(reader.take(length));
  reader.finishPadding();
  const metadata = parsed(text);
  requireReadable(metadata);
  if (canonical(metadata) !== text) throw new VaultError("malformed");
  check(metadata);
  return metadata;
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    if (value && typeof value === "object" && !Array.isArray(value)) return value;
  } catch {
    // It is refused below.
  }
  throw new VaultError("malformed");
}

/** What neither reader takes: too many values, too deep ones, and text with half of a surrogate pair, which no UTF-8 has. */
function requireReadable(metadata) {
  const waiting = [[metadata, 0]];
  for (let count = 1; waiting.length > 0; count += 1) {
    const [value, depth] = waiting.pop();
    const holds = value !== null && typeof value === "object";
    if (count > mostValues || (holds && depth >= deepest)) throw new VaultError("malformed");
    if (typeof value === "string" && !value.isWellFormed()) throw new VaultError("malformed");
    for (const [name, one] of holds ? Object.entries(value) : []) {
      if (!name.isWellFormed()) throw new VaultError("malformed");
      waiting.push([one, depth + 1]);
    }
  }
}

/** Base64url in its one spelling: nothing is left over of the last character. */
const isBase64url = (text) => /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/.test(text);
const isKey = (text, count) => typeof text === "string" && text.length === Math.ceil((count * 4) / 3) && isBase64url(text);

/** Whether something is an object with no other members than these. */
const hasOnly = (value, names) => (
  value !== null && typeof value === "object" && !Array.isArray(value) && Object.entries(value).every(([name]) => names.includes(name)));

/** What the owner knows of the four PIN slots. */
const areSettings = (settings) => (
  hasOnly(settings, ["pins"]) && Array.isArray(settings.pins) && settings.pins.length === 4 && settings.pins.every((pin) => (
    hasOnly(pin, ["reset", "purpose", "node"]) && isKey(pin.reset, 32) && [1, 2, 3, 4].includes(pin.purpose ?? 1) && pin.purpose !== null
      && (pin.node === undefined || isKey(pin.node, 16)))));

const isTime = (value) => Number.isSafeInteger(value) && value >= 0;
const length = (text) => utf8(text).length;

function check(metadata) {
  // A member that is absent has no value; one that is null is none of its kind.
  const { kind, name, created, modified, expires = 0, size = 0, tags, text = "", media_type: mediaType = "", thumbnail = "" } = metadata;
  if (tags !== undefined && !Array.isArray(tags)) throw new VaultError("malformed");
  const texts = [name, text, mediaType, thumbnail, ...(tags ?? [])];
  if (!kinds.includes(kind) || texts.some((one) => typeof one !== "string")) throw new VaultError("malformed");
  const { compartment, settings } = metadata;
  const isMeant = isBase64url(thumbnail) && (compartment === undefined || isKey(compartment, 32)) && (settings === undefined || areSettings(settings));
  if (!isMeant) throw new VaultError("malformed");
  const isFine =
    isName(name) && [created, modified, expires, size].every(isTime) &&
    length(text) <= longest.text && length(mediaType) <= longest.media_type &&
    thumbnail.length <= Math.ceil((longest.thumbnail * 4) / 3) && areTags(tags);
  if (!isFine) throw new VaultError("out_of_range");
}

/** Whether a node may be called so. */
export function isName(name) {
  return name !== "." && name !== ".." && name !== "" && length(name) <= longest.name && name.isWellFormed() && !forbidden.test(name);
}

/** Tags are in the order of their bytes, each once. */
function areTags(tags) {
  if (tags === undefined) return true;
  if (!Array.isArray(tags) || tags.length === 0 || tags.length > longest.tags) return false;
  return tags.every((tag, index) =>
    tag !== "" && length(tag) <= longest.tag && (index === 0 || precedes(utf8(tags[index - 1]), utf8(tag))));
}

/** A name that a node may have, whatever somebody typed. */
export function cleanName(typed) {
  let clean = "";
  for (const character of typed.toWellFormed().normalize("NFC")) {
    const part = forbidden.test(character) ? "_" : character;
    if (length(clean + part) > longest.name) break;
    clean += part;
  }
  return ["", ".", ".."].includes(clean) ? `${clean}_` : clean;
}

/** Tags as they are stored: each once, in the order of their bytes; undefined for none. */
export function cleanTags(typed) {
  const tags = typed.map((tag) => tag.toWellFormed().trim()).filter((tag) => tag && length(tag) <= longest.tag);
  const sorted = [...new Set(tags)].slice(0, longest.tags).sort((a, b) => (precedes(utf8(a), utf8(b)) ? -1 : 1));
  return sorted.length > 0 ? sorted : undefined;
}

export function precedes(left, right) {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    if (left[index] !== right[index]) return left[index] < right[index];
  }
  return left.length < right.length;
}
