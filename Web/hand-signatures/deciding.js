// The operator's decision over a signature that matches: confirm or refuse, once, and believed with its receipt.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";

const path = (id) => `/api/signings/${encodeURIComponent(id)}`;

/** Confirms a transaction; answers it as it is then. */
export async function confirmSigning(me, { id }) {
  const decided = await once(
    t`the transaction was confirmed`, () => api.post(`${path(id)}/confirm`, undefined, { reason: t`Confirm this signature` }),
    async () => found(await api.get(path(id)), "confirmed"));
  return checked(me, decided);
}

/** Refuses a transaction after asking why; answers it as it is then, or `null` when the operator thought better of it. */
export async function refuseSigning(me, { id, client_name: name }) {
  const answer = await ask({
    title: t`Refuse this signature?`,
    text: t`The transaction of ${name} stays on record as refused, with your reason. Nobody can change that afterwards.`,
    confirm: t`Refuse`, cancel: t`Go back`, danger: true, reason: true,
  });
  if (!answer) return null;
  const decided = await once(
    t`the transaction was refused`, () => api.post(`${path(id)}/refuse`, { reason: answer.reason }),
    async () => {
      // Another operator's refusal, or the end of the time, is not this one.
      const now = found(await api.get(path(id)), "refused");
      return now?.reason === answer.reason.trim() ? now : undefined;
    });
  return checked(me, decided);
}

const found = (signing, state) => (signing.state === state ? signing : undefined);

/** With this browser's keys came the log key that a receipt is checked against; a browser without them believes. */
async function checked(me, signing) {
  if (me.record && signing.receipt) await verifyReceipt(me.record.trust, signing.receipt, `signing.${signing.state}`);
  return signing;
}
