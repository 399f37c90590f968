// Whether the session of this page has ended. From then on the page asks the server nothing: each question would be
// refused, and a tab that stays open would ask for hours.

let over = false;
const handlers = new Set();

/** Whether it has. */
export const isOver = () => over;

/**
 * Says that it has ended, or that a person signed in again.
 *
 * @param isSaid whether the person has been told already
 */
export function setOver(value, { isSaid = false } = {}) {
  if (over === value) return;
  over = value;
  for (const handler of handlers) handler(over, isSaid);
}

/** Calls `handler(isOver, isSaid)` whenever that changes. */
export function onOver(handler) {
  handlers.add(handler);
}
