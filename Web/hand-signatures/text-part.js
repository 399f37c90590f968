// The part of the editor's page for a text: tools, the text itself, and the draft that this tab keeps of it.

import { dropDraft, loadDraft, saveDraft } from "../shell/draft.js";
import { $, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { textEditor } from "./text-editor.js";
import { obstacle, parse, serialise } from "./text-model.js";
import { previewText } from "./text-preview.js";
import { toolbar } from "./toolbar.js";

/** How soon what was typed is kept, in milliseconds. */
const pause = 300;

/** Minds the part; see editor.js for what it answers. */
export function textPart({ me, id, present, mayWrite, onChange, onForget }) {
  const nameFor = (document) => `text ${me.account.id} ${document}`;
  let draftName = nameFor(id);
  const root = $("#text");
  let waiting = 0;
  let show = () => {};
  $("#text-part").hidden = false;
  root.contentEditable = mayWrite ? "true" : "false";
  $("#tools").hidden = $("#keys").hidden = !mayWrite;
  if (!mayWrite) root.setAttribute("aria-readonly", "true");
  // Reading needs a place to scroll from, too.
  root.tabIndex = 0;

  const editor = textEditor(root, { onChange, onMove: () => show(editor.state()) });
  if (mayWrite) show = toolbar($("#tools"), root, { run: (command, value) => (command === "undo" || command === "redo" ? editor[command]() : editor.run(command, value)) });

  const draft = mayWrite ? loadDraft(draftName) : {};
  const isRestored = typeof draft.text === "string" && (draft.text !== present.text || draft.name !== present.name);
  // A draft of an older version stays one: saving it tells that there is a newer one.
  if (isRestored) present.version = draft.version;
  editor.load(isRestored ? parse(draft.text) : present.text ? parse(present.text) : []);
  if (isRestored) offerToForget();

  function offerToForget() {
    notice("info", t`Your unsaved text is here again.`, {
      action: t`Drop it`, run: () => {
        dropDraft(draftName);
        onForget();
        location.reload();
      },
    });
  }

  return {
    isRestored, draftName: isRestored ? draft.name : undefined,
    keep(name, version) {
      clearTimeout(waiting);
      waiting = setTimeout(() => saveDraft(draftName, { name, version, text: serialise(editor.blocks()) }), pause);
    },
    obstacle: () => obstacle(editor.blocks()),
    content: () => ({ text: serialise(editor.blocks()) }),
    preview: (name) => previewText(name, editor.blocks()),
    saved(document) {
      clearTimeout(waiting);
      dropDraft(draftName);
      draftName = nameFor(document.id);
    },
  };
}
