// Undo and redo: states of the text one after another. Text typed in one go is one step.

/** Typing that pauses longer than this begins another step, in milliseconds. */
const pause = 1000;
const most = 300;

/** Keeps states; `now()` gives milliseconds. */
export function history(first, now = () => performance.now()) {
  let past = [];
  let present = first;
  let future = [];
  let typedAt = -Infinity;

  return {
    /** Takes the next state; with `isTyping` it may replace the one before, which was typed just now. */
    push(state, { isTyping = false } = {}) {
      const isSameStep = isTyping && now() - typedAt < pause;
      if (!isSameStep) past = [...past, present].slice(-most);
      typedAt = isTyping ? now() : -Infinity;
      present = state;
      future = [];
    },
    /** Typing from here on is a step of its own. */
    rest() { typedAt = -Infinity; },
    /** Takes over where the caret is: going back leads to where one was. */
    at(range) { present = { ...present, range }; },
    undo() {
      if (past.length === 0) return null;
      future = [present, ...future];
      present = past.at(-1);
      past = past.slice(0, -1);
      typedAt = -Infinity;
      return present;
    },
    redo() {
      if (future.length === 0) return null;
      past = [...past, present];
      [present, ...future] = future;
      typedAt = -Infinity;
      return present;
    },
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}
