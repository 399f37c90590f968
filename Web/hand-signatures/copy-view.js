// A copy of what a client has signed, as it is printed: the document, the signature, and a page of evidence.

import { $, busy, fill, make, time } from "../shell/dom.js";
import { codeValue, showFacts } from "../shell/facts.js";
import { t } from "../shell/translate.js";
import { save, slug } from "../transparency/save.js";
import { drawPicture } from "./transaction-card.js";
import { digestWords } from "./transaction-words.js";

/** Draws a copy into copy-paper.mustache. @param signing as the server tells it, or as the link's page has it */
export async function drawCopy(signing, { content, mediaType }) {
  if (mediaType === "text/html") {
    $("#paper").replaceChildren(...await pageOf(content));
  } else {
    $("#paper").hidden = true;
    $("#is-pdf").hidden = false;
    $("#save").addEventListener("click", ({ currentTarget }) => busy(
      currentTarget, () => save(content, `${slug(signing.document_name) || "document"}.pdf`, mediaType)));
  }
  const operator = signing.operator_name || t`(erased person)`;
  drawPicture($("#signature"), signing);
  // Where the text has no place for it, the signature is at the end.
  $("#paper .signature")?.before($("#signed"));
  fill($("#content"), { name: signing.client_name, created: signing.created });
  showFacts($("#facts"), [
    [t`Document`, signing.document_name], [t`Signed as`, signing.field], [t`Signed`, time(signing.created)],
    [t`Confirmed`, t`${time(signing.decided)}, by ${operator}`],
    [t`SHA-256 of the document`, codeValue(digestWords(signing.digest))], [t`Transaction`, codeValue(signing.id)],
    [t`Fingerprint of the organisation`, codeValue($("#fingerprint").content.textContent)],
  ]);
  document.title = document.title.replace(/^[^·]*/, `${signing.document_name} `);
  $("#content").hidden = false;
  $("#print").disabled = false;
  $("#print").addEventListener("click", () => print());
}

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
  // Between blocks there is only white space, which would be shown.
  return taken.filter((one) => typeof one !== "string" || one.trim() !== "");
}

const known = new Set(["H1", "H2", "H3", "P", "UL", "OL", "LI", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "STRONG", "EM", "B", "I", "BR", "MAIN", "ARTICLE", "SECTION", "DIV", "HEADER", "SPAN", "HR"]);
/** How a text is laid out; nothing else of how it looks is taken over. */
const looks = new Set(["centre", "end", "signature"]);
const isPicture = (address) => /^data:image\/(png|svg\+xml);base64,[A-Za-z0-9+/]+=*$/.test(address ?? "");

function takeOver(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeName === "IMG" && isPicture(node.getAttribute("src"))) return make("img", { src: node.getAttribute("src"), alt: "" });
  if (node.nodeType !== Node.ELEMENT_NODE || !known.has(node.nodeName)) return "";
  return make(node.localName, looks.has(node.className) ? { class: node.className } : {}, ...[...node.childNodes].map(takeOver));
}
