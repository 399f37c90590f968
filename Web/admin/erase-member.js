// Erasing a person, for ever: the main administrator, with the person before her.

import { api } from "../shell/api.js";
import { ask, notice } from "../shell/dom.js";
import { once } from "./once.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { person } from "./words.js";

/**
 * Asks, naming what goes, and erases.
 *
 * @param isThere whether the account is still listed, asked anew
 * @returns whether it was done
 */
export async function eraseMember(member, me, isThere) {
  const answer = await ask({
    title: "Erase this person for ever?",
    text: `Of ${person(member)} these go: the account, name and username, devices, passkeys, sessions, requests, links and ` +
      "sealed documents, and what opens the log's entries. The documents are revoked: every verifier sees that. Nobody " +
      "can take it back; only backups keep it until they are rotated.",
    confirm: "Erase for ever", cancel: "Keep the account", danger: true,
    input: { label: "The username, to be sure", hint: `Type ${member.username}`, maximum: 254 },
  });
  if (!answer) return false;
  if (answer.value !== member.username) {
    notice("warning", "That is another username. Nothing was erased.");
    return false;
  }
  const { receipt } = await once(
    "the person was erased",
    () => api.post(`/api/members/${encodeURIComponent(member.id)}/erase`, { username: answer.value, keeps_documents: false }),
    async () => (await isThere(member.id) ? undefined : {}));
  // After a lost answer there is no receipt, but the state that the server shows.
  if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, "account.erased", { documents: "revoked" });
  notice("success", "The person is erased. The log proves that it was done, and says nothing about whom.");
  return true;
}
