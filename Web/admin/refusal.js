// Why a request cannot be signed here and now.

import { person } from "../accounts/names.js";

/** `{title, text, mayAccept}`, or `null` when this administrator may sign. */
export function refusal(request, me) {
  if (!me.may("sign_documents")) {
    return { title: "Administrators sign", text: "The main administrator certifies those who sign, and signs no documents." };
  }
  const who = request.administrator;
  switch (request.state) {
    case "pending":
      return { title: "Nobody has accepted this request yet", text: "Accept it first; then nobody else works on it at the same time.", mayAccept: true };
    case "cancelled":
      return { title: "This request was cancelled", text: `The reason given: “${request.reason ?? ""}”` };
    case "issued":
      return { title: "This request has been answered", text: `${who ? person(who) : "An administrator"} signed and sent the document.` };
    default:
      if (who?.id === me.account.id) return null;
      return { title: "Somebody else handles this request", text: `It is in the hands of ${who ? person(who) : "another administrator"}. To sign it yourself, have it assigned to you.` };
  }
}
