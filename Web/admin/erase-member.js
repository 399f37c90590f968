// Erasing a person, for ever: done by the main administrator, face to face with the person.

import { isErased, person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { $, busy, describe, fill, notice } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { once } from "../shell/once.js";
import { plural, t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { issuedTo } from "./issued.js";

/**
 * Minds the dialog.
 *
 * @returns `erase(member)`, which resolves when the dialog has closed: whether it was done
 */
export function eraseDialog(me) {
  const dialog = $("#erase");
  let member = null;

  $("#erase-no").addEventListener("click", () => dialog.close());
  $("#erase-form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#erase-yes"), go);
  });

  async function go() {
    if ($("#erase-name").value.trim() !== member.username) {
      say(t`That is not the username of this account. Nothing was erased.`);
      return;
    }
    let isProved;
    try {
      isProved = await erase($("[name=documents]:checked", dialog).value === "keep");
    } catch (error) {
      say(describe(error));
      return;
    }
    dialog.close("erased");
    notice("success", isProved
      ? t`The person is erased. The log proves that it was done, and says nothing about whom.` : t`The person is erased.`);
  }

  /** Whether a receipt proves it. */
  async function erase(keepsDocuments) {
    const { receipt } = await once(
      t`the person was erased`,
      () => api.post(`/api/members/${encodeURIComponent(member.id)}/erase`, {
        username: member.username, keeps_documents: keepsDocuments,
      }),
      async () => (await isThere(member) ? undefined : {}));
    // After a lost answer there is no receipt, but the state that the server shows.
    const members = { documents: keepsDocuments ? "kept" : "revoked" };
    if (!receipt || !me.record) return false;
    await verifyReceipt(me.record.trust, receipt, "account.erased", members);
    return true;
  }

  const say = (words) => complain($("#erase-form"), [$("#erase-name"), $("#erase-error"), words]);

  return async (one) => {
    if (await isCertified(one)) {
      notice("warning", t`${person(one)} is certified. Revoke the certificate first; then the account can be erased.`,
        { action: t`Open Administrators`, href: "/console/delegation" });
      return false;
    }
    if (await hasTakenSignatures(one)) {
      notice("warning", t`${person(one)} has taken signatures at the desk, and the records of those transactions say
        so. Block the account instead.`,
        { action: t`Open the operators`, href: "/desk/operators" });
      return false;
    }
    member = one;
    const documents = await documentsOf(member);
    $("#erase-form").reset();
    complain($("#erase-form"), [$("#erase-name"), $("#erase-error"), ""]);
    fill(dialog, {
      person: person(member), username: member.username, hasDocuments: documents !== 0,
      goes: goes(documents),
    });
    dialog.returnValue = "";
    dialog.showModal();
    // The safe answer: one key pressed too often erases nobody.
    $("#erase-no").focus();
    await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
    return dialog.returnValue === "erased";
  };
}

/** What goes with the account; null documents means that their number is unknown. */
function goes(documents) {
  if (documents === 0) return t`Requests and links go.`;
  return documents === null ? t`Requests and links and sealed documents go.` : plural(
    documents, "Requests and links and {0} sealed document go.", "Requests and links and {0} sealed documents go.");
}

/** Whether the main administrator may erase this account at all. */
export const mayErase = (me, member) => me.may("erase_members") && member.role !== "owner" && !isErased(member);

/** How many documents were issued to them; null when the list waits for the log's witnesses. */
async function documentsOf(member) {
  try {
    return (await issuedTo(member)).total;
  } catch (error) {
    if (error.kind !== "unwitnessed") throw error;
    return null;
  }
}

/** Whether the account still has its name: of some a row stays, of others nothing. */
async function isThere(member) {
  try {
    return (await api.get(`/api/members/${encodeURIComponent(member.id)}`)).username === member.username;
  } catch (error) {
    if (error.kind !== "not-found") throw error;
    return false;
  }
}

async function hasTakenSignatures(member) {
  if (!["operator", "administrator"].includes(member.role)) return false;
  const { items } = await api.get(`/api/signings?operator=${encodeURIComponent(member.id)}&limit=1`);
  return items.length > 0;
}

async function isCertified(member) {
  if (member.role !== "administrator") return false;
  const delegations = await api.all("/api/delegations");
  return delegations.some(({ account, state }) => account.id === member.id && state === "certified");
}
