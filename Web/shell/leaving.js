// Dialogs that ask before they throw away what a person has typed.

import { ask } from "./ask.js";
import { t } from "./translate.js";

/**
 * Has a dialog ask before Escape, or the way back of a phone, closes it, and then returns "left". Closed by something else, such as a
 * lock, it asks nothing.
 *
 * @param isChanged whether there is something to lose
 * @param question another one than whether to throw away what was typed, as `ask` takes it
 * @returns what the dialog's button "Cancel" does
 */
export function askBeforeLeaving(dialog, isChanged, question = {}) {
  const leave = async () => {
    const isSure = !isChanged() || await ask({
      title: t`Throw away what you typed?`, confirm: t`Throw it away`, cancel: t`Go on writing`, danger: true, ...question,
    });
    if (isSure) dialog.close("left");
  };
  // A browser closes a dialog without asking it when nobody has pressed anything but Escape since it asked last.
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    leave();
  });
  dialog.addEventListener("cancel", (event) => {
    // One that a field sends, such as a choice of files, closes nothing.
    if (event.target !== dialog) return;
    event.preventDefault();
    leave();
  });
  return leave;
}
