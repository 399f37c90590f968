// Whether the session of this page is locked, as the server said: the wallet that signed it in is paused or gone.

const handlers = new Set();

/** Says that the server refused something because of it. */
export function sessionIsLocked() {
  for (const handler of handlers) handler();
}

/** Calls `handler()` whenever that happens. */
export function onLocked(handler) {
  handlers.add(handler);
}
