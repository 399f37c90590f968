// What pages call the parts of a request for approval.

import { t } from "../shell/translate.js";

/** What each line of a question is, by its label in the signed rendering (docs/approvals.md). */
export const lineLabels = {
  service: t`Service`,
  action: t`You are asked to`,
  amount: t`Amount`,
  payee: t`To{#payee}`,
  account: t`Account`,
  place: t`Place`,
  time: t`Time`,
  device: t`Device`,
  text: t`Text`,
  more: "",
  approvals: t`Approvals needed`,
  expires: t`Answer before`,
};

/** What is asked for, by the word in the signed bytes. */
export const actions = { "sign-in": t`sign in`, pay: t`pay`, change: t`change something`, agree: t`agree` };

/**
 * What is asked, in one line. The lines below it say the rest, and they are what is signed.
 *
 * @param question `{action, lines}` of Core
 */
export function headline(domain, { action, lines }) {
  const values = (label) => lines.filter((line) => line.label === label).map(({ text }) => `\u2068${text}\u2069`);
  const [amounts, payees] = [values("amount"), values("payee")];
  if (action === "pay" && amounts.length === 1 && payees.length === 1) return t`Pay ${amounts[0]} to ${payees[0]}`;
  const who = `\u2068${domain}\u2069`;
  return t`${who}: ${actions[action] ?? action}`;
}

/** States of a request: the word, and the look of its badge. */
export const states = {
  pending: { word: t`Waiting`, badge: "wait" },
  approved: { word: t`Allowed`, badge: "good" },
  denied: { word: t`Denied`, badge: "bad" },
  expired: { word: t`Expired`, badge: "" },
  cancelled: { word: t`Cancelled`, badge: "" },
};

/**
 * The lines as facts to show. Labels are translated; values stay as they are signed.
 *
 * @param lines `[{label, text}]` of Core
 */
export function factsOf(lines) {
  return lines.map(({ label, text }) => [
    lineLabels[label] ?? label, label === "action" ? actions[text] ?? text : text]);
}
