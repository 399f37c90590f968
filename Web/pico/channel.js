// A channel of a rendezvous, where the wallet and the service meet. What comes through it counts only as far as the protocol
// checks it: anybody who knows the name can write there. Other servers' channels are asked through this one (relay.js).

import { Problem } from "../shell/api.js";
import { text } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { relayed } from "./relay.js";

/** The longest wait for a message, in milliseconds: the protocol waits no longer. */
const patience = 60_000;
/** The longest message, in bytes. */
const longest = 65_536;
/** A request of this page that has just ended may be known there for a moment. */
const pause = 300;
const mostPauses = 10;

/** Opens a channel at an address: `{write(message), read()}`. `signal` ends what waits. */
export function openChannel(address, { signal } = {}) {
  return {
    /** Resolves once the other side has the message. */
    write: async (message) => { await meet(address, framed(message), signal); },
    /** The next message of the other side. */
    read: async (wait = patience) => unframed(await meet(address, null, signal, wait)),
  };
}

/** Asks until the other side comes: the server answers before the time of common proxies is over. */
async function meet(address, body, signal, wait = patience) {
  const ask = new URL(address).origin === location.origin ? asked : relayed;
  const until = performance.now() + wait;
  let [pauses, hasty] = [0, 0];
  while (performance.now() < until) {
    const began = performance.now();
    const answer = await ask(address, body, signal);
    if (answer.message) return answer.message;
    if (answer.code === 0) return null;
    if (answer.code === -1) throw new Problem("closed", { detail: t`The other side has ended it. Let it show a new code, and scan again.` });
    if (answer.code === 1 && (pauses += 1) > mostPauses) {
      throw new Problem("occupied", { detail: t`Somebody else has read this code already. Let the page show a new one.` });
    }
    // A server that has waited is asked again at once; one that has not, after pauses that grow.
    hasty = answer.code !== 2 || performance.now() - began > 1000 ? 0 : Math.min(2 * hasty || 100, 5000);
    if (answer.code !== 2 || hasty) await new Promise((done) => { setTimeout(done, answer.pause ?? (hasty || pause)); });
  }
  throw late();
}

/** One request: `{message}` for what was written, or the `code` of the rendezvous's own sentence. */
async function asked(address, body, signal) {
  const response = await fetch(address, {
    method: body ? "POST" : "GET", body: body ?? undefined, signal, credentials: "omit", cache: "no-store", redirect: "error",
    headers: body ? { "Content-Type": "application/octet-stream" } : {},
  }).catch((cause) => {
    if (signal?.aborted) throw new Problem("cancelled", { detail: t`You cancelled.`, cause });
    throw new Problem("offline", { detail: t`The connection was lost. Let the page show a new code, and scan again.`, cause });
  });
  if (response.status === 429) return { code: 3, pause: (Number(response.headers.get("Retry-After")) || 1) * 1000 };
  if (response.status === 404) return { code: 1 };
  if (!response.ok) throw malformed();
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.headers.get("Content-Type") === "application/octet-stream") return { message: bytes };
  try {
    return { code: JSON.parse(text(bytes)).code };
  } catch {
    throw malformed();
  }
}

/** The message with its length before it, four bytes. */
function framed(message) {
  const bytes = new Uint8Array(4 + message.length);
  new DataView(bytes.buffer).setUint32(0, message.length);
  bytes.set(message, 4);
  return bytes;
}

function unframed(bytes) {
  if (!bytes || bytes.length < 5 || bytes.length > longest + 4) throw malformed();
  if (new DataView(bytes.buffer).getUint32(0) !== bytes.length - 4) throw malformed();
  return bytes.slice(4);
}

const malformed = () => new Problem("malformed", { detail: t`The other side does not speak this protocol. Let it show a new code.` });
const late = () => new Problem("timed-out", { detail: t`The other side did not answer in time. Let it show a new code, and scan again.` });
