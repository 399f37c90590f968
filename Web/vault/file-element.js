// What shows a file in a page.

import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** What a browser shows without running anything in it. */
const pictures = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
/** The largest file that is put together in memory, in bytes. */
export const largest = 512_000_000;
/** The longest text that is shown, in bytes. */
const longestText = 1_000_000;

/** What shows a file, `{element, address}`. Markup and scripts of it never run: it is given a type that the browser only shows. */
export async function drawn(item, blob) {
  const isPicture = pictures.includes(item.type);
  const isPDF = item.type === "application/pdf";
  const isText = item.type?.startsWith("text/plain") && blob.size <= longestText;
  const address = URL.createObjectURL(new Blob([blob], { type: isPicture || isPDF ? item.type : "application/octet-stream" }));
  if (isPicture) return { address, element: make("img", { src: address, alt: item.name, class: "vault-picture" }) };
  if (isPDF && navigator.pdfViewerEnabled) return { address, element: make("iframe", { src: `${address}#navpanes=0`, title: item.name }) };
  if (isText) return { address, element: make("pre", { tabindex: 0, dir: "auto" }, await blob.text()) };
  return { address, element: make("p", {}, t`This browser cannot show this kind of file. You can save it.`) };
}

/** What shows an item, `{element, address}`: a document that was issued is checked before. */
export const seenOf = async (item, blob) => (item.issued ? (await import("./issued-view.js")).drawnIssued(item, blob, drawn) : drawn(item, blob));
