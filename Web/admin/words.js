// What things are called on the console's pages.

import { isErased, nameOf } from "../accounts/names.js";

export const roles = {
  owner: "Main administrator",
  administrator: "Administrator",
  operator: "Operator",
  member: "Member",
};

/** States of a request: word, and the badge that shows it. */
export const requestStates = {
  pending: { word: "Pending", badge: "wait" },
  accepted: { word: "Accepted", badge: "wait" },
  issued: { word: "Issued", badge: "good" },
  cancelled: { word: "Cancelled", badge: "bad" },
};

export const capabilities = {
  identify_members: { word: "identify members", long: "Check members face to face and sign their identity credentials" },
  sign_documents: { word: "sign documents", long: "Sign the documents that members ask for" },
};

export const papers = {
  passport: "Passport",
  identity_card: "Identity card",
  driving_licence: "Driving licence",
  residence_permit: "Residence permit",
  student_card: "Student card",
};

/** What is wrong with a field, as a sentence beside it. */
export const fieldProblems = {
  unknown: "This type of document has no such field.",
  missing: "Fill this in: every document of this type has it.",
  repeated: "This is there twice.",
  empty: "Fill this in, or leave it out altogether.",
  too_long: "This is too long: a text has at most 2,000 bytes, a list 500 rows.",
  not_text: "This has characters that cannot be printed.",
  not_number: "Write a whole number, or one with a point such as 7.5.",
  not_date: "Write a day that exists, as year, month and day.",
  not_list: "This must be a list of rows.",
};

/** The sentence for a reason of the core, however it is spelt. */
export function fieldProblem(reason) {
  const name = reason.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase()).replaceAll("-", "_");
  return fieldProblems[name] ?? "This " + (name === reason ? "is not accepted." : reason + ".");
}

/** "Ada Lovelace (ada)": a name is what the person gave, the username tells two of a name apart. */
export function person(account) {
  if (isErased(account)) return nameOf(account);
  return account.name === account.username ? account.name : `${account.name} (${account.username})`;
}

/** "1 request", "2 requests". */
export function count(number, one, many = one + "s") {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`;
}

/** Words joined as people do: "a, b and c". */
export function listing(words) {
  return words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words.at(-1);
}
