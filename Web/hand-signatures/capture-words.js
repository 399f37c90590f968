// What is said to whoever signs.

import { tools } from "./words.js";

export const task = "Sign in the field, as you always do.";
export const nothing = "Nothing is written yet. Sign in the field.";
export const tooLong = "That is longer than any signature. Sign again, in one go.";

/** Of a hand-over to another device. */
export const states = {
  open: "Waiting for the phone …",
  opened: "The phone has opened it. Waiting for what is written there …",
};

/** @param place from 0 */
export const taken = (place) => `Signature ${place + 1} is taken.`;

/** @param place from 0 */
export const again = (place) => `Signature ${place + 1} is not like the others. Please write that one again, as you always do.`;

/**
 * Pens and fingers move differently, so they are not compared with one another, and mice with nothing.
 *
 * @param wanted the tool that counts; `null` when it was a mouse
 * @param asked the tool that was asked for, if one was
 * @param count how many signatures are taken
 */
export function otherTool(wanted, asked, count) {
  if (!wanted) return "A mouse cannot be compared: sign with a pen or a finger, or on a phone.";
  if (asked) return `Please sign with ${tools[wanted]}, like the signatures that this is compared with.`;
  if (count > 0) return `Please go on with ${tools[wanted]}, like the other signatures.`;
  return `This was begun with ${tools[wanted]}. Go on with it, or clear the field first.`;
}

/** What giving up costs. @param count how many signatures are taken */
export function lost(count) {
  if (count === 0) return "The signature that you have begun is lost.";
  return count === 1 ? "The signature that was written here is lost." : `The ${count} signatures that were written here are lost.`;
}
