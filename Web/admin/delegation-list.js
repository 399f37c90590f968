// The main administrator's list of certifications: compare and certify, reject, revoke.

import { person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, busy, day, notice, time } from "../shell/dom.js";
import { latest } from "../shell/events.js";
import { once } from "../shell/once.js";
import { rows } from "../shell/rows.js";
import { listing } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { now, validPath } from "./certified.js";
import { certifyDialog } from "./certify.js";
import { authorityFingerprint, fingerprintElement } from "./fingerprints.js";
import { capabilities } from "./words.js";

/** Minds the lists; answers a function that fetches and shows them. */
export function delegationList(me) {
  const certify = certifyDialog(me);
  let isFirst = true;
  const drawPending = rows($("#pending"), { template: "pending-row", values: ({ account, created }) => ({ name: person(account), created }), fill: fillPending });
  const drawCertified = rows($("#certified"), { template: "delegation-row", values, fill });
  const drawRevoked = rows($("#revoked"), { template: "delegation-row", values, fill });

  const show = latest(async () => {
    const items = await api.all("/api/delegations");
    const known = await Promise.all(items.map(async (one) => ({ ...one, ends: await endOf(one), print: await authorityFingerprint(one.authority_key) })));
    const inState = (state) => known.filter((one) => one.state === state);
    drawPending(inState("pending"), { mark: !isFirst });
    drawCertified(inState("certified"), { mark: !isFirst });
    drawRevoked(inState("revoked"), { mark: !isFirst });
    $("#pending-part").hidden = inState("pending").length === 0;
    $("#nobody").hidden = inState("certified").length > 0;
    $("#file").hidden = known.length === 0;
    $("#csv").href = "/api/delegations?format=csv";
    $("#revoked-part").hidden = inState("revoked").length === 0;
    isFirst = false;
  });

  /** When a certificate ends, as the core reads it; `null` when it does not hold now. */
  async function endOf(delegation) {
    if (delegation.state !== "certified" || !me.record) return undefined;
    const path = await validPath(me.record.trust, delegation.chain, delegation.capabilities[0]);
    return path ? path.not_after : null;
  }

  function fillPending(element, delegation) {
    $("[data-fingerprint]", element).append(fingerprintElement(delegation.print));
    const button = $("[data-act=certify]", element);
    button.addEventListener("click", () => busy(button, async () => {
      if (!me.needKeys()) return;
      await certify(delegation);
      await show();
    }));
    const no = $("[data-act=reject]", element);
    no.addEventListener("click", () => busy(no, () => reject(delegation)));
  }

  async function reject(delegation) {
    const { name } = delegation.account;
    const isSure = await ask({
      title: t`Reject the request of ${name}?`, text: t`Nothing is certified. ${name} can ask again.`,
      confirm: t`Reject request`, danger: true,
    });
    if (!isSure) return;
    try {
      await api.delete(`/api/delegations/${encodeURIComponent(delegation.id)}`);
      notice("success", t`The request of ${name} is rejected.`);
    } catch (error) {
      if (!["conflict", "not-found"].includes(error.kind)) throw error;
      notice("warning", t`It was certified or rejected while you were working.`);
    }
    await show();
  }

  function values(delegation) {
    const { account, state, ends } = delegation;
    return {
      name: person(account),
      may: t`May ${listing(delegation.capabilities.map((name) => capabilities[name].word))}.`,
      when: state === "revoked" ? t`Revoked ${time(delegation.revoked)}`
        : ends ? t`Certificate until ${day(ends)}` : t`Asked ${time(delegation.created)}`,
      mayRevoke: state === "certified",
    };
  }

  function fill(element, delegation) {
    const badge = $("[data-badge]", element);
    const [word, kind] = delegation.state === "revoked" ? [t`Revoked`, "bad"]
      : delegation.ends === null ? [t`Ended`, "bad"]
        : delegation.ends - now() < 14 * 86_400 ? [t`Ends soon`, "wait"] : [t`Certified`, "good"];
    badge.textContent = word;
    badge.classList.add(kind);
    const button = $("[data-act=revoke]", element);
    button.addEventListener("click", () => busy(button, () => revoke(delegation)));
  }

  async function revoke(delegation) {
    const { name } = delegation.account;
    const answer = await ask({
      title: t`Revoke the certificate of ${name} for ever?`,
      text: t`From now on nothing that ${name} signs is valid, and the sessions end at once. Earlier signatures in the
        log stay valid. This key can never be certified again.`,
      confirm: t`Revoke for ever`, cancel: t`Keep it`, danger: true, reason: true,
    });
    if (!answer) return;
    try {
      const { receipt } = await once(
        t`the certificate was revoked`,
        () => api.post(`/api/delegations/${encodeURIComponent(delegation.id)}/revoke`, { reason: answer.reason }),
        async () => ((await find(delegation.id))?.state === "revoked" ? {} : undefined));
      // After a lost answer there is no receipt, but the state that the server shows.
      if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, "administrator.revoked");
      notice("success", t`The certificate of ${name} is revoked.`);
    } catch (error) {
      if (error.kind !== "conflict") throw error;
      notice("warning", t`It had been revoked already; your list shows it as it is now.`);
    }
    await show();
  }
  return show;
}

/** A certification as it is now. */
export async function find(id) {
  return api.find("/api/delegations", (one) => one.id === id);
}
