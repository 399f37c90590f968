// What things are called in the wallet, and which badge shows their state.

import { may } from "../accounts/permissions.js";

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

/** Whether somebody can be checked face to face, ask for documents and hold them. */
export const holdsDocuments = (account) => may(account, "hold_documents");
