// One document of the workspace: a text to be written, or a PDF to be looked at, named and replaced.

import { api } from "../shell/api.js";
import { nameOf } from "../accounts/names.js";
import { $, busy, notice, time } from "../shell/dom.js";
import { complain, settle } from "../shell/error-summary.js";
import { locale, t } from "../shell/translate.js";
import { settleConflict } from "./conflict.js";
import { askedFields } from "./client-fields.js";
import { fragment, start } from "./start.js";
import { defineFields } from "./text-model.js";
import { pdfPart } from "./pdf-part.js";
import { textPart } from "./text-part.js";
import { showProgress } from "./pdf-picker.js";
import { changeDocument, makeDocument } from "./workspace-acts.js";

start(async (me) => {
  addEventListener("hashchange", () => location.reload());
  const id = fragment();
  const isNew = id === "new";
  /** As the server has it, and the person began with it. */
  let present = isNew ? { name: "", kind: "text", text: null, version: 0 } : await fetched(id);
  if (!present) return void ($("#missing").hidden = false);
  if (present.kind === "text") defineFields(await askedFields());
  const mayWrite = me.may("keep_workspace");
  const name = $("#name");
  let isDirty = false;
  /** The field of the content, and where it says what is wrong. */
  const [content, mistake] = present.kind === "pdf" ? [$("#file"), $("#file-error")] : [$("#text"), $("#text-error")];
  const options = { me, id, present, mayWrite, onChange: contentChanged, onForget: () => removeEventListener("beforeunload", stay) };
  const part = present.kind === "pdf" ? pdfPart(options) : textPart(options);

  name.readOnly = !mayWrite;
  name.value = part.draftName ?? present.name;
  name.addEventListener("input", changed);
  $("#sign").href = `/desk/sign#document=${encodeURIComponent(id)}`;
  $("#preview").hidden = !part.preview;
  $("#preview").addEventListener("click", () => part.preview(name.value.trim()));
  $("#form").hidden = false;
  $("#form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#save"), save);
  });
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    if (mayWrite && !document.querySelector("dialog[open]")) busy($("#save"), save);
  });
  describe();
  if (part.isRestored) changed();
  else if (isNew) name.focus();

  function describe() {
    const title = present.name || t`New text`;
    document.title = document.title.replace(/^[^·]*/, `${title} `);
    $("#title").textContent = title;
    const saved = present.version > 0
      ? versionLine(present)
      : t`Not saved yet`;
    $("#about").textContent = isDirty && present.version > 0 ? t`${saved} · you have changed it since` : saved;
    // The saved text is the one that is signed.
    $("#sign").hidden = isDirty || present.version === 0 || !me.may("take_signatures");
  }

  /** Tools change a text without an event. */
  function contentChanged() {
    settle($("#form"), content);
    changed();
  }

  function changed() {
    if (mayWrite) part.keep?.(name.value, present.version);
    if (isDirty) return;
    isDirty = true;
    addEventListener("beforeunload", stay);
    describe();
  }

  function saved(next) {
    present = { ...present, ...next };
    isDirty = false;
    removeEventListener("beforeunload", stay);
    part.saved(present);
    describe();
  }

  async function save() {
    const given = name.value.trim();
    const isWhole = complain($("#form"), [name, $("#name-error"), given ? "" : t`Give it a name by which people find it.`],
      [content, mistake, part.obstacle()]);
    if (!isWhole) return undefined;
    const wanted = { name: given, ...part.content() };
    try {
      const next = present.version === 0 ? await makeDocument(me, wanted, part.progress) : await changeDocument(me, present.id, present.version, wanted, part.progress);
      return arrived(next, wanted);
    } catch (error) {
      if (error.kind === "conflict" && present.version > 0) return conflict(wanted);
      if (error.kind === "not-found" && present.version > 0) return gone(wanted);
      throw error;
    } finally {
      showProgress();
    }
  }

  function arrived(next, content) {
    const wasNew = present.version === 0;
    saved({ ...next, text: content.text });
    notice("success", t`Saved as version ${next.version.toLocaleString(locale)}.`);
    // From now on the address names it; the page stays as it is, with its undo.
    if (wasNew) history.replaceState(history.state, "", `#${encodeURIComponent(next.id)}`);
    $("#sign").href = `/desk/sign#document=${encodeURIComponent(next.id)}`;
  }

  /** Another person was faster: both versions can stay. */
  async function conflict(content) {
    const theirs = await fetched(present.id);
    if (!theirs) return gone(content);
    const choice = await settleConflict(theirs, content.name);
    if (!choice) return undefined;
    if (choice.act === "theirs") {
      saved(theirs);
      return location.reload();
    }
    return saveAsNew({ ...content, name: choice.name });
  }

  async function gone(content) {
    const choice = await settleConflict(null, content.name);
    return choice ? saveAsNew({ ...content, name: choice.name }) : undefined;
  }

  async function saveAsNew(content) {
    const made = await makeDocument(me, content, part.progress);
    saved(made);
    location.assign(`/desk/document#${encodeURIComponent(made.id)}`);
  }
});

function versionLine({ kind, version, changed_by: who, changed }) {
  const values = [version.toLocaleString(locale), nameOf(who), time(changed)];
  return kind === "pdf"
    ? t`PDF, version ${values[0]} · changed by ${values[1]}, ${values[2]}`
    : t`Text, version ${values[0]} · changed by ${values[1]}, ${values[2]}`;
}

async function fetched(id) {
  if (!id) return null;
  return api.get(`/api/workspace/${encodeURIComponent(id)}`).catch((error) => {
    if (error.kind !== "not-found") throw error;
    return null;
  });
}

function stay(event) {
  event.preventDefault();
}
