// The recovery key: 256 bits as 24 words (BIP-39's spelling), printed, and typed back once.

import { recoveryKey, recoveryWords } from "./kernel.js";

export const wordCount = 24;

/** The words of a key of 32 bytes. */
export const wordsOf = async (key) => (await recoveryWords(key)).split(" ");

/**
 * The key of words that somebody typed: capitals and commas do not matter.
 *
 * @returns `{key}`, or `{problem, count}`: "count", "unknown" or "checksum"
 */
export async function keyOf(typed) {
  const parts = typed.toLowerCase().split(/[^a-z]+/).filter(Boolean);
  if (parts.length !== wordCount) return { problem: "count", count: parts.length };
  try {
    return { key: await recoveryKey(parts.join(" ")) };
  } catch (error) {
    const problem = { not_found: "unknown", cannot_open: "checksum" }[error.code];
    if (!problem) throw error;
    return { problem };
  }
}
