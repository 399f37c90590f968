// Checkpoints of the log: signed notes (C2SP signed-note, tlog-checkpoint), of the log and of as many witnesses as the
// policy asks for.

import { call, fromB64u } from "../shell/core.js";
import { t } from "../shell/translate.js";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** A log that is not what it says, or not the one that was pinned. */
export class BadLog extends Error {}

/**
 * Reads a signed checkpoint and checks its signatures.
 *
 * @param note the text of `/log/checkpoint`
 * @param logKey the pinned verifier key, `name+hash+key`, or a log policy
 * @returns `{origin, size, root, witnesses}`, root as bytes, the witnesses of the policy that have signed
 */
export async function readCheckpoint(note, logKey) {
  const { value } = await call("checkpoint", { log_key: logKey, note }).catch((error) => {
    throw new BadLog(
      error.code === "receipt_unwitnessed"
        ? t`Fewer witnesses have signed the log's checkpoint than the organisation's policy asks for.`
        : t`The log's checkpoint is not signed as this browser has pinned.`);
  });
  return { ...value, witnesses: value.witnesses.sort(), root: fromB64u(value.root) };
}

/** The part of a receipt (C2SP tlog-proof) that is a checkpoint; the caller has checked the receipt. */
export const checkpointOf = (proof) => keptCheckpoint(proof.slice(proof.indexOf("\n\n") + 2));

/** A checkpoint whose signatures were checked before. */
export const keptCheckpoint = (note) => parse(note.slice(0, note.lastIndexOf("\n\n") + 1));

function parse(text) {
  const [origin, size, root] = text.split("\n");
  if (!/^(0|[1-9][0-9]{0,15})$/.test(size) || !root) {
    throw new BadLog(t`The log's checkpoint is not one of this log.`);
  }
  const hash = base64(root);
  if (hash?.length !== 32) throw new BadLog(t`The log's checkpoint has no root.`);
  return { origin, size: Number(size), root: hash };
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
