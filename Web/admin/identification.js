// The second half of a check: what the paper says, what will be signed, and the signature.

import { use } from "../accounts/keys.js";
import { papers, person, whole } from "../accounts/names.js";
import { $, $$, busy, clone } from "../shell/dom.js";
import { dropDraft, loadDraft, saveDraft } from "../shell/draft.js";
import { Unwitnessed } from "../shell/once.js";
import { painted } from "../shell/steps.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { documentType } from "./catalogue.js";
import { certifiedChain, now } from "./certified.js";
import { complete } from "./face-to-face.js";
import { fieldsForm } from "./fields.js";
import { keyLine } from "./fingerprints.js";
import { showPreview } from "./preview.js";
import { signAndSeal } from "./signing.js";

/** For how long what was typed of a paper is kept in the tab, in seconds. */
const keptFor = 3600;

/** Filled in by the program: they say what happened here, not what the paper says. */
const own = ["identity_paper", "checked_on", "checked_by"];

/**
 * Minds the form, the preview and the signature.
 *
 * @param onSigned called with the document and the log's entry
 * @param onUnwitnessed called instead when the log's receipt comes later, with the error that says so
 * @returns `{begin(check), isSending()}`
 */
export function identification(me, { steps, onSigned, onUnwitnessed }) {
  let check = null;
  let form = null;
  let prepared = null;
  let isSending = false;
  const draftName = `identification ${me.account.id}`;

  $("#paper-list").append(...Object.entries(papers).map(([value, word]) => clone("paper", { value, word })));
  $("#form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#look"), look);
  });
  $("#form").addEventListener("change", () => { $("#paper-error").textContent = ""; });
  for (const kind of ["input", "change"]) $("#form").addEventListener(kind, keep);
  $("#change").addEventListener("click", () => history.back());
  $("#sign").addEventListener("click", () => busy($("#sign"), sign));

  async function begin(agreed) {
    check = agreed;
    if (form) return;
    const type = await documentType("identity");
    form = { type, ...fieldsForm($("#fields"), type, { skip: own }) };
    restore();
  }

  /** Keeps what was typed, for this person alone: a session that ends in the middle must not cost it. */
  function keep() {
    if (!form) return;
    saveDraft(draftName, {
      holder: check.enrolment.holder.id, at: now(), paper: $("#papers input:checked")?.value, fields: form.raw(),
    });
  }

  function restore() {
    const saved = loadDraft(draftName);
    if (saved.holder !== check.enrolment.holder.id || now() - saved.at > keptFor) return dropDraft(draftName);
    form.setRaw(saved.fields);
    for (const choice of $$("#papers input")) choice.checked = choice.value === saved.paper;
    return undefined;
  }

  async function look() {
    const paper = $("#papers input:checked")?.value;
    const others = paper ? [] : [{
      control: $("#papers input"), words: t`Choose the ID document that you see.`, clear: () => { $("#paper-error").textContent = ""; },
    }];
    $("#paper-error").textContent = others[0]?.words ?? "";
    const { chain, name, organisation: issuerName } = await certifiedChain(me.record, "identify_members");
    const fields = await form.read({
      identity_paper: paper ?? "passport", checked_on: new Date(now() * 1000).toISOString().slice(0, 10), checked_by: name,
    }, others);
    if (!fields || !paper) return;
    const { enrolment, code, answer } = check;
    showPreview($("#preview"), {
      parts: [
        [t`Document`, form.type.title], [t`Holder`, person({ ...enrolment.holder, name: whole(nameIn(fields)) })],
        ...(whole(nameIn(fields)) === enrolment.holder.name ? [] : [[t`Instead of the name`, enrolment.holder.name]]),
        [t`Key of the phone`, keyLine(code.key)],
      ],
      type: form.type, fields,
      rest: [[t`Valid`, t`until it is revoked`], [t`Signed by`, t`${name}, for ${issuerName}`]],
    });
    prepared = {
      paper, signed: null,
      draft: {
        type: "identity", issuerName, subject: enrolment.id, device: enrolment.device, status: enrolment.status, fields, file: null,
        expires: null, chain, evidence: { paper, holder_statement: answer.statementDigest },
      },
    };
    steps.show("preview", { push: true });
  }

  async function sign() {
    if (!prepared) return void history.back();
    const { draft, paper } = prepared;
    isSending = true;
    try {
      prepared.signed ??= await use(
        t`Vouch for ${check.enrolment.holder.name}`, (k) => signAndSeal(k, draft, me.record.trust, stage));
      stage(t`Sending`);
      const info = await complete(check.code, { paper, name: nameIn(draft.fields) }, prepared.signed);
      stage(t`Checking the receipt`);
      const act = await verifyReceipt(
        me.record.trust, info.receipt, "member.identified", { credential: prepared.signed.digest });
      dropDraft(draftName);
      await onSigned(info, act);
    } catch (error) {
      if (error instanceof Unwitnessed) {
        dropDraft(draftName);
        return await onUnwitnessed(error);
      }
      // The signed credential may be sent again as it is after a lost connection, and only then.
      if (error.kind) prepared.signed = null;
      throw error;
    } finally {
      isSending = false;
      stage("");
    }
  }

  function stage(words) {
    $("#stage").textContent = words;
    return painted();
  }

  return { begin, isSending: () => isSending };
}

/** The name that the paper says: the account's from now on. */
const nameIn = ({ given_name: given = "", family_name: family = "" }) => ({ given_name: given, family_name: family });
