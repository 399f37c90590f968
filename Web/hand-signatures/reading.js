// A person who signs on another device reads the document there first, to its end.

import { $ } from "../shell/dom.js";
import { showDocument } from "./document-frame.js";

/** How near the end counts as the end, in CSS pixels. */
const nearly = 24;

/**
 * Shows the document in `place` and calls `onRead` once when its end was seen, or when a PDF was opened.
 */
export function readThrough(place, document, onRead) {
  let isRead = false;
  const done = () => {
    if (isRead) return;
    isRead = true;
    onRead();
  };
  showDocument(place, document, { isReadable: true });
  const frame = $("iframe", place);
  // How far a PDF was read only its viewer knows: there, that it was opened has to do.
  if (document.mediaType !== "text/html") {
    $("a", place).addEventListener("click", done);
    if (frame) frame.addEventListener("load", done);
    return;
  }
  frame.addEventListener("load", () => {
    const view = frame.contentWindow;
    const look = () => {
      const page = frame.contentDocument.documentElement;
      if (view.scrollY + view.innerHeight >= page.scrollHeight - nearly) done();
    };
    view.addEventListener("scroll", look, { passive: true });
    view.addEventListener("resize", look);
    look();
  });
}
