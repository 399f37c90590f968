// An administrator's own certification: asked for, read out, received, renewed.

import { makeAuthorityKey, use } from "../accounts/keys.js";
import { api } from "../shell/api.js";
import { $, busy, clone, day, notice } from "../shell/dom.js";
import { latest } from "../shell/events.js";
import { once } from "../shell/once.js";
import { listing } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { now, validPath } from "./certified.js";
import { authorityFingerprint, fingerprintElement } from "./fingerprints.js";
import { capabilities } from "./words.js";

/** From when on a certificate should be renewed, in seconds before its end. */
const soon = 14 * 86_400;

/** Minds the card; answers a function that shows how it stands. */
export function ownCertification(me) {
  const card = $("#own");
  /** The request that was seen to wait. */
  let waits;
  const show = latest(async () => {
    const items = await api.all("/api/delegations");
    const key = me.record?.publicKeys.authority;
    const own = items.filter((one) => key && one.authority_key === key).sort((a, b) => b.created - a.created);
    const pending = own.find((one) => one.state === "pending");
    // Only a request that was rejected is ever gone.
    if (waits && !items.some((one) => one.id === waits)) {
      notice("warning", t`The main administrator rejected your request. Talk to them before you ask again.`);
    }
    waits = pending?.id;
    const certified = await firstValid(me, own);
    const part = pending ? await waiting(pending) : certified ? await holding(certified) : asking(own, items);
    const button = $("[data-act=ask]", part);
    button?.addEventListener("click", () => busy(button, ask));
    card.replaceChildren(part);
    card.hidden = false;
  });

  async function ask() {
    if (!me.needKeys()) return;
    const body = await use(t`Ask the main administrator to certify your key`, async (k) => {
      const key = await makeAuthorityKey(k);
      const proof = await k.jws("countersign-authority+jwt", {
        aud: me.record.trust.publicURL, username: me.record.username, iat: now(),
      }, { authority: true });
      return { authority_key: key, proof };
    });
    me.record.publicKeys.authority = body.authority_key;
    await once(t`the certification was asked for`, () => api.post("/api/delegations", body), async () => {
      const items = await api.all("/api/delegations");
      return items.find((one) => one.authority_key === body.authority_key && one.state === "pending");
    });
    notice("success", t`Asked. Now read the fingerprint to the main administrator.`);
    await show();
  }
  return show;
}

/** The newest certification whose certificate leads to the pinned root now, with what the core read in it. */
async function firstValid(me, own) {
  for (const delegation of own) {
    if (delegation.state !== "certified") continue;
    const path = await validPath(me.record.trust, delegation.chain, delegation.capabilities[0]);
    if (path) return { delegation, ends: path.not_after };
  }
  return undefined;
}

async function waiting(delegation) {
  const part = clone("own-pending", { created: delegation.created });
  $("[data-fingerprint]", part).append(fingerprintElement(await authorityFingerprint(delegation.authority_key)));
  return part;
}

async function holding({ delegation, ends }) {
  const isEnding = ends !== undefined && ends - now() < soon;
  const part = clone("own-certified", {
    may: t`You may ${listing(delegation.capabilities.map((name) => capabilities[name].word))}.`,
    when: ends === undefined ? "" : t`The certificate is good until ${day(ends)}.`,
    mayRenew: isEnding,
  });
  const badge = $("[data-badge]", part);
  badge.textContent = isEnding ? t`Ends soon` : t`Valid`;
  badge.classList.add(isEnding ? "wait" : "good");
  $("[data-fingerprint]", part).append(fingerprintElement(await authorityFingerprint(delegation.authority_key)));
  return part;
}

function asking(own, all) {
  const isRevoked = own.some((one) => one.state === "revoked");
  const isElsewhere = all.some((one) => one.state === "certified");
  const [title, text] = isRevoked
    ? [t`Your certificate was revoked`, t`A revoked key never comes back. Talk to the main administrator; to sign
      again you need a device with new keys.`]
    : own.length > 0
      ? [t`Your certificate has ended`, t`Ask for a new one for the same key; the main administrator compares the fingerprint again.`]
      : isElsewhere
        ? [t`Another of your devices is certified`, t`This browser has a key of its own. To sign here, have it certified, too.`]
        : [t`Have your key certified`, t`Your browser makes a key that opens only to you. The main administrator signs
          it after comparing its fingerprint with you; then verifiers trust what you sign.`];
  const part = clone("own-ask", { title, text, action: t`Ask for the certificate` });
  $("[data-act=ask]", part).hidden = isRevoked;
  return part;
}
