// Documents that were issued: their envelopes, for nobody but the holder can open them, and their revocation.

import { person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, busy, bytes, notice, time } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { once } from "../shell/once.js";
import { plural, t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { typeTitles } from "./catalogue.js";
import { start } from "./console.js";
import { hexOf } from "./fingerprints.js";

const kinds = [
  { name: "all", word: t`All` }, { name: "valid", word: t`Valid` }, { name: "revoked", word: t`Revoked` },
];

start(async (me) => {
  const titles = await typeTitles();
  let isCertified = false;
  const title = (one) => t`${titles[one.type] ?? one.type} of ${person(one.holder)}`;
  const view = listView({
    source: serverList("/api/documents", () => ({ issued: true })), kinds,
    things: (number) => plural(number, "{0} document", "{0} documents"),
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
    badge.textContent = revoked ? t`Revoked` : t`Valid`;
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
    $("[data-receipt]", element).textContent = t`The log proves it: entry number ${act.index}, ${time(act.time)}.`;
  }

  async function revoke(one) {
    const answer = await ask({
      title: t`Revoke this document for ever?`,
      text: t`${title(one)}, signed ${time(one.issued)}. Every verifier will see from now on that it is revoked.
        Nobody can take this back; you could only sign a new one. The holder reads your reason.`,
      confirm: t`Revoke for ever`, cancel: t`Keep it{#document}`, danger: true, reason: true,
    });
    if (!answer) return;
    try {
      const { receipt } = await once(
        t`the document was revoked`,
        () => api.post(`/api/documents/${encodeURIComponent(one.id)}/revoke`, { reason: answer.reason }),
        async () => {
          const now = await api.get(`/api/documents/${encodeURIComponent(one.id)}`);
          return now.revoked && now.reason === answer.reason ? {} : undefined;
        });
      // After a lost answer there is no receipt, but the state that the server shows.
      const members = { credential: one.credential_digest };
      if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, "document.revoked", members);
      notice("success", t`The document is revoked, for ever.`);
    } catch (error) {
      if (error.kind !== "conflict") throw error;
      notice("warning", t`Somebody else had revoked it already; your list shows it as it is now.`);
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
    title: title(one), issuer: person(one.issuer), issued: one.issued, size: t`${bytes(one.size)} sealed`,
    digest: hexOf(one.credential_digest), status: t`place ${one.status.index} in ${one.status.uri}`,
    why: one.revoked && t`Revoked ${time(one.revoked)}: ${one.reason ?? ""}`, mayRevoke: one.mayRevoke,
  };
}
