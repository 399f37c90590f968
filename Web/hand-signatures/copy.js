// What a client takes home: the document, the signature, and a page of evidence, to be printed.

import { $, busy, fill, make, time } from "../shell/dom.js";
import { codeValue, showFacts } from "../shell/facts.js";
import { api } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { save, slug } from "../transparency/save.js";
import { signedDocument } from "./signed-document.js";
import { fragment, start } from "./start.js";
import { drawPicture } from "./transaction-card.js";
import { digestWords } from "./transaction-words.js";

start(async () => {
  addEventListener("hashchange", () => location.reload());
  const id = fragment();
  const signing = id && await api.get(`/api/signings/${encodeURIComponent(id)}`).catch((error) => {
    if (error.kind !== "not-found") throw error;
    return null;
  });
  if (!signing || signing.state !== "confirmed" || !signing.digest) return void ($("#missing").hidden = false);
  $("#back").href = `/desk/transaction#${encodeURIComponent(id)}`;
  const { content, mediaType } = await signedDocument(id);
  if (mediaType === "text/html") {
    $("#paper").replaceChildren(...await pageOf(content));
  } else {
    $("#paper").hidden = true;
    $("#is-pdf").hidden = false;
    $("#save").addEventListener("click", ({ currentTarget }) => busy(
      currentTarget, () => save(content, `${slug(signing.document_name) || "document"}.pdf`, mediaType)));
  }
  drawPicture($("#signature"), signing);
  fill($("#content"), { name: signing.client_name, created: signing.created });
  showFacts($("#facts"), [
    [t`Document`, signing.document_name], [t`Signed as`, signing.field], [t`Signed`, time(signing.created)],
    [t`Confirmed`, t`${time(signing.decided)}, by ${signing.operator_name || t`(erased person)`}`],
    [t`SHA-256 of the document`, codeValue(digestWords(signing.digest))], [t`Transaction`, codeValue(signing.id)],
    [t`Fingerprint of the organisation`, codeValue($("#fingerprint").content.textContent)],
  ]);
  document.title = document.title.replace(/^[^·]*/, `${signing.document_name} `);
  $("#content").hidden = false;
  $("#print").disabled = false;
  $("#print").addEventListener("click", () => print());
});

/**
 * The page's own elements. It is read in a frame in which nothing can run, and only what a text can have is taken over.
 */
async function pageOf(content) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/html;charset=utf-8" }));
  const frame = make("iframe", { src: address, sandbox: "allow-same-origin", class: "visually-hidden", title: "", "aria-hidden": "true", tabindex: "-1" });
  const loaded = new Promise((resolve) => { frame.addEventListener("load", resolve, { once: true }); });
  document.body.append(frame);
  await loaded;
  const taken = [...frame.contentDocument.body.childNodes].map(takeOver);
  frame.remove();
  URL.revokeObjectURL(address);
  return taken.filter(Boolean);
}

const known = new Set(["H1", "H2", "H3", "P", "UL", "OL", "LI", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "STRONG", "EM", "B", "I", "BR", "MAIN", "ARTICLE", "SECTION", "DIV"]);

function takeOver(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || !known.has(node.nodeName)) return "";
  return make(node.localName, {}, ...[...node.childNodes].map(takeOver));
}
