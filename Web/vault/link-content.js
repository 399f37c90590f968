// What a link to a file of a vault holds: `u32` length, JSON `{name, type}`, and the bytes (docs/vault-format.md, "Shares").

import { join, Reader, textOf, u32, utf8, VaultError } from "./bytes.js";
import { cleanName } from "./metadata.js";

export function packed({ name, type }, content) {
  const head = utf8(JSON.stringify({ name, type }));
  return join(u32(head.length), head, content);
}

/** Gives `{name, type, content}`. */
export function unpacked(bytes) {
  const reader = new Reader(bytes);
  const length = reader.number(4);
  if (length > 4096) throw new VaultError("malformed");
  const { name, type } = JSON.parse(textOf(reader.take(length)));
  if (typeof name !== "string" || typeof type !== "string") throw new VaultError("malformed");
  return { name: cleanName(name), type, content: reader.take(reader.remaining) };
}
