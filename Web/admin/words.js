// What things are called on the console's pages.

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
