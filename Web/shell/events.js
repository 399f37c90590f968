// Live updates: one stream of server-sent events for the whole page.
//
// An event says what changed, never how: listeners fetch it. Events are not stored, so after every (re)connection, the
// first one too, each listener is called with `null`, which means: anything may have changed, fetch what you show.

import { api, needsSession } from "./api.js";
import { isOver, onOver } from "./over.js";

const quietTime = 30_000;
const longestWait = 30_000;

const listeners = new Set();
const watchers = new Set();
let source = null;
let state = "waiting";
let failures = 0;
let retry = 0;
let hiding = 0;

/**
 * Calls `handler({kind, id, state})` for events of these kinds, and `handler(null)` after every (re)connection.
 *
 * @param {string|string[]|null} kinds `null` for all kinds
 * @returns a function that stops listening
 */
export function onChange(kinds, handler) {
  const wanted = kinds === null ? null : new Set([kinds].flat());
  const listener = { wanted, handler };
  listeners.add(listener);
  // A late listener has missed what happened since the page was loaded.
  if (state === "live") call(listener, null);
  else connect();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) disconnect();
  };
}

/** Calls `handler("live" | "waiting")` now and whenever the stream comes or goes. */
export function onConnection(handler) {
  watchers.add(handler);
  handler(state);
  return () => watchers.delete(handler);
}

/**
 * Wraps a loader so that it never runs twice at once: calls during a run lead to one more run after it.
 */
export function latest(load) {
  let running = null;
  let isStale = false;
  return function run() {
    if (running) {
      isStale = true;
      return running;
    }
    running = (async () => {
      try {
        do {
          isStale = false;
          await load();
        } while (isStale);
      } finally {
        running = null;
      }
    })();
    return running;
  };
}

function connect() {
  if (source || isOver()) return;
  clearTimeout(retry);
  source = new EventSource("/api/events");
  source.onopen = () => {
    failures = 0;
    become("live");
    for (const listener of listeners) call(listener, null);
  };
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    for (const listener of listeners) {
      if (!listener.wanted || listener.wanted.has(event.kind)) call(listener, event);
    }
  };
  source.onerror = () => {
    become("waiting");
    // The browser tries again by itself, except after an answer that is not a stream.
    if (source?.readyState === EventSource.CLOSED) tryLater();
  };
}

function disconnect() {
  clearTimeout(retry);
  source?.close();
  source = null;
  become("waiting");
}

function tryLater() {
  disconnect();
  const wait = Math.min(longestWait, 1_000 * 2 ** failures) * (0.5 + Math.random() / 2);
  failures += 1;
  retry = setTimeout(() => {
    // The stream itself cannot tell whether the session has ended: the page has to ask.
    if (navigator.onLine && needsSession()) api.get("/api/sessions/current").catch(() => {});
    if (navigator.onLine) for (const listener of listeners) call(listener, null);
    connect();
  }, wait);
}

function become(next) {
  if (state === next) return;
  state = next;
  for (const handler of watchers) handler(state);
}

/** A listener's failure is its own: it must not keep the others from being told. Anything lost now is fetched later. */
function call({ handler }, event) {
  Promise.resolve()
    .then(() => handler(event))
    .catch((error) => {
      if (error.kind !== "offline" && error.kind !== "unauthenticated") console.error(error);
    });
}

// Streams are few, for each account and for each browser: a page that nobody sees gives its own up after a while.
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  hiding = 0;
  if (document.hidden) hiding = setTimeout(disconnect, quietTime);
  else if (!source && listeners.size > 0) connect();
});
// Without a session there is no stream; with a new one it begins again, and everybody looks at what was missed.
onOver((over) => {
  if (over) disconnect();
  else if (listeners.size > 0) connect();
});
addEventListener("online", () => {
  if (!source && listeners.size > 0) connect();
});
// A page in the back-forward cache must not hold a stream, and has missed everything when it comes back.
addEventListener("pagehide", disconnect);
addEventListener("pageshow", (event) => {
  if (event.persisted && listeners.size > 0) connect();
});
