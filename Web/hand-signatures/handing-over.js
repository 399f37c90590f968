// Signatures that are written on another device: a code for it, and waiting until it is done.

import { api, Problem } from "../shell/api.js";
import { latest, onChange, onConnection } from "../shell/events.js";
import { t } from "../shell/translate.js";
import { cut } from "./device-text.js";

/** How often the server is asked while live updates do not come, in milliseconds. */
const interval = 3_000;

/** The longest title, in bytes. */
const longestTitle = 200;

/** These pass by themselves. */
const passing = new Set(["offline", "busy", "too-many-requests", "request-timeout", "storage-unreachable"]);

/**
 * Opens a hand-over and waits for what is written.
 *
 * @param ticket of the document that is signed, if it is one
 * @param onOpen called with `{address, expires}` for the other device
 * @param onState called with "open" or "opened"
 * @param signal gives it up
 * @returns `{captures, device}`. Throws Problem "cancelled" or "gone", or what the server refuses.
 */
export async function handOver({ title, count, ticket }, { onOpen, onState, signal }) {
  const handover = await api.post("/api/handovers", { title: cut(title, longestTitle), count, ...(ticket && { ticket }) });
  const path = `/api/handovers/${encodeURIComponent(handover.id)}`;
  try {
    signal.throwIfAborted();
    onOpen(handover);
    return await written(path, handover, onState, signal);
  } catch (error) {
    throw signal.aborted ? new Problem("cancelled", { detail: t`You cancelled.`, cause: error }) : error;
  } finally {
    // It is here, or nobody waits for it any more. When this fails, it expires.
    api.delete(path).catch(() => {});
  }
}

async function written(path, { id, expires }, onState, signal) {
  const ends = [];
  try {
    return await new Promise((resolve, reject) => {
      let isLive = false;
      const look = latest(() => api.get(path).then((now) => judge(now, onState, resolve), refuse));
      const refuse = (error) => {
        if (error.kind === "not-found") reject(expired());
        else if (!passing.has(error.kind)) reject(error);
      };
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      ends.push(onChange("handover", (event) => (event === null || event.id === id ? look().catch(reject) : undefined)));
      ends.push(onConnection((state) => { isLive = state === "live"; }));
      const timer = setInterval(() => {
        const isOver = Date.now() / 1000 > expires + 1;
        if (!isLive || isOver) look().catch(reject);
      }, interval);
      ends.push(() => clearInterval(timer));
    });
  } finally {
    for (const end of ends) end();
  }
}

function judge({ state, captures, device }, onState, resolve) {
  if (state === "done") {
    resolve({ captures, device: device ?? "" });
  } else if (state === "expired") {
    throw expired();
  } else {
    onState(state);
  }
}

function expired() {
  return new Problem("gone", { detail: t`The code has expired. Show a new one.` });
}
