// Why a request cannot be signed here and now.

import { person } from "../accounts/names.js";
import { t } from "../shell/translate.js";

const answered = (who) => (who
  ? t`${person(who)} signed and sent the document.` : t`An administrator signed and sent the document.`);

const inHands = (who) => (who
  ? t`It is in the hands of ${person(who)}. To sign it yourself, have it assigned to you.`
  : t`It is in the hands of another administrator. To sign it yourself, have it assigned to you.`);

/** `{title, text, mayAccept}`, or `null` when this administrator may sign. */
export function refusal(request, me) {
  if (!me.may("sign_documents")) {
    return { title: t`Administrators sign`, text: t`The main administrator certifies those who sign, and signs no documents.` };
  }
  const who = request.administrator;
  switch (request.state) {
    case "pending":
      return { title: t`Nobody has accepted this request yet`, text: t`Accept it first; then nobody else works on it at the same time.`, mayAccept: true };
    case "cancelled":
      return { title: t`This request was cancelled`, text: t`The reason given: “${request.reason ?? ""}”` };
    case "issued":
      return { title: t`This request has been answered`, text: answered(who) };
    default:
      if (who?.id === me.account.id) return null;
      return { title: t`Somebody else handles this request`, text: inHands(who) };
  }
}
