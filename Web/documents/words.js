// The names of things in the wallet, and the badges that show their state.

import { may } from "../accounts/permissions.js";
import { plural, t } from "../shell/translate.js";

/** States of a request: word, badge, and what it means for the person who asked. */
export const requestStates = {
  pending: { word: t`Waiting`, badge: "wait", means: t`No administrator has taken it yet.` },
  accepted: { word: t`Being prepared`, badge: "wait", means: t`An administrator has taken it.` },
  issued: { word: t`Issued{#state}`, badge: "good", means: t`It was signed and is in your documents.` },
  cancelled: { word: t`Cancelled`, badge: "bad", means: t`It will not be issued.` },
};

/** Whether a request still needs an act. */
export const isOpen = (request) => request.state === "pending" || request.state === "accepted";

/** The state of a document, seen from the device that looks at it. */
export function documentState(info, owner) {
  if (info.revoked) return { name: "revoked", word: t`Revoked`, badge: "bad" };
  if (info.device !== owner?.device) return { name: "elsewhere", word: t`On another device`, badge: "weak" };
  return { name: "valid", word: t`Valid`, badge: "good" };
}

/** Parts of the list of links: values of the query's `show`. */
export const linkKinds = [
  { name: "all", word: t`All` }, { name: "open", word: t`Works` }, { name: "ended", word: t`Ended{#link}` },
];

export const numberOfLinks = (number) => plural(number, "{0} link", "{0} links");

/** What opens the keys of this browser, in words. */
export const means = (owner) => owner?.kind === "passphrase" ? t`your passphrase` : t`your face or finger`;

/** Whether a person can be checked face to face, ask for documents and hold them. */
export const holdsDocuments = (account) => may(account, "hold_documents");
