// A client's copy as a link with a code: encrypted in this page, so that the server keeps what it cannot read.

import { api, Problem } from "../shell/api.js";
import { b64u, fromB64u, text, utf8 } from "../shell/core.js";
import { $, busy } from "../shell/dom.js";
import { draw } from "../shell/link-list.js";
import { drawQR } from "../shell/qr.js";
import { fits, keyCheck, newKey, purposes, seal } from "../shell/sealed-link.js";
import { t } from "../shell/translate.js";

const format = "countersign.copy.v1";
/** What of a transaction the printed copy has. */
const shown = ["id", "client_name", "document_name", "field", "created", "decided", "operator_name", "digest", "drawing"];

const pathOf = (signing) => `/api/signings/${encodeURIComponent(signing.id)}/copies`;

/** A copy as bytes. */
function packed(signing, { content, mediaType }) {
  const facts = Object.fromEntries(shown.map((name) => [name, signing[name] ?? null]));
  return utf8(JSON.stringify({ format, signing: facts, document: { media_type: mediaType, content: b64u(content) } }));
}

/** What `packed` made: `{signing, content, mediaType}`. */
export function unpacked(bytes) {
  const copy = JSON.parse(text(bytes));
  if (copy.format !== format) throw new Error(t`This copy is of another version of this program. Reload the page.`);
  return { signing: copy.signing, content: fromB64u(copy.document.content), mediaType: copy.document.media_type };
}

/** Offers a link to the copy of a confirmed transaction, and lists those that there are. */
export async function offerLink(signing, document) {
  $("#link-part").hidden = false;
  $("#link-form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#make-link"), () => makeLink(signing, document));
  });
  await showCopies(signing);
}

async function makeLink(signing, document) {
  const copy = packed(signing, document);
  if (!fits(copy)) {
    throw new Problem("too-large", { detail: t`This copy is too large for a link, at most 12 MB. Print it instead.` });
  }
  const key = newKey();
  const made = await api.post(pathOf(signing), {
    sealed: await seal(copy, key, purposes.copy), lifetime: Number($("#link-lifetime").value), key_check: await keyCheck(key),
  });
  const link = `${location.origin}/copy/${made.id}#${b64u(key)}`;
  $("#link-text").textContent = link;
  $("#link-code").textContent = made.code;
  await drawQR($("#link-qr"), link, { label: t`The link as a QR code` });
  $("#link-made").hidden = false;
  $("#link-title-made").focus();
  await showCopies(signing);
}

/** Lists the links to the copy of a transaction, when there is one. */
export async function showCopies(signing) {
  const path = pathOf(signing);
  const { items } = await api.get(path);
  $("#links-part").hidden = items.length === 0;
  draw($("#links"), items, (id) => api.delete(`${path}/${encodeURIComponent(id)}`), () => showCopies(signing));
}
