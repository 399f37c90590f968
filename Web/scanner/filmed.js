// The question that the camera of this tab has read last, with its code (docs/approvals.md). The page that a link has opened
// asks here whether it was the camera: what a stranger sends as a link was never before it.

import { dropDraft, loadDraft, saveDraft } from "../shell/draft.js";

const name = "filmed";
/** Only these are kept: other codes hold secrets that nobody asks for here. */
const withCode = /^(web\+)?authreq:2:[^#]+#[0-9]+$/;

/** Remembers a text that the camera has read, for the page that it leads to, until the person signs out. */
export function keepFilmed(text) {
  if (withCode.test(text)) saveDraft(name, { text });
}

/** Whether the camera has read this text; yes once, and for the newest text alone. */
export function wasFilmed(text) {
  const { text: filmed } = loadDraft(name);
  dropDraft(name);
  return filmed === text;
}
