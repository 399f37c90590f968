// Certifying an administrator's key: WalletClient+Administration.swift, in the page.
//
// The core builds the certificate, the main administrator's authority key signs it behind biometrics, and before it is
// sent the core follows the finished chain to the pinned root.

import { use } from "../accounts/keys.js";
import { api } from "../shell/api.js";
import { b64u, call, sha256 } from "../shell/core.js";
import { $, $$, busy, day, describe, notice } from "../shell/dom.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { now, validPath } from "./certified.js";
import { fingerprintElement } from "./fingerprints.js";

/** How far the clocks of browser and server may differ: a certificate must be valid at once on both. */
const clockDifference = 300;

/** Minds the dialog; answers `certify(delegation)`, which resolves when the dialog has closed. */
export function certifyDialog(me) {
  const dialog = $("#certify");
  let delegation = null;

  $("#certify-no").addEventListener("click", () => dialog.close());
  $("#certify-form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#certify-yes"), go);
  });

  async function go() {
    const chosen = $$("[name=capability]:checked").map((box) => box.value);
    const missing = !$("#compared").checked
      ? t`First compare the fingerprint with the other person.`
      : chosen.length === 0 ? t`Choose at least one thing that the administrator may do.` : "";
    $("#certify-error").textContent = missing;
    if (missing) return;
    try {
      await sign(me, delegation, chosen, Number($("#duration").value) * 86_400);
    } catch (error) {
      $("#certify-error").textContent = error.kind === "conflict" ? t`It was certified or revoked while you were working.` : describe(error);
      return;
    }
    dialog.close();
  }

  return function certify(pending) {
    delegation = pending;
    const { name } = pending.account;
    $("#certify-form").reset();
    $("#certify-error").textContent = "";
    $("#certify-title").textContent = t`Certify ${name}`;
    for (const place of $$("[data-name]", dialog)) place.textContent = name;
    $("#certify-fingerprint").replaceChildren(fingerprintElement(pending.print));
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  };
}

async function sign(me, delegation, capabilities, duration) {
  const { trust } = me.record;
  const { items: [own] } = await api.get("/api/authority");
  const certificate = await use(t`Certify ${delegation.account.name}`, async (k) => {
    const { blobs: [tbs] } = await call("administrator_certificate", {
      own, key: delegation.authority_key, name: shortened(delegation.account.name), capabilities, status: delegation.status,
      not_before: now() - clockDifference, duration, serial: serial(),
    });
    const signature = b64u(await k.authoritySign(tbs));
    return (await call("certificate_finish", { signature }, tbs)).blobs[0];
  });
  const leaf = b64u(certificate);
  const paths = await Promise.all(capabilities.map((capability) => validPath(trust, [leaf, own], capability)));
  if (!paths.every((path) => path?.public_key === delegation.authority_key)) {
    throw new Error(t`The certificate that was made does not lead to the organisation's root. Nothing was sent. Are
      you signed in as the main administrator of this organisation?`);
  }
  const { receipt } = await once(
    t`the certificate was sent`,
    () => api.post(`/api/delegations/${encodeURIComponent(delegation.id)}/certificate`, { certificate: leaf, capabilities }),
    async () => {
      const items = await api.all("/api/delegations");
      return items.find((one) => one.id === delegation.id)?.chain[0] === leaf ? {} : undefined;
    });
  // After a lost answer there is no receipt, but the certificate that the server shows.
  if (receipt) await verifyReceipt(trust, receipt, "administrator.delegated", { certificate: await sha256(certificate) });
  const ends = paths[0].not_after;
  notice("success", ends
    ? t`${delegation.account.name} is certified until ${day(ends)}.` : t`${delegation.account.name} is certified.`);
}

/** 16 random bytes of a positive number without leading zero byte. */
function serial() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = (bytes[0] & 0x3f) | 0x40;
  return b64u(bytes);
}

/** A name as a certificate can have it: at most 64 code points (X.520), cut at a whole character. */
function shortened(name) {
  if ([...name].length <= 64) return name;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if ([...kept, ...segment].length >= 64) break;
    kept += segment;
  }
  return `${kept}…`;
}
