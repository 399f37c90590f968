// Papers as they stand in records, which are in English, and as the page calls them.

import { papers } from "../accounts/names.js";

/** What is recorded. The bytes of records do not change with the language of a page. */
const recorded = {
  passport: "Passport", identity_card: "Identity card", driving_licence: "Driving licence", residence_permit: "Residence permit",
  student_card: "Student card",
};

/** What is recorded of a kind of paper; `""` of none. */
export const recordedPaper = (kind) => recorded[kind] ?? "";

/** What a record says of a paper, in the language of the page: another paper is called as somebody has written. */
export function paperWords(text) {
  const kind = Object.keys(recorded).find((name) => recorded[name] === text);
  return kind ? papers[kind] : text;
}
