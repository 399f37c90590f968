// Papers as records name them, which are in English, and as the page names them.

import { papers } from "../accounts/names.js";

/** What is recorded. The bytes of records do not change with the language of a page. */
const recorded = {
  passport: "Passport", identity_card: "Identity card", driving_licence: "Driving licence", residence_permit: "Residence permit",
  student_card: "Student card",
};

/** The record's name for a kind of paper; `""` for none. */
export const recordedPaper = (kind) => recorded[kind] ?? "";

/** A record's paper, in the language of the page: another kind keeps the name that the operator wrote. */
export function paperWords(text) {
  const kind = Object.keys(recorded).find((name) => recorded[name] === text);
  return kind ? papers[kind] : text;
}
