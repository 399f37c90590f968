// The end of a session: told to the server, to the other tabs, and done here in any case.

import { Problem, api, finishFirst, sessionIsOver } from "../shell/api.js";
import { forgetAccountLanguage } from "../shell/language.js";
import { tell } from "../shell/tabs.js";
import { t } from "../shell/translate.js";
import { forgetKept } from "./kept-caches.js";
import { setSignedIn } from "./records.js";
import * as store from "./store.js";

const pending = "ending";

/**
 * Ends a session in this browser: who is signed in, in all tabs, the remembered lists of the account, and what was kept for
 * use without a network.
 *
 * - more: what else to remember, in the same transaction.
 */
export async function leave(reason, more) {
  forgetAccountLanguage();
  sessionIsOver(reason);
  // Live updates end with the session, and lead this page away from here.
  await finishFirst(Promise.all([setSignedIn(null, more), forgetKept()]));
  tell({ kind: "signed-out", reason });
}

/**
 * Ends the session after failed attempts; when the server cannot be told now, then as soon as it can.
 *
 * - Returns: what to throw.
 */
export async function end() {
  await leave("ended", { [pending]: true });
  await finishEnding();
  return new Problem("ended", {
    title: t`The session has ended`,
    detail: t`Two attempts in a row failed, so the session has ended. Your keys are unharmed and what you typed stays:
      sign in again.`,
  });
}

/**
 * Tells the server of a session that was ended here while it could not be reached.
 *
 * - Returns: whether there was one.
 */
export async function finishEnding() {
  if (!await store.get("settings", pending)) return false;
  try {
    await api.delete("/api/sessions/current", { allow401: true });
  } catch (problem) {
    if (problem.kind === "offline") return true;
  }
  await forgetEnding();
  return true;
}

/** A new session is not the one that was to end. */
export const forgetEnding = () => store.remove("settings", pending);
