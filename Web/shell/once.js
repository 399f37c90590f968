// Acts that must not happen twice.
//
// When the answer to a request is lost, nobody knows whether it happened. Then this looks, and says what it found; it
// never sends anything a second time. The browser does: it repeats a request by itself when a kept connection breaks.
// Then only the refusal of the second may arrive, although the first was carried out. So a conflict is looked at, too.

import { Problem } from "./api.js";
import { notice } from "./dom.js";
import { t } from "./translate.js";

/** After these nobody knows whether the server did it. */
const uncertain = new Set(["offline", "request-timeout", "busy", "internal", "conflict", "storage-unreachable"]);

/** These pass by themselves: it is worth looking again. */
const passing = new Set(["offline", "request-timeout", "busy", "storage-unreachable", "unwitnessed"]);

/** How long to wait before each look, in milliseconds. */
const pauses = [100, 1_000, 3_000, 5_000];

/** An act whose outcome could not be found out. */
export class Unknown extends Error {
  constructor(what) {
    super(t`The server does not answer, and it is not known whether ${what}. When you are back online, try again: what was
      done is found then, and nothing is done twice.`);
  }
}

/** An act that did not happen because the connection was lost. */
export class NotDone extends Error {
  constructor(what) {
    super(t`The connection was lost before the server had it: it did not happen that ${what}. Try again.`);
  }
}

/** An act that was done, and whose receipt is missing: too few witnesses have signed the log. */
export class Unwitnessed extends Error {
  constructor(what) {
    super(t`It is recorded that ${what}, and that stays. The receipt is missing: too few of the witnesses who sign the log
      answer now. Do not do it again; the receipt comes by itself when they are back.`);
  }
}

/**
 * Does `act` once.
 *
 * @param what words that follow "that", in the language of the page: t`the request was accepted`
 * @param look finds out whether this very act was done: gives the answer of `act`, or `undefined` when it was not
 */
export async function once(what, act, look) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.kind === "unwitnessed") return unwitnessed(what, look);
    if (!uncertain.has(error.kind)) throw error;
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
      if (!passing.has(error.kind)) throw error;
    }
  }
  throw new Unknown(what);
}

/** It was done: the page goes on with what there is to see of it, and says what is missing. */
async function unwitnessed(what, look) {
  const words = new Unwitnessed(what);
  const found = await look().catch((error) => {
    if (!passing.has(error.kind)) throw error;
  });
  // The answer to be shown holds the missing receipt.
  if (found === undefined) throw words;
  notice("warning", words.message);
  return found;
}
