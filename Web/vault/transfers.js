// What is on its way into the vault: sealed part by part and sent, with pause, resume and cancel. A part that was lost is
// sent again; the server says which it has. What comes out of it is fetched again where a piece was lost.

import { Problem, api } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { hex } from "./bytes.js";
import { keptBytes } from "./kept-store.js";

/** How many parts are on their way at once, and how long to wait after a lost connection, in milliseconds. */
const lanes = 2;
const pauses = [500, 2_000, 5_000, 15_000];

/** How often something is asked for again. */
const mostTries = 20;
/** How long the pauses of a download may be together, in milliseconds: somebody waits in front of it. */
const longestWait = 60_000;
/** After these it is asked for again. */
const passing = new Set(["offline", "busy", "request-timeout", "storage-unreachable", "too-many-requests"]);

/** A way in that can be paused, resumed and cancelled. */
export class Transfer extends EventTarget {
  /** "waiting", "running", "paused", "done", "failed" or "cancelled". */
  state = "waiting";
  /** From 0 to 1. */
  progress = 0;
  error = null;
  #stop = new AbortController();
  #resumed = null;

  constructor(name) {
    super();
    this.name = name;
  }

  get signal() { return this.#stop.signal; }

  pause() {
    if (this.#resumed || !["waiting", "running"].includes(this.state)) return;
    this.#resumed = Promise.withResolvers();
    this.#tell("paused");
  }

  resume() {
    if (!this.#resumed) return;
    this.#resumed.resolve();
    this.#resumed = null;
    this.#tell("running");
  }

  cancel() {
    this.#stop.abort();
    this.#resumed?.resolve();
    if (this.state !== "done") this.#tell("cancelled");
  }

  /** Waits while it is paused. Throws Problem "cancelled". */
  async turn() {
    while (this.#resumed && !this.signal.aborted) await this.#resumed.promise;
    if (this.signal.aborted) throw new Problem("cancelled", { detail: t`You cancelled.` });
  }

  /** Does `work`, and says how it went. Returns what `work` gives; undefined when it failed or was cancelled. */
  async run(work) {
    if (this.state === "waiting") this.#tell("running");
    try {
      const result = await work(this);
      this.progress = 1;
      this.#tell("done");
      return result;
    } catch (error) {
      this.error = error;
      if (this.state !== "cancelled") this.#tell(error.kind === "cancelled" ? "cancelled" : "failed");
      return undefined;
    }
  }

  moved(progress) {
    this.progress = progress;
    this.dispatchEvent(new Event("change"));
  }

  #tell(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Sends a sealed content.
 *
 * @param compartment the id that it is for
 * @param content `{length, part(from, to, room)}` of the ciphertext
 * @returns the id of the upload, for a change to name
 */
export async function send(compartment, content, transfer) {
  await transfer.turn();
  const begun = await api.post("/api/vault/uploads", { compartment, size: content.length }, { signal: transfer.signal });
  const path = `/api/vault/uploads/${begun.id}`;
  const left = Array.from({ length: begun.parts }, (_, number) => number).filter((number) => !begun.received.includes(number));
  let sent = begun.parts - left.length;
  async function lane() {
    // One part after the other has its place here: each is sent before the next is sealed.
    const room = new Uint8Array(Math.min(begun.part, content.length));
    for (let number = left.shift(); number !== undefined; number = left.shift()) {
      const from = number * begun.part;
      const bytes = await content.part(from, Math.min(from + begun.part, content.length), room);
      await patiently(() => api.put(`${path}/parts/${number}`, bytes, { signal: transfer.signal }), { signal: transfer.signal, turn: () => transfer.turn() });
      sent += 1;
      transfer.moved(sent / begun.parts);
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } catch (error) {
    left.length = 0;
    // What was sent so far is for nobody.
    unsend(begun.id).catch(() => { /* The server sweeps it after a day. */ });
    throw error;
  }
  return begun.id;
}

/** Takes back what was sent, and no change has used yet. */
export const unsend = (upload) => api.delete(`/api/vault/uploads/${upload}`);

/**
 * Tries until it works, is refused or was cancelled, with a pause before each further try.
 *
 * @param options `{signal, turn(), longest}`: what cuts a pause short, and ends `act`; what waits before each try, and may throw; and
 *   how long all pauses may be together
 */
async function patiently(act, { signal, turn = () => {}, longest = Infinity }) {
  for (let tries = 0, waited = 0; ; tries += 1) {
    await turn();
    try {
      return await act();
    } catch (problem) {
      const wait = (problem.retryAfter ?? 0) * 1000 || pauses[Math.min(tries, pauses.length - 1)];
      waited += wait;
      if (!passing.has(problem.kind) || tries >= mostTries || waited > longest) throw problem;
      // Cancelled, it says so itself at its next try.
      if (!signal?.aborted) await pause(wait, signal);
    }
  }
}

/** Waits some milliseconds, or until the signal. */
function pause(time, signal) {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, time);
    signal?.addEventListener("abort", end);
  });
}

/** Bytes of a content, from `from` up to `to`: from this device if they are kept here, else from the server. */
export async function received(content, from, to, signal) {
  return await keptBytes(hex(content), from, to) ?? fetched(content, from, to, signal);
}

/** The same from the server. A piece that was lost is fetched again. */
export function fetched(content, from, to, signal) {
  const options = { signal, headers: { Range: `bytes=${from}-${to - 1}` } };
  return patiently(() => api.bytes(`/api/vault/contents/${hex(content)}`, options), { signal, longest: longestWait });
}
