// Signing the answer to a request: fill in, look at what will be signed, sign, send.

import { use } from "../accounts/keys.js";
import { person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { $, busy, clone, day, notice, time } from "../shell/dom.js";
import { dropDraft, loadDraft, saveDraft } from "../shell/draft.js";
import { onChange } from "../shell/events.js";
import { fragment } from "../shell/fragment.js";
import { NotDone, Unknown, Unwitnessed } from "../shell/once.js";
import { painted, stepper } from "../shell/steps.js";
import { t } from "../shell/translate.js";
import { saveReceipt } from "../transparency/receipts.js";
import { documentType } from "./catalogue.js";
import { certifiedChain, now } from "./certified.js";
import { start } from "./console.js";
import { fieldsForm } from "./fields.js";
import { filePicker } from "./file.js";
import { judge } from "./holders.js";
import { deliver } from "./issuing.js";
import { deviceLine, judgementNotice } from "./judgement.js";
import { showPreview } from "./preview.js";
import { refusal } from "./refusal.js";
import { perform } from "./request-acts.js";
import { showWaiting } from "./waiting.js";

start(async (me) => {
  const id = fragment();
  const steps = stepper({ onBack });
  addEventListener("hashchange", () => location.reload());
  if (id === "") {
    await showWaiting(me);
    return steps.show("waiting", { focus: false });
  }

  const path = `/api/requests/${encodeURIComponent(id)}`;
  const draftName = `issue ${me.account.id} ${id}`;
  let request = await api.get(path).catch((error) => {
    if (error.kind !== "not-found") throw error;
  });
  if (!request) return refuse({ title: t`There is no such request`, text: t`The link that led here is not whole, or it is from another organisation.` });
  /** The draft that was looked at and may be signed; nothing once something has changed. */
  let prepared = null;
  /** What signs it: it comes when there is something to look at, not with every visit. */
  let signing = null;
  let isSending = false;
  /** It was sent, and its receipt comes later: what the server says of it now tells less. */
  let isUnwitnessed = false;
  const type = await documentType(request.type);
  const title = t`${type ? type.title : request.type} for ${person(request.member)}`;
  $("#what").textContent = title;
  if (!type) return refuse({ title: t`Unknown type`, text: t`This page does not know documents of this type. Reload it; it may be older than the server.` });

  onChange("request", (event) => (event === null || event.id === id ? checkState() : undefined));
  const refused = refusal(request, me);
  if (refused) return refuse(refused);
  if (!me.needKeys()) return refuse({ title: t`Your keys are not here`, text: t`Only your authority key can sign, and this browser does not have it.` });

  facts($("#asked"), [
    [t`Asked by`, person(request.member)], [t`On`, time(request.created)], ...(request.note ? [[t`Note`, t`“${request.note}”`]] : []),
  ]);
  const form = fieldsForm($("#fields"), type, { onChange: changed });
  const picker = filePicker(changed);
  restore();
  $("#expires").min = new Date().toISOString().slice(0, 10);
  $("#expires").addEventListener("input", changed);
  $("#form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#look"), look);
  });
  $("#change").addEventListener("click", () => history.back());
  $("#sign").addEventListener("click", () => busy($("#sign"), sign));
  steps.show("form");

  /** A finished draft stays finished, and a changed one must be looked at again. */
  function onBack(name) {
    if (steps.current() === "done" || steps.current() === "refused") return steps.current();
    return name === "preview" && !prepared ? "form" : name;
  }

  function changed() {
    prepared = null;
    saveDraft(draftName, { fields: form.raw(), expires: $("#expires").value, hasFile: Boolean(picker.file()) });
  }

  function restore() {
    const draft = loadDraft(draftName);
    // The fields that were checked against a paper; a type without them leaves them out.
    if (request.member.is_verified && request.member.parts) form.setRaw(request.member.parts);
    if (draft.fields) form.setRaw(draft.fields);
    if (draft.expires) $("#expires").value = draft.expires;
    if (draft.hasFile) notice("info", t`The text that you typed is here again. Choose the file again: it was not kept.`);
  }

  /** Everything is checked before anything is shown as "what you sign". */
  async function look() {
    await picker.reading();
    const expires = expiry();
    const others = [["#file-error", "#file", t`Document`], ["#expires-error", "#expires", t`Valid until`]].flatMap(
      ([place, control, label]) => ($(place).textContent === "" ? [] : [{
        control: $(control), words: `${label}: ${$(place).textContent}`, clear() {
          $(place).textContent = "";
          $(control).removeAttribute("aria-invalid");
        },
      }]));
    const fields = await form.read({}, others);
    if (!fields || expires === undefined) return;
    const { chain, name, organisation: issuerName } = await certifiedChain(me.record, "sign_documents");
    signing = await import("./signing.js");
    const plan = await api.post(`${path}/prepare`);
    if (plan.holder.id !== request.member.id) throw new Error(t`The server prepared this for somebody else. Nothing was signed; tell the operator.`);
    const judgement = await judge(me.record, plan);
    const file = picker.file();
    $("#judgement").replaceChildren(judgementNotice(judgement, plan.holder));
    showPreview($("#preview"), {
      parts: [[t`Document`, type.title], [t`Holder`, person(plan.holder)], [t`Sealed for`, deviceLine(plan.device, judgement)]],
      type, fields, file,
      rest: [
        ...(file ? [] : [[t`File`, t`None`]]),
        [t`Valid`, expires ? t`until the end of ${day(expires)}` : t`until it is revoked`],
        [t`Signed by`, t`${name}, for ${issuerName}`],
      ],
    });
    prepared = {
      type: type.id, issuerName, subject: id, device: plan.device, status: plan.status, fields, file, expires, chain,
      signed: null,
    };
    steps.show("preview", { push: true });
  }

  /** Seconds since 1970, `null` for never, `undefined` after saying what is wrong. */
  function expiry() {
    const input = $("#expires");
    // The end of that day in the administrator's time zone, as the preview shows it.
    const seconds = input.value ? Math.floor(new Date(`${input.value}T23:59:59`).getTime() / 1000) : null;
    const isWrong = input.validity.badInput || (seconds !== null && !(seconds > now()));
    $("#expires-error").textContent = isWrong ? t`Write a day that is still to come, or leave it empty.` : "";
    input.setAttribute("aria-invalid", String(isWrong));
    return isWrong ? undefined : seconds;
  }

  async function sign() {
    const draft = prepared;
    if (!draft) return void history.back();
    setSending(true);
    try {
      draft.signed ??= await use(t`Sign: ${title}`, (k) => signing.signAndSeal(k, draft, me.record.trust, stage));
      const { info, act } = await deliver(path, draft.signed, me.record.trust, stage);
      done(info, act);
    } catch (error) {
      if (error instanceof Unwitnessed) return sentUnwitnessed(error);
      // Only after a lost connection may the signed document be sent again as it is.
      if (!(error instanceof NotDone) && !(error instanceof Unknown)) draft.signed = null;
      throw error;
    } finally {
      setSending(false);
      if (steps.current() === "preview") checkState().catch(console.error);
    }
  }

  /** Nothing can be changed while it is on its way, and leaving asks first. */
  function setSending(now) {
    isSending = now;
    $("#change").disabled = now;
    if (!now) $("#progress").hidden = true;
    (now ? addEventListener : removeEventListener)("beforeunload", stay);
  }

  function stage(words, part) {
    $("#progress").hidden = false;
    $("#stage").textContent = words;
    if (part === undefined) $("#bar").removeAttribute("value");
    else $("#bar").value = part;
    return painted();
  }

  function done(info, act) {
    dropDraft(draftName);
    prepared = null;
    request = { ...request, state: "issued" };
    $("#done-text").textContent = t`${info.holder.name} can open it now. Nobody else can: the server keeps it sealed.`;
    facts($("#done-facts"), [
      [t`Document`, title], [t`Entry in the log`, t`number ${act.index}, ${time(act.time)}`], [t`Receipt`, t`checked against the log key of this browser`],
    ]);
    $("#save-receipt").onclick = () => saveReceipt(info.receipt, `${request.type}-${info.holder.username}`);
    steps.show("done");
  }

  function sentUnwitnessed(error) {
    isUnwitnessed = true;
    dropDraft(draftName);
    prepared = null;
    refuse({ title: t`Signed and sent, the receipt comes later`, text: error.message });
  }

  /** Another administrator may have acted on the request by now. */
  async function checkState() {
    if (isSending || isUnwitnessed || steps.current() === "done") return;
    const present = await api.get(path);
    if (isSending || steps.current() === "done") return;
    request = present;
    const why = refusal(present, me);
    if (why) refuse(why);
    else if (steps.current() === "refused") location.reload();
  }

  function refuse({ title: words, text, mayAccept = false }) {
    $("#refused-title").textContent = words;
    $("#refused-text").textContent = text;
    const take = $("#take");
    take.hidden = !mayAccept;
    take.onclick = () => busy(take, async () => {
      if (await perform("accept", request, title, me)) location.reload();
    });
    steps.show("refused");
  }
});

function stay(event) {
  event.preventDefault();
}

function facts(list, pairs) {
  list.replaceChildren(...pairs.map(([label, value]) => clone("fact", { label, value })));
}
