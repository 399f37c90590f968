// Checkpoints of the log: signed notes (C2SP signed-note, tlog-checkpoint), checked with the browser's own Ed25519.

const decoder = new TextDecoder("utf-8", { fatal: true });

/** A log that is not what it says, or not the one that was pinned. */
export class BadLog extends Error {}

/**
 * Reads a signed checkpoint and checks its signature.
 *
 * @param note the text of `/log/checkpoint`
 * @param logKey the pinned verifier key, `name+hash+key`
 * @returns `{origin, size, root}`, root as bytes
 */
export async function readCheckpoint(note, logKey) {
  const end = note.lastIndexOf("\n\n");
  if (end < 0) throw new BadLog("The log's checkpoint is not a signed note.");
  const signed = note.slice(0, end + 1);
  const key = verifierKey(logKey);
  if (!(await isSigned(signed, note.slice(end + 2).split("\n"), key))) {
    throw new BadLog("The log's checkpoint is not signed by the key that this browser pinned.");
  }
  return parse(signed, key.name);
}

/** The part of a receipt (C2SP tlog-proof) that is a checkpoint; whoever calls has checked the receipt. */
export function checkpointOf(proof) {
  const note = proof.slice(proof.indexOf("\n\n") + 2);
  return parse(note.slice(0, note.lastIndexOf("\n\n") + 1));
}

function parse(text, name) {
  const [origin, size, root] = text.split("\n");
  if ((name && origin !== name) || !/^(0|[1-9][0-9]{0,15})$/.test(size) || !root) {
    throw new BadLog("The log's checkpoint is not one of this log.");
  }
  const hash = base64(root);
  if (hash?.length !== 32) throw new BadLog("The log's checkpoint has no root.");
  return { origin, size: Number(size), root: hash };
}

function verifierKey(text) {
  // The key is base64, which may have a plus in it: only the first two part.
  const [, name, id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = encoded && base64(encoded);
  if (bytes?.length !== 33 || bytes[0] !== 1) throw new BadLog("The pinned log key is not an Ed25519 key.");
  return { name, id, bytes: bytes.subarray(1) };
}

async function isSigned(text, lines, { name, id, bytes }) {
  const key = await crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]);
  for (const line of lines) {
    const [dash, signer, encoded] = line.split(" ");
    const signature = dash === "\u2014" && signer === name && encoded ? base64(encoded) : null;
    // The first four bytes name the key; witnesses sign under other ones.
    if (signature?.length !== 68 || hex(signature.subarray(0, 4)) !== id) continue;
    return crypto.subtle.verify("Ed25519", key, signature.subarray(4), new TextEncoder().encode(text));
  }
  return false;
}

/** Standard base64, or null. */
export function base64(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Lower-case hexadecimal. */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** JSON out of UTF-8 bytes. */
export const json = (bytes) => JSON.parse(decoder.decode(bytes));
