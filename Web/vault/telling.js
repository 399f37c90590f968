// Messages about what is in the vault. An act may take its time: when it ends behind the lock, the page says nothing of it, for a
// message names an item, a folder or a person.

import { $, notice, undoable } from "../shell/dom.js";

/** Whether nothing is open. */
export const isLocked = () => $("#opened").hidden;

/** As `notice`, while the vault is open. */
export const tell = (...message) => (isLocked() ? null : notice(...message));

/** As `undoable`, while the vault is open. */
export const tellUndoable = (...message) => (isLocked() ? null : undoable(...message));
