// The documents of the desk's workspace: listed, uploaded, deleted; a text is written in the editor.

import { nameOf } from "../accounts/names.js";
import { $, busy, describe, notice, undoable } from "../shell/dom.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { locale, plural, t } from "../shell/translate.js";
import { pdfPicker, showProgress } from "./pdf-picker.js";
import { start } from "./start.js";
import { contentOf, deleteDocument, duplicateDocument, makeDocument } from "./workspace-acts.js";

const kinds = [
  { name: "all", word: t`All` }, { name: "text", word: t`Texts` }, { name: "pdf", word: t`PDFs` },
];
const words = { text: t`Text`, pdf: t`PDF` };

start(async (me) => {
  let isSending = false;
  const view = listView({
    source: serverList("/api/workspace"), kinds, things: (number) => plural(number, "{0} template", "{0} templates"),
    row: { template: "document-row", values: (one) => values(one, me), fill },
  });

  await view.load();
  pdfPicker({ drop: $("#drop"), input: $("#file"), error: $("#file-error") }, upload);
  // Others work in the same workspace.
  document.addEventListener("visibilitychange", async () => {
    if (document.hidden) return;
    await view.refresh().catch((error) => console.info("not fetched again:", error.message));
  });

  async function upload({ name, content }) {
    if (isSending) return notice("warning", t`One PDF is still on its way.`);
    isSending = true;
    showProgress(0);
    try {
      const made = await makeDocument(me, { name, pdf: content }, showProgress);
      await view.refresh();
      notice("success", t`“${made.name}” is among the templates.`);
    } catch (error) {
      notice("error", describe(error));
    } finally {
      isSending = false;
      showProgress();
    }
    return undefined;
  }

  function fill(element, one) {
    $("[data-act=sign]", element).setAttribute("aria-label", t`Have “${one.name}” signed`);
    const copying = $("[data-act=duplicate]", element);
    copying.setAttribute("aria-label", t`Duplicate “${one.name}”`);
    copying.addEventListener("click", () => busy(copying, () => duplicate(one)));
    const button = $("[data-act=delete]", element);
    button.setAttribute("aria-label", t`Delete “${one.name}”`);
    button.addEventListener("click", () => busy(button, () => remove(one)));
  }

  async function duplicate(one) {
    try {
      const made = await duplicateDocument(me, one, showProgress);
      await view.refresh();
      notice("success", t`“${made.name}” is made.`, { action: t`Open it`, href: `/desk/document#${encodeURIComponent(made.id)}` });
    } finally {
      showProgress();
    }
  }

  async function remove(one) {
    const content = await contentOf(one);
    await deleteDocument(one.id);
    await view.reload({ mark: false });
    undoable(t`“${one.name}” is deleted. Signed documents stay with their transactions.`, async () => {
      try {
        await makeDocument(me, { name: one.name, ...content }, showProgress);
        await view.refresh();
      } finally {
        showProgress();
      }
    });
  }
});

function values(one, me) {
  return {
    name: one.name, href: `/desk/document#${encodeURIComponent(one.id)}`, kind: words[one.kind] ?? one.kind, version: one.version.toLocaleString(locale),
    who: nameOf(one.changed_by), changed: one.changed, signing: `/desk/sign#document=${encodeURIComponent(one.id)}`,
    maySign: me.may("take_signatures"), mayDelete: me.may("keep_workspace"),
  };
}
