// Text typed into a page whose session ended: it is there again when the same person is back after signing in.
// Passphrases, files and choices are not kept, nor what a field with `data-secret` holds.

import { dropDraft, loadDraft, saveDraft } from "./draft.js";

/** For how long a field that the page has yet to make is waited for, in milliseconds. */
const patience = 10_000;

const nameFor = (account) => `typed ${account} ${location.pathname}`;
const isText = ({ localName, type, dataset }) => !("secret" in dataset) && (localName === "textarea"
  || (localName === "input" && ["text", "email", "tel", "url", "number", "date"].includes(type)));

/** Keeps what this account has typed here. */
export function keepTyped(account) {
  const typed = {};
  for (const field of document.querySelectorAll("main [id]")) {
    if (isText(field) && !field.readOnly && field.value && field.value !== field.defaultValue) typed[field.id] = field.value;
  }
  if (Object.keys(typed).length > 0) saveDraft(nameFor(account), typed);
}

/** Puts what this account had typed here back into its fields, as soon as the page has them. */
export function restoreTyped(account) {
  const typed = loadDraft(nameFor(account));
  dropDraft(nameFor(account));
  const put = () => {
    for (const [id, value] of Object.entries(typed)) {
      const field = document.getElementById(id);
      if (!field || !isText(field)) continue;
      delete typed[id];
      // Text that the page has put there itself is newer.
      if (field.value && field.value !== field.defaultValue) continue;
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (Object.keys(typed).length === 0) watch.disconnect();
  };
  const watch = new MutationObserver(put);
  if (Object.keys(typed).length === 0) return;
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), patience);
  put();
}
