// What things are called on the console's pages.

import { language, t } from "../shell/translate.js";

/** States of a request: word, and the badge that shows it. */
export const requestStates = {
  pending: { word: t`Pending`, badge: "wait" },
  accepted: { word: t`Accepted`, badge: "wait" },
  issued: { word: t`Issued{#state}`, badge: "good" },
  cancelled: { word: t`Cancelled`, badge: "bad" },
};

export const capabilities = {
  identify_members: { word: t`identify members` },
  sign_documents: { word: t`sign documents` },
};

/** The fault of a field, as a sentence beside it. */
export const fieldProblems = {
  unknown: t`This type of document has no such field.`,
  missing: t`Fill this in: every document of this type has it.`,
  repeated: t`This is there twice.`,
  empty: t`Fill this in, or leave it out altogether.`,
  too_long: t`This is too long: a text has at most 2,000 bytes, a list 500 rows.`,
  not_text: t`This has characters that cannot be printed.`,
  not_number: t`Write a whole number, or one with a point such as 7.5.`,
  not_date: t`Write a day that exists, as year, month and day.`,
  not_list: t`This must be a list of rows.`,
};

/** The sentence for a reason of the core, however it is spelt. */
export function fieldProblem(reason) {
  const name = reason.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase()).replaceAll("-", "_");
  // A reason that is new to this page is in English.
  if (fieldProblems[name]) return fieldProblems[name];
  return name === reason || language !== "en" ? t`This is not accepted.` : `This ${reason}.`;
}
