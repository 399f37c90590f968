// One transaction: who signed what, how alike the signature is, what was decided, and the papers to take away.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, $$, busy, describe, notice, time } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { language, t } from "../shell/translate.js";
import { saveReceipt, verifyReceipt } from "../transparency/receipts.js";
import { save, slug } from "../transparency/save.js";
import { showCopies } from "./copy-link.js";
import { confirmSigning, refuseSigning } from "./deciding.js";
import { showDocument } from "./document-frame.js";
import { signedDocument } from "./signed-document.js";
import { fragment, start } from "./start.js";
import { drawFacts, drawVerdict } from "./transaction-card.js";
import { showState } from "./transaction-words.js";
import { clientName } from "./words.js";

start(async (me) => {
  addEventListener("hashchange", () => location.reload());
  const id = fragment();
  const path = `/api/signings/${encodeURIComponent(id)}`;
  let signing = null;
  let signed = null;

  const load = latest(async () => {
    signing = id && await api.get(path).catch((error) => {
      if (error.kind !== "not-found") throw error;
      return null;
    });
  });

  await load();
  if (!signing) return void ($("#missing").hidden = false);
  show();
  $("#content").hidden = false;
  onChange("signing", async (event) => {
    if (event !== null && event.id !== id) return;
    const before = JSON.stringify(signing);
    await load();
    if (signing && JSON.stringify(signing) !== before) show();
  });

  $("#confirm").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => decide(confirmSigning)));
  $("#refuse").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => decide(refuseSigning)));
  $("#show-document").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    $("#document-view").hidden = false;
    showDocument($("#document-view"), { name: signing.document_name, ...await document() });
    currentTarget.hidden = true;
  }));
  $("#save-document").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    const { content: bytes, mediaType } = await document();
    save(bytes, `${name()}.${mediaType === "text/html" ? "html" : "pdf"}`, mediaType);
  }));
  $("#copy").href = `/desk/copy#${encodeURIComponent(id)}`;
  // The page and its signature are in one language, even if another was chosen in between.
  const inLanguage = (file) => (file.startsWith("report.html") ? `${file}?language=${language}` : file);
  $("#open-report").href = `${path}/${inLanguage("report.html")}`;
  for (const button of $$("[data-save]")) {
    const file = button.dataset.save;
    // The report.json that is saved is called as in the command beside it.
    button.addEventListener("click", () => busy(button, async () => {
      save(await api.bytes(`${path}/${file === "report.json" ? "report" : inLanguage(file)}`), file, button.dataset.type);
    }));
  }
  $("#release").addEventListener("click", ({ currentTarget }) => busy(currentTarget, release));
  $("#save-receipt").addEventListener("click", () => saveReceipt(signing.receipt, name()));

  function show() {
    const isDecided = signing.state === "confirmed" || signing.state === "refused";
    window.document.title = window.document.title.replace(/^[^·]*/, `${signing.document_name} `);
    $("#title").textContent = signing.document_name;
    $("#lead").textContent = t`${clientName(signing)}, ${time(signing.created)}`;
    $("#badge").className = "badge";
    $("#badge").hidden = false;
    showState($("#badge"), signing.state);
    drawVerdict($("#card"), signing);
    drawFacts($("#facts"), signing);
    $("#decision").hidden = signing.state !== "pending" || signing.operator_id !== me.account.id || !me.may("take_signatures");
    // Nothing is left to show of the transactions of an erased client.
    const isErased = !signing.digest;
    $("#report-part").hidden = !isDecided || isErased || !me.may("read_reports");
    $("#document-part").hidden = isErased;
    $("#copy").hidden = signing.state !== "confirmed";
    if (signing.state === "confirmed" && !isErased) showCopies(signing).catch((error) => notice("error", describe(error)));
    $("#movement-part").hidden = isErased || !me.may("release_movements");
    $("#receipt-part").hidden = !signing.receipt;
    if (signing.receipt) check();
  }

  /** Against the log key that this browser pinned; a browser without keys has pinned none. */
  async function check() {
    if (!me.record) return;
    try {
      const act = await verifyReceipt(me.record.trust, signing.receipt, `signing.${signing.state}`);
      $("#receipt-text").textContent = t`Checked in this browser: it is entry ${act.index} of the log, ${time(act.time)}.`;
    } catch (error) {
      $("#receipt-text").textContent = error.message;
    }
  }

  async function release() {
    const answer = await ask({
      title: t`Hand out the raw movement?`,
      text: t`It stays sealed. That it was handed out, by you and why, cannot be taken back from the log.`,
      confirm: t`Hand it out`, reason: true,
    });
    if (!answer) return;
    const { sealed, receipt } = await api.post(`${path}/movement`, { reason: answer.reason }, { reason: t`Hand out a raw movement` });
    if (me.record) await verifyReceipt(me.record.trust, receipt, "movement.released");
    save(new TextEncoder().encode(sealed), "movement.jwe", "application/jose");
  }

  async function decide(act) {
    const decided = await act(me, signing);
    if (!decided) return;
    await load();
    show();
  }

  const document = async () => (signed ??= await signedDocument(id));

  const name = () => [slug(signing.document_name), slug(signing.client_name), signing.id.slice(0, 8)].filter(Boolean).join("-");
});
