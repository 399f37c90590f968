// Acts that must not happen twice.
//
// When an answer is lost on its way, nobody here knows whether the server did it. Then this looks, as soon as it can,
// and says what it found. Nothing is sent a second time by itself.

import { Problem } from "../shell/api.js";

/** After these the server may have done it. */
const uncertain = new Set(["offline", "request-timeout", "internal"]);
/** How long to wait before each look, in milliseconds. */
const pauses = [300, 1_000, 3_000, 5_000];

/**
 * Does `act` once.
 *
 * @param look finds out after a lost answer: what `act` would have answered, or `undefined` when it did not happen
 */
export async function once(act, look) {
  try {
    return await act();
  } catch (problem) {
    if (!uncertain.has(problem.kind)) throw problem;
    const found = await lookUntilKnown(look);
    if (found !== undefined) return found;
    throw new Problem("not-done", {
      detail: "The connection broke before the server had it. Nothing was done: you can try again.", cause: problem,
    });
  }
}

async function lookUntilKnown(look) {
  for (const pause of pauses) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      return await look();
    } catch (problem) {
      if (problem.kind !== "offline") throw problem;
    }
  }
  throw new Problem("unknown-outcome", {
    detail: "The connection broke, and the server cannot be reached to see whether it was done. "
      + "Look again when you are connected, before you repeat it.",
  });
}
