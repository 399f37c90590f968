// What things are called on the desk's pages.

import { whole } from "../accounts/names.js";
import { t } from "../shell/translate.js";

/** What a signature is written with. */
export const tools = { pen: t`a pen`, touch: t`a finger`, mouse: t`a mouse` };

/** States of a transaction: word, and the badge that shows it. */
export const signingStates = {
  pending: { word: t`Pending`, badge: "wait" },
  confirmed: { word: t`Confirmed`, badge: "good" },
  refused: { word: t`Refused`, badge: "bad" },
  lapsed: { word: t`Expired`, badge: "" },
};

/** Whether the signatures of a second visit are to be taken, and it is late enough for another visit. */
export const isSittingDue = ({ second_sitting_from: from }) => from != null && from * 1000 <= Date.now();

/** The full name of a client. */
export const nameOf = whole;

/** Whether the client of a transaction was erased: the server has only this word in place of the name. */
export const isErased = ({ client_name: name }) => name === "(erased)";

/** The name of a transaction's client, or that the client was erased. */
export const clientName = (signing) => (isErased(signing) ? t`(erased)` : signing.client_name);
