// Acts that must not happen twice.
//
// When the answer to a request is lost, nobody knows whether it happened. Then this looks, and says what it found; it
// never sends anything a second time. The browser does: it repeats a request by itself when a kept connection breaks,
// and then the refusal of the second may be all that arrives of a first that was done. So a conflict is looked at, too.

import { Problem } from "../shell/api.js";

/** After these nobody knows whether the server did it. */
const uncertain = new Set(["offline", "request-timeout", "busy", "internal", "conflict"]);

/** How long to wait before each look, in milliseconds. */
const pauses = [100, 1_000, 3_000, 5_000];

/** An act whose outcome could not be found out. */
export class Unknown extends Error {
  constructor(what) {
    super(
      `The connection was lost, and it is not known whether ${what}. When you are back online, try again: what was done is ` +
        "found then, and nothing is done twice.");
  }
}

/** An act that did not happen because the connection was lost. */
export class NotDone extends Error {
  constructor(what) {
    super(`The connection was lost before the server had it: it did not happen that ${what}. Try again.`);
  }
}

/**
 * Does `act` once.
 *
 * @param what words that follow "that": "the request was accepted"
 * @param look finds out whether this very act was done: what `act` would have answered, or `undefined` when it was not
 */
export async function once(what, act, look) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem) || !uncertain.has(error.kind)) throw error;
    const found = await lookUntilKnown(look, what);
    if (found !== undefined) return found;
    throw error.kind === "offline" ? new NotDone(what) : error;
  }
}

/** A connection that has just broken often comes back at once. */
async function lookUntilKnown(look, what) {
  for (const pause of pauses) {
    await new Promise((resolve) => { setTimeout(resolve, pause); });
    try {
      return await look();
    } catch (error) {
      if (error.kind !== "offline") throw error;
    }
  }
  throw new Unknown(what);
}
