// Shows a document as it is: a page in a frame in which nothing can run and nothing can be asked for, a PDF in the
// browser's own viewer.

import { bytes, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

const addresses = new Map();

/**
 * Shows a document in `place`, in place of the one before.
 *
 * @param document `{name, mediaType, content}`; content is bytes
 * @param isReadable whether this page may see how far a person has read; even so, nothing can run in the frame
 */
export function showDocument(place, { name, mediaType, content }, { isReadable = false } = {}) {
  forgetDocument(place);
  const isPage = mediaType === "text/html";
  const type = isPage ? "text/html;charset=utf-8" : "application/pdf";
  const address = URL.createObjectURL(new Blob([content], { type }));
  addresses.set(place, address);
  if (isPage) return place.append(frame(address, name, { sandbox: isReadable ? "allow-same-origin" : "" }));
  const viewer = navigator.pdfViewerEnabled
    ? frame(`${address}#navpanes=0`, name)
    : make("p", { class: "notice info" }, make("span", {}, t`This browser shows no PDF inside a page. Open it in its own tab.`));
  return place.append(viewer, make("p", { class: "row" },
    make("span", { class: "meta" }, t`PDF, ${bytes(content.length)}`),
    make("a", { class: "button", href: address, target: "_blank", rel: "noopener" }, t`Open in its own tab`)));
}

/** Lets go of what was shown there. */
export function forgetDocument(place) {
  const address = addresses.get(place);
  if (address) URL.revokeObjectURL(address);
  addresses.delete(place);
  place.replaceChildren();
}

function frame(address, name, attributes = {}) {
  return make("iframe", { src: address, title: t`The document ${name}`, class: "document", ...attributes });
}
