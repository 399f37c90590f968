// The other device: a person signs here for a desk, with only the code that the desk showed.

import { scanButton } from "../scanner/scan-button.js";
import { api } from "../shell/api.js";
import { fromB64u } from "../shell/core.js";
import { $, $$, busy, describe, notice } from "../shell/dom.js";
import { fragment } from "../shell/fragment.js";
import { stepper } from "../shell/steps.js";
import { plural, t } from "../shell/translate.js";
import { takeSignatures } from "./capture.js";
import { sentence } from "./enrolling.js";
import { readThrough } from "./reading.js";

const steps = stepper({ onBack: () => steps.current() });
const code = fragment();
let task = null;
/** The signatures that are not sent yet: `{captures, device}`. */
let written = null;

addEventListener("hashchange", () => location.reload());
addEventListener("beforeunload", (event) => { if (written) event.preventDefault(); });
$("#begin").addEventListener("click", () => busy($("#begin"), begin));
$("#send").addEventListener("click", () => busy($("#send"), send));
scanButton($("#scan"), { title: t`Scan the code at the desk`, hint: t`The desk shows it under “Sign on a phone”.` }, follow);

try {
  await open();
} finally {
  for (const element of $$("[data-loading]")) element.remove();
  document.documentElement.dataset.state = "ready";
}

async function open() {
  if (code === "") return over(t`The link is not whole`, t`The part after # is missing: it is the code. Scan it again, or ask at the desk for a new one.`, { mayScan: true });
  try {
    task = await api.post("/api/handover", { code }, { allow401: true });
  } catch (error) {
    return refused(error);
  }
  const { organisation, title, count } = task;
  $("#organisation").textContent = organisation;
  $("#title").textContent = title;
  $("#what").textContent = plural(count, "You sign once.", "You sign {0} times, one after the other.");
  if (task.has_document && !(await showTheDocument())) return undefined;
  steps.show("task");
  return undefined;
}

/** Another code of this desk's: the page begins again with it. */
function follow(text) {
  const ours = `${location.origin}${location.pathname}#`;
  if (!text.startsWith(ours)) return notice("error", t`This is not the code of a desk here. Scan the one that the desk shows now.`);
  history.replaceState(history.state, "", text);
  return location.reload();
}

/** The document itself: the signer reads it here, to its end. */
async function showTheDocument() {
  let document;
  try {
    document = await api.post("/api/handover/document", { code }, { allow401: true });
  } catch (error) {
    if (error.kind === "conflict") over(t`The document has changed`, t`It is another one than the desk showed when it made this code. Ask there for a new code.`);
    else refused(error);
    return false;
  }
  const { name, media_type: mediaType, content } = document;
  $("#document-part").hidden = false;
  $("#begin").disabled = true;
  $("#unread").textContent = mediaType === "text/html" ? t`Read the document to its end. Then you can sign.` : t`Open the document and read it. Then you can sign.`;
  readThrough($("#document-view"), { name, mediaType, content: fromB64u(content) }, () => {
    $("#begin").disabled = false;
    $("#unread").textContent = "";
  });
  return true;
}

async function begin() {
  written = await takeSignatures({ title: task.title, count: task.count, mayHandOver: false });
  if (written) await send();
}

async function send() {
  const { captures, device } = written;
  try {
    await api.post("/api/handover/captures", { code, captures, device }, { allow401: true });
  } catch (error) {
    refused(error);
    return;
  }
  written = null;
  // A used code is no good to anybody; a person who reloads this page need not be told so.
  history.replaceState(history.state, "", location.pathname);
  steps.show("done");
}

function refused(error) {
  if (error.kind === "not-found" || error.kind === "forbidden") {
    over(t`Nobody knows this code`, t`It is mistyped, was given up, or is from long ago. Ask at the desk for a new one.`, { mayScan: true });
  } else if (error.kind === "gone") {
    over(t`This code is over`, t`It was used already, or too much time has gone by. Ask at the desk for a new one.`, { mayScan: true });
  } else if (error.kind === "conflict") {
    over(t`This was signed already`, t`Somebody has sent signatures with this code. If that was not you, tell the desk.`);
  } else if (written && error.kind === "invalid-member") {
    written = null;
    notice("error", t`${sentence(error)} Please begin again.`);
    steps.show("task");
  } else if (written) {
    $("#unsent-text").textContent = describe(error);
    steps.show("unsent");
  } else {
    over(t`It cannot begin now`, describe(error));
  }
}

function over(title, text, { mayScan = false } = {}) {
  written = null;
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  $("#scan").hidden = !mayScan;
  steps.show("over");
}
