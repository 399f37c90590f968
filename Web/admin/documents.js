// Documents that were issued: their envelopes, for nobody but the holder can open them, and their revocation.

import { person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { $, ask, busy, bytes, notice, time } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { once } from "../shell/once.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { typeTitles } from "./catalogue.js";
import { start } from "./console.js";
import { hexOf } from "./fingerprints.js";

const kinds = [
  { name: "all", word: "All" }, { name: "valid", word: "Valid" }, { name: "revoked", word: "Revoked" },
];

start(async (me) => {
  const titles = await typeTitles();
  let isCertified = false;
  const title = (one) => `${titles[one.type] ?? one.type} of ${person(one.holder)}`;
  const view = listView({
    source: serverList("/api/documents", () => ({ issued: true })), kinds, things: ["document", "documents"],
    row: {
      template: "document-row", values: (one) => values(one, title), fill,
      // Receipts grow with the log: that is no change of the document.
      present: ({ receipt, ...one }) => ({ ...one, mayRevoke: isCertified && !one.revoked }),
    },
  });
  const certify = latest(async () => {
    isCertified = me.account.role === "owner" || await isCertifiedNow();
  });

  await certify();
  await view.load();
  onChange(["document", "request", "enrolment", "delegation", "device"], async (event) => {
    if (event?.kind === "request" && event.state !== "issued") return;
    if (!event || event.kind === "delegation") await certify();
    // A device takes its documents with it, wherever they are in the list.
    await view.follow(event?.kind === "device" ? null : event);
  });

  function fill(element, { id, revoked }) {
    const badge = $("[data-badge]", element);
    badge.textContent = revoked ? "Revoked" : "Valid";
    badge.classList.add(revoked ? "bad" : "good");
    for (const [act, run] of Object.entries({ check, revoke })) {
      const button = $(`[data-act=${act}]`, element);
      button.addEventListener("click", () => busy(button, () => run(view.item(id), element)));
    }
  }

  async function check(one, element) {
    if (!me.needKeys()) return;
    const type = one.type === "identity" ? "member.identified" : "document.issued";
    const act = await verifyReceipt(me.record.trust, one.receipt, type, { credential: one.credential_digest });
    $("[data-receipt]", element).textContent = `The log proves it: entry number ${act.index}, ${time(act.time)}.`;
  }

  async function revoke(one) {
    const answer = await ask({
      title: "Revoke this document for ever?",
      text: `${title(one)}, signed ${time(one.issued)}. Every verifier will see from now on that it is revoked. Nobody can ` +
        "take this back; you could only sign a new one. The holder reads your reason.",
      confirm: "Revoke for ever", cancel: "Keep it", danger: true, reason: true,
    });
    if (!answer) return;
    try {
      const { receipt } = await once(
        "the document was revoked",
        () => api.post(`/api/documents/${encodeURIComponent(one.id)}/revoke`, { reason: answer.reason }),
        async () => {
          const now = await api.get(`/api/documents/${encodeURIComponent(one.id)}`);
          return now.revoked && now.reason === answer.reason ? {} : undefined;
        });
      // After a lost answer there is no receipt, but the state that the server shows.
      const members = { credential: one.credential_digest };
      if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, "document.revoked", members);
      notice("success", "The document is revoked, for ever.");
    } catch (error) {
      if (error.kind !== "conflict") throw error;
      notice("warning", "Somebody else had revoked it already; your list shows it as it is now.");
    }
    await view.reload();
  }
});

/** Whether an administrator holds a certificate: without one nothing may be revoked. */
async function isCertifiedNow() {
  const delegations = await api.all("/api/delegations");
  return delegations.some((one) => one.state === "certified");
}

function values(one, title) {
  return {
    title: title(one), issuer: person(one.issuer), issued: one.issued, size: `${bytes(one.size)} sealed`,
    digest: hexOf(one.credential_digest), status: `place ${one.status.index} in ${one.status.uri}`,
    why: one.revoked && `Revoked ${time(one.revoked)}: ${one.reason ?? ""}`, mayRevoke: one.mayRevoke,
  };
}
