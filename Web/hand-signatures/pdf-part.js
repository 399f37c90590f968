// The part of the editor's page for a PDF: it is shown, and another can take its place.

import { api } from "../shell/api.js";
import { $, describe, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { showDocument } from "./document-frame.js";
import { pdfPicker, showProgress } from "./pdf-picker.js";

/** Minds the part; see editor.js for what it answers. */
export function pdfPart({ id, present, mayWrite, onChange }) {
  const view = $("#pdf-view");
  /** The file as it is, and the one that is to take its place. */
  let [there, chosen] = [null, null];
  $("#pdf-part").hidden = false;
  const show = (content) => showDocument(view, { name: present.name, mediaType: "application/pdf", content });
  api.bytes(`/api/workspace/${encodeURIComponent(id)}/content`).then((content) => {
    there = content;
    if (!chosen) show(content);
  }, (error) => view.replaceChildren(make("p", { class: "notice error" }, make("span", {}, describe(error)))));
  if (mayWrite) {
    pdfPicker({ drop: $("#drop"), input: $("#file"), error: $("#file-error") }, ({ content }) => {
      chosen = content;
      show(content);
      onChange();
    });
  }
  return {
    // A file that was chosen and is none that could be sent is not left out in silence.
    obstacle: () => (chosen || there ? $("#file-error").textContent : t`The file has not arrived yet. Wait a moment, or choose it again.`),
    content: () => ({ pdf: chosen ?? there }),
    progress: showProgress,
    saved() { [there, chosen] = [chosen ?? there, null]; },
  };
}
