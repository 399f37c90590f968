// Documents that were issued: their envelopes, for nobody but the holder can open them, and their revocation.

import { api } from "../shell/api.js";
import { $, ask, busy, bytes, notice, time } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { typeTitles } from "./catalogue.js";
import { start } from "./console.js";
import { hexOf } from "./fingerprints.js";
import { listView } from "./list-view.js";
import { once } from "../shell/once.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { person } from "./words.js";

const kinds = [
  { name: "all", word: "All", has: () => true },
  { name: "valid", word: "Valid", has: (one) => !one.revoked },
  { name: "revoked", word: "Revoked", has: (one) => Boolean(one.revoked) },
];

start(async (me) => {
  const titles = await typeTitles();
  let documents = [];
  let isCertified = false;
  const title = (one) => `${titles[one.type] ?? one.type} of ${person(one.holder)}`;
  const show = listView({
    items: () => documents, kinds, texts: (one) => [title(one), one.issuer.name, one.issuer.username, one.reason],
    row: {
      template: "document-row", values: (one) => values(one, title), fill,
      // Receipts grow with the log: that is no change of the document.
      present: ({ receipt, ...one }) => ({ ...one, mayRevoke: isCertified && !one.revoked }),
    },
  });
  const load = latest(async () => {
    const [issued, delegations] = await Promise.all([api.all("/api/documents?issued=true"), api.get("/api/delegations")]);
    documents = issued;
    isCertified = me.account.role === "owner" || delegations.items.some((one) => one.state === "certified");
  });

  await load();
  show({ mark: false });
  onChange(["document", "request", "enrolment", "delegation", "device"], async (event) => {
    if (event?.kind === "request" && event.state !== "issued") return;
    await load();
    show();
  });

  function fill(element, { id, revoked }) {
    const badge = $("[data-badge]", element);
    badge.textContent = revoked ? "Revoked" : "Valid";
    badge.classList.add(revoked ? "bad" : "good");
    for (const [act, run] of Object.entries({ check, revoke })) {
      const button = $(`[data-act=${act}]`, element);
      button.addEventListener("click", () => busy(button, () => run(documents.find((one) => one.id === id), element)));
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
          await load();
          const now = documents.find(({ id }) => id === one.id);
          return now?.revoked && now.reason === answer.reason ? {} : undefined;
        });
      // After a lost answer there is no receipt, but the state that the server shows.
      const members = { credential: one.credential_digest };
      if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, "document.revoked", members);
      notice("success", "The document is revoked, for ever.");
    } catch (error) {
      if (error.kind !== "conflict") throw error;
      notice("warning", "Somebody else had revoked it already; your list shows it as it is now.");
    }
    await load();
    show();
  }
});

function values(one, title) {
  return {
    title: title(one), issuer: person(one.issuer), issued: one.issued, size: `${bytes(one.size)} sealed`,
    digest: hexOf(one.credential_digest), status: `place ${one.status.index} in ${one.status.uri}`,
    why: one.revoked && `Revoked ${time(one.revoked)}: ${one.reason ?? ""}`, mayRevoke: one.mayRevoke,
  };
}
