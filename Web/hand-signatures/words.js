// What things are called on the desk's pages.

/** What a signature is written with. */
export const tools = { pen: "a pen", touch: "a finger", mouse: "a mouse" };

/** States of a transaction: word, and the badge that shows it. */
export const signingStates = {
  pending: { word: "Pending", badge: "wait" },
  confirmed: { word: "Confirmed", badge: "good" },
  refused: { word: "Refused", badge: "bad" },
  lapsed: { word: "Expired", badge: "" },
};

/** Whether the signatures of a second visit are to be taken, and it is late enough for another visit. */
export const isSittingDue = ({ second_sitting_from: from }) => from != null && from * 1000 <= Date.now();

/** The full name of a client. */
export const nameOf = ({ given_name: given, family_name: family }) => `${given} ${family}`;
