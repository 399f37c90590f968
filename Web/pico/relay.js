// A channel of another server: this server takes the requests there, and sees only what is sealed for somebody else.

import { Problem, api } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { t } from "../shell/translate.js";

/** What the rendezvous itself says with a number. */
const codes = { taken: 0, occupied: 1, closed: -1, "timed-out": 2 };
/** Milliseconds until a server that has too much to do is asked again. */
const pause = 1000;

/** One request: `{message}` for what was written there, or the `code` of the rendezvous's own sentence. */
export async function relayed(address, body, signal) {
  if (signal?.aborted) throw new Problem("cancelled", { detail: t`You cancelled.` });
  try {
    const { outcome, message } = await api.post("/api/pico/relay", { address, ...(body ? { message: b64u(body) } : {}) });
    return outcome === "message" ? { message: fromB64u(message) } : { code: codes[outcome] };
  } catch (problem) {
    if (problem.kind === "busy" || problem.kind === "too-many-requests") return { code: 3, pause };
    if (problem.kind !== "not-found" && problem.kind !== "invalid-member") throw problem;
    const { host } = new URL(address);
    throw new Problem("unreachable", { detail: t`This server cannot reach ${host}. Let the screen show a new code, or use the wallet of the command line: countersign wallet scan.`, cause: problem });
  }
}
