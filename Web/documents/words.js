// What things are called in the wallet, and which badge shows their state.

const titles = {
  identity: "Identity credential",
  transcript: "Transcript of records",
  degree: "Degree certificate",
  employment: "Certificate of employment",
  generic: "Other document",
};

/** A type of document, in words; a type that is new to this page is called by its name. */
export function typeTitle(type) {
  const words = type.replaceAll("_", " ");
  return titles[type] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** States of a request: word, badge, and what it means for the person who asked. */
export const requestStates = {
  pending: { word: "Waiting", badge: "wait", means: "No administrator has taken it yet." },
  accepted: { word: "Being prepared", badge: "wait", means: "An administrator has taken it." },
  issued: { word: "Issued", badge: "good", means: "It was signed and is in your documents." },
  cancelled: { word: "Cancelled", badge: "bad", means: "It will not be issued." },
};

/** Whether somebody still has to act on a request. */
export const isOpen = (request) => request.state === "pending" || request.state === "accepted";

/** The state of a document, seen from the device that looks at it. */
export function documentState(info, owner) {
  if (info.revoked) return { name: "revoked", word: "Revoked", badge: "bad" };
  if (info.device !== owner?.device) return { name: "elsewhere", word: "On another device", badge: "weak" };
  return { name: "valid", word: "Valid", badge: "good" };
}

/** What opens the keys of this browser, in words. */
export const means = (owner) => owner?.kind === "passphrase" ? "your passphrase" : "your face or finger";

/** Roles that can be checked face to face, ask for documents and hold them (docs/permissions.md). */
export const holdsDocuments = (role) => role === "member" || role === "operator";

/** "1 view", "2 views". */
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString()} ${number === 1 ? one : many}`;

/** Words joined as people do: "a, b and c". */
export const listing = (words) => (
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

/** The UTF-8 length of a text, which is what limits count. */
export const byteLength = (text) => new TextEncoder().encode(text).length;
