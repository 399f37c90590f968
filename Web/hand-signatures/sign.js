// Having a document signed: who, which document, reading it, the signature, its comparison, the operator's decision.

import { api } from "../shell/api.js";
import { fromB64u } from "../shell/core.js";
import { $, $$, busy, describe, notice, time } from "../shell/dom.js";
import { codeValue, showFacts } from "../shell/facts.js";
import { painted, stepper } from "../shell/steps.js";
import { t } from "../shell/translate.js";
import { chooser } from "./chooser.js";
import { consents } from "./consents.js";
import { showDocument, forgetDocument } from "./document-frame.js";
import { paperWords } from "./papers.js";
import { clientStep } from "./sign-client.js";
import { resultStep } from "./sign-result.js";
import { fragment, start } from "./start.js";
import { digestWords } from "./transaction-words.js";
import { isSittingDue, nameOf, tools } from "./words.js";

/** The steps that are counted for the operator. */
const counted = ["client", "identity", "document", "read", "result"];

// The pad comes while the client is looked at: before that nobody signs.
const pad = () => import("./capture.js");

/** So long a signature may take, on a phone too, in seconds: the document's ticket holds longer than that. */
const longest = 900;

start(async (me) => {
  if (!me.may("take_signatures")) return void ($("[data-step=refused]").hidden = false);
  const steps = stepper({ onBack });
  const begun = new URLSearchParams(fragment().includes("=") ? fragment() : { client: fragment() });
  /** What was chosen: nothing of it outlives the page. */
  let [client, chosen, rendering] = [null, null, null];
  const settings = await api.get("/api/desk/settings");
  const agreed = consents(settings);
  const result = resultStep(me, { onAgain: () => busy($("#again"), () => read(chosen)), onStop: () => leave("/desk"), onDone: () => show("done") });

  const showDocuments = chooser({
    list: $("#documents"), search: $("#document-search"), empty: $("#no-documents"), none: t`There is no template yet: write one or upload a PDF under “All templates”.`,
    values: (one) => ({ title: one.name, about: about(one) }),
    path: "/api/workspace", onChoose: read,
  });
  if (!settings.has_forensic_key) {
    $("#refused-title").textContent = t`Nobody can sign here yet`;
    $("#refused-text").textContent = t`The main administrator first sets a forensic key, under Settings, Desk. The movement of every signature is kept sealed to it.`;
    return void ($("[data-step=refused]").hidden = false);
  }
  await Promise.all([clientStep(meet), showDocuments()]);
  $("#is-sure").addEventListener("click", ({ currentTarget }) => busy(currentTarget, identified));
  $("#read-form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#begin"), take);
  });
  for (const button of $$("[data-back]")) button.addEventListener("click", () => history.back());
  for (const id of ["next-signature", "other-document"]) $(`#${id}`).addEventListener("click", () => show("document"));
  $("#clear").addEventListener("click", () => leave("/desk/sign"));
  addEventListener("hashchange", () => location.reload());

  await begin();

  /** The address may name whom, and what. */
  async function begin() {
    const wanted = begun.get("document");
    chosen = wanted ? await found(`/api/workspace/${encodeURIComponent(wanted)}`) : null;
    const known = begun.get("client");
    show("client", false);
    if (!known) return;
    const person = await found(`/api/clients/${encodeURIComponent(known)}`);
    if (person) meet(person);
    else notice("warning", t`The client whom this link names is not registered here. Choose the client yourself.`);
  }

  function show(name, push = true) {
    if (name !== "read") agreed.clear();
    for (const one of $$("[data-client]")) one.textContent = client ? nameOf(client) : t`the client`;
    const number = counted.indexOf(name);
    $("#step").hidden = number < 0;
    $("#step").textContent = t`Step ${number + 1} of ${counted.length}`;
    $("#what").textContent = [client && nameOf(client), counted.indexOf(name) > 2 && chosen?.name].filter(Boolean).join(" · ")
      || t`See who signs, what, and whether the signature is really that person's.`;
    (name === "read" || name === "result" ? addEventListener : removeEventListener)("beforeunload", stay);
    if (name !== steps.current()) steps.show(name, { push });
    if (name === "client") $("#number").focus();
  }

  /** A signed document stays signed, and one that waits for a decision is not left by a slip. */
  function onBack(name) {
    const current = steps.current();
    const target = current === "done" || (current === "result" && !result.isOver()) ? current : name;
    const next = (target === "result" && current !== "result") || (target === "done" && current !== "done") ? "document" : target;
    queueMicrotask(() => show(client || next === "client" ? next : "client", false));
    return next;
  }

  function meet(found) {
    client = found;
    pad().catch(() => { /* Whoever then takes the signature says so. */ });
    $("#sure").checked = false;
    $("#sure-error").textContent = "";
    $("#client-name").textContent = nameOf(client);
    $("#second-sitting").hidden = !isSittingDue(client);
    $("#second-sitting-link").href = `/desk/client#${encodeURIComponent(client.id)}`;
    showFacts($("#client-facts"), [
      [t`Identity number`, client.number], [t`ID document seen last`, paperWords(client.paper)], [t`Signs with`, tools[client.tool]],
      [t`Last signature`, client.last_signing ? time(client.last_signing) : t`none yet`],
    ]);
    show("identity");
  }

  async function identified() {
    const isSure = $("#sure").checked;
    $("#sure-error").textContent = isSure ? "" : t`First check who this is, then tick the box.`;
    if (!isSure) return $("#sure").focus();
    return chosen ? read(chosen) : show("document");
  }

  async function read(document) {
    chosen = document;
    await render();
    $("#field-error").textContent = "";
    show("read");
  }

  async function render() {
    rendering = await api.post(`/api/workspace/${encodeURIComponent(chosen.id)}/rendering`, { client: client.id });
    showDocument($("#document-view"), { name: rendering.name, mediaType: rendering.media_type, content: fromB64u(rendering.content) });
    showFacts($("#read-facts"), [
      [t`Document`, rendering.name], [t`Version`, String(rendering.version)], [t`SHA-256`, codeValue(digestWords(rendering.digest))],
    ]);
  }

  async function take() {
    const field = $("#field").value.trim();
    $("#field-error").textContent = field ? "" : t`Say what is signed there.`;
    if (!field) return $("#field").focus();
    if (agreed.missing()) return undefined;
    if (!await isStillShown()) return undefined;
    const extras = await agreed.values();
    const { takeSignatures } = await pad();
    const taken = await takeSignatures({
      title: `${rendering.name} · ${field}`, count: 1, tool: client.tool, ticket: rendering.ticket,
    });
    if (!taken) return undefined;
    const body = {
      client: client.id, document: chosen.id, digest: rendering.digest, ticket: rendering.ticket,
      identified: $("#sure").checked, field, capture: taken.captures[0], device: taken.device, ...extras,
    };
    return send(body);
  }

  /** Whether what is on the screen can be signed: its ticket is for once, and for half an hour. */
  async function isStillShown() {
    const { digest, expires, isSigned } = rendering;
    if (!isSigned && expires - Date.now() / 1000 > longest) return true;
    await render();
    if (rendering.digest === digest) return true;
    notice("error", t`The document was changed since it was shown. Read it together again.`);
    return false;
  }

  async function send(body) {
    result.begin();
    show("result");
    await painted();
    try {
      await result.compare(body);
      rendering.isSigned = true;
    } catch (error) {
      await failed(error, body);
    }
  }

  /** Nothing was recorded: what to do now depends on what is missing. */
  async function failed(error, body) {
    if (error.kind === "not-found") {
      show("document");
      await showDocuments();
      return notice("error", t`The document or the client was deleted. Nothing was recorded: choose again.`);
    }
    if (error.kind === "conflict" || error.kind === "invalid-member" || error.kind === "gone") {
      await render();
      show("read");
      const isChanged = rendering.digest !== body.digest;
      return notice("error", isChanged ? t`The document was changed while the client signed. Nothing was recorded: read it together again.` : describe(error));
    }
    return result.failed(error, () => send(body));
  }

  function leave(path) {
    removeEventListener("beforeunload", stay);
    forgetDocument($("#document-view"));
    if (path === location.pathname && !location.hash) location.reload();
    else location.assign(path);
  }
});

/** What is said of a template in the list. */
function about({ kind, version, changed }) {
  return kind === "pdf" ? t`PDF · version ${version} · changed ${time(changed)}` : t`Text · version ${version} · changed ${time(changed)}`;
}

/** The content at an address, or `null`. */
async function found(path) {
  return api.get(path).catch((error) => {
    if (error.kind !== "not-found") throw error;
    return null;
  });
}

function stay(event) {
  event.preventDefault();
}
