// A document that was issued, out of the vault: checked completely before it is shown, as on the page of documents.

import { device } from "../accounts/keys.js";
import { firstContact } from "../accounts/trust.js";
import { Problem } from "../shell/api.js";
import { call } from "../shell/core.js";
import { make, time } from "../shell/dom.js";
import { language, t } from "../shell/translate.js";
import { drawFields } from "../verification/fields.js";
import { inWords } from "../verification/reasons.js";

/** What this browser trusts: what its device pinned, or what it pins now. */
async function trusted() {
  const owner = await device();
  return owner?.trust ?? firstContact();
}

/**
 * What shows it: `{element, address}`.
 *
 * @param drawn shows a file: `drawn(item, blob)`
 */
export async function drawnIssued({ issued }, blob, drawn) {
  const trust = await trusted();
  const { value, blobs } = await call("open_package", {
    root: trust.root, log_key: trust.logKey, signing_key: String(issued.signing_key), type: String(issued.type),
    credential_digest: String(issued.credential_digest), receipt: String(issued.receipt), language,
  }, new Uint8Array(await blob.arrayBuffer())).catch((error) => {
    if (error.code === "unavailable" || error.code === "trap") throw error;
    const reason = language === "en" ? error.message : inWords(error.code, `(${error.code})`);
    throw new Problem("bad-document", { detail: t`This document does not pass its check, so it is not shown. ${reason}`, cause: error });
  });
  const fields = make("dl", { class: "facts" });
  await drawFields(fields, value.fields, issued.type);
  const about = make("dl", { class: "facts" }, ...[
    [t`Signed by`, t`${value.signer}, ${value.organisation}`], [t`Issued{#state}`, time(value.issued_at)],
    ...(value.expires_at ? [[t`Valid until`, time(value.expires_at)]] : []),
  ].map(([name, words]) => make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, words))));
  const seen = value.document
    ? await drawn({ name: value.document.name, type: value.document.media_type }, new Blob([blobs[1]], { type: value.document.media_type })) : null;
  return { address: seen?.address ?? null, element: make("div", { class: "stack" }, fields, ...(seen ? [seen.element] : []), about, await proof(issued)) };
}

/** What it takes to prove whose it is. */
async function proof({ id, device: where }) {
  const owner = await device();
  if (owner?.device !== where) {
    return make("p", { class: "hint" }, t`You can read it here. To prove to a verifier that it is yours, show it from the device that it was issued to: only that one has the key.`);
  }
  return make("p", {}, make("a", { href: `/wallet/document#${encodeURIComponent(id)}` }, t`Show it to a verifier`));
}
