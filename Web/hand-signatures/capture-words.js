// The words to the signer.

import { plural, t } from "../shell/translate.js";

export const task = t`Sign in the field, as you always do.`;
export const nothing = t`Nothing is written yet. Sign in the field.`;
export const tooLong = t`That is longer than any signature. Sign again, in one go.`;

/** Of a hand-over to another device. */
export const states = {
  open: t`Waiting for the phone …`,
  opened: t`The phone has opened it. Waiting for what is written there …`,
};

/** @param place from 0 */
export const taken = (place) => t`Signature ${place + 1} is taken.`;

/** @param place from 0 */
export const again = (place) => t`Signature ${place + 1} is not like the others. Please write that one again, as you always do.`;

/**
 * The words to a signer who has taken another tool: when one was asked for, when signatures were taken, when it was
 * begun.
 */
const otherTools = {
  pen: {
    asked: t`Please sign with a pen, like the signatures that this is compared with.`,
    taken: t`Please go on with a pen, like the other signatures.`,
    begun: t`This was begun with a pen. Go on with it, or clear the field first.`,
  },
  touch: {
    asked: t`Please sign with a finger, like the signatures that this is compared with.`,
    taken: t`Please go on with a finger, like the other signatures.`,
    begun: t`This was begun with a finger. Go on with it, or clear the field first.`,
  },
};

/**
 * Pens and fingers move differently, so they are not compared with one another, and mice with nothing.
 *
 * @param wanted the tool that counts; `null` when it was a mouse
 * @param asked the tool that was asked for, if one was
 * @param count how many signatures are taken
 */
export function otherTool(wanted, asked, count) {
  if (!wanted) return t`A mouse cannot be compared: sign with a pen or a finger, or on a phone.`;
  return otherTools[wanted][asked ? "asked" : count > 0 ? "taken" : "begun"];
}

/** The loss when giving up. @param count how many signatures are taken */
export function lost(count) {
  if (count === 0) return t`The signature that you have begun is lost.`;
  return plural(count, "The signature that was written here is lost.", "The {0} signatures that were written here are lost.");
}
