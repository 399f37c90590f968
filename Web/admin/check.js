// The page of a face-to-face check, from the code to the signed identity credential.

import { person } from "../accounts/names.js";
import { scanButton } from "../scanner/scan-button.js";
import { $, $$, busy, clone, time } from "../shell/dom.js";
import { dropDraft, loadDraft, saveDraft } from "../shell/draft.js";
import { latest, onChange } from "../shell/events.js";
import { fragment } from "../shell/fragment.js";
import { stepper } from "../shell/steps.js";
import { t } from "../shell/translate.js";
import { saveReceipt } from "../transparency/receipts.js";
import { certifiedChain, NotCertified, now } from "./certified.js";
import { start } from "./console.js";
import * as faceToFace from "./face-to-face.js";
import { remember } from "./holders.js";
import { identification } from "./identification.js";

/** The words about a check that was not completed, by who ended it. */
const endings = {
  holder: [t`The person has ended the check`, t`Nothing was signed. With a new code you can start again.`],
  administrator: [t`You gave up this check`, t`Nothing was signed. The person's phone shows it too.`],
  newer_code: [t`The person has shown a newer code`, t`This one no longer works. Read the code that the phone shows now.`],
  unknown: [t`The check has ended`, t`Nothing was signed. With a new code you can start again.`],
};

start(async (me) => {
  // Back goes from the preview to the form; nothing else in a check can be undone by going back.
  const steps = stepper({ onBack: (name) => (steps.current() === "preview" && name === "identify" ? name : steps.current()) });
  const draftName = `check ${me.account.id}`;
  if (!me.may("identify_members")) return barred(t`Administrators check people`, t`The main administrator certifies those who do.`, t`See administrators`, "/console/delegation");
  if (!me.record) return barred(t`Your keys are not here`, t`A check ends with your signature, and this browser does not have your keys.`, t`Add this device`, "/add-device");
  const { trust } = me.record;
  /** `{code, enrolment, nonce, answer}` of the check that is under way. */
  let check = {};
  const identify = identification(me, { steps, onSigned, onUnwitnessed });
  const follow = latest(look);

  $("#code-form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#read"), () => read($("#code").value));
  });
  $("#characters-form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#find"), type);
  });
  scanButton($("#scan"), { title: t`Scan the person's code`, hint: t`The person opens “Identity” in the wallet, and there “Show my code”.` }, (text) => {
    $("#code").value = text;
    return busy($("#read"), () => read(text));
  });
  $("#begin").addEventListener("click", () => busy($("#begin"), begin));
  $("#not-this").addEventListener("click", () => steps.show("enter"));
  $("#agree").addEventListener("click", () => {
    identify.begin(check);
    steps.show("identify");
  });
  $("#differ").addEventListener("click", () => busy($("#differ"), differ));
  for (const button of $$("[data-give-up]")) button.addEventListener("click", () => busy(button, giveUp));
  addEventListener("hashchange", () => takeFragment());
  onChange("enrolment", (event) => {
    if (event === null || event.id === check.code?.enrolment) return follow();
  });
  setInterval(tick, 1000);

  // Everything that was signed would be refused without it: better to know before meeting a person.
  try {
    await certifiedChain(me.record, "identify_members");
  } catch (error) {
    if (!(error instanceof NotCertified)) throw error;
    return barred(t`You are not certified for this yet`, error.message, t`To Administrators`, "/console/delegation");
  }
  if (!(await takeFragment()) && !(await resume())) steps.show("enter");

  async function takeFragment() {
    const text = fragment();
    if (text === "") return false;
    // Once it is read it has no business in the address: a reload must not begin anything.
    history.replaceState(history.state, "", location.pathname);
    steps.show("enter");
    $("#code").value = text;
    await busy($("#read"), () => read(text));
    return true;
  }

  async function type() {
    $("#characters-error").textContent = "";
    let text;
    try {
      text = await faceToFace.codeOfCharacters($("#characters").value);
    } catch (error) {
      if (!(error instanceof faceToFace.BadCheck)) throw error;
      $("#characters-error").textContent = error.message;
      return void $("#characters").focus();
    }
    await read(text, "characters");
    // They do not work again.
    $("#characters").value = "";
  }

  /** Reads a code; what is wrong with it is said at the field `from` which it came. */
  async function read(text, from = "code") {
    $(`#${from}-error`).textContent = "";
    try {
      const code = await faceToFace.readCode(/^(https?:|countersign-enrol:)/.test(text.trim()) ? text : `countersign-enrol:${text.trim()}`, trust);
      const enrolment = await faceToFace.find(code);
      if (enrolment.state !== "open" || enrolment.expires <= now()) {
        throw new faceToFace.BadCheck(t`This code is no longer good: it was used, or it has expired. The person opens
          a new one on the phone.`);
      }
      check = { code, enrolment };
    } catch (error) {
      if (!(error instanceof faceToFace.BadCheck) && error.kind !== "not-found") throw error;
      $(`#${from}-error`).textContent = error.kind === "not-found" ? t`The server does not know this check. The person opens a new one on the phone.` : error.message;
      $(`#${from}`).focus();
      return;
    }
    const { holder } = check.enrolment;
    $("#meet-name").textContent = person(holder);
    $("#meet-about").textContent = holder.is_verified
      ? t`Account since ${time(holder.created)}. Was checked before: this check is for the keys of this device.`
      : t`Account since ${time(holder.created)}. Never checked before.`;
    for (const place of $$("[data-name]")) place.textContent = holder.name;
    steps.show("meet");
  }

  async function begin() {
    const { code } = check;
    check.nonce ??= faceToFace.newNonce();
    try {
      check.enrolment = await faceToFace.claim(code, check.nonce, me);
    } catch (error) {
      if (error.kind === "conflict") return taken();
      if (error.kind === "gone") return over(t`The code has expired`, t`The person opens a new one on the phone.`);
      if (error instanceof faceToFace.BadCheck) return differ();
      throw error;
    }
    saveDraft(draftName, { code: code.text, nonce: check.nonce });
    steps.show("wait");
    await follow();
  }

  async function taken() {
    const { administrator } = await faceToFace.find(check.code);
    if (administrator?.id === me.account.id) {
      over(t`This check was begun already`, t`You began it in another tab or browser: go on there, or let the person open a new code.`);
    } else if (!administrator) {
      over(t`The characters were typed elsewhere`, t`Only the browser where they were typed can begin this check. Ask the person for new characters.`);
    } else {
      over(t`A colleague was faster`, t`Somebody else has taken this code. If that is wrong, the person opens a new one.`);
    }
  }

  /** After a reload in the middle of a check: the phone has not gone away. */
  async function resume() {
    const saved = loadDraft(draftName);
    if (!saved.code) return false;
    try {
      const code = await faceToFace.readCode(saved.code, trust);
      const enrolment = await faceToFace.find(code);
      const isOurs = enrolment.administrator?.id === me.account.id && enrolment.administrator_nonce === saved.nonce;
      if (!isOurs || !["claimed", "answered"].includes(enrolment.state) || enrolment.expires <= now()) throw new Error("over");
      check = { code, enrolment, nonce: saved.nonce };
    } catch (error) {
      if (error.kind === "offline") throw error;
      dropDraft(draftName);
      return false;
    }
    for (const place of $$("[data-name]")) place.textContent = check.enrolment.holder.name;
    steps.show("wait");
    await follow();
    return true;
  }

  /** Looks where the check stands, and goes on as soon as the phone has answered. */
  async function look() {
    if (steps.current() !== "wait" && !isUnderWay()) return;
    const { code, nonce } = check;
    let enrolment;
    try {
      enrolment = await faceToFace.find(code);
    } catch (error) {
      if (error instanceof faceToFace.BadCheck) return differ();
      if (error.kind === "offline") return;
      // Erased together with the person.
      if (error.kind === "not-found") return showEnding();
      throw error;
    }
    check.enrolment = enrolment;
    if (enrolment.state === "abandoned") return showEnding(enrolment);
    if (enrolment.state !== "answered" || steps.current() !== "wait") return;
    try {
      check.answer = await faceToFace.checkAnswer(code, enrolment, nonce, trust);
    } catch (error) {
      console.error(error);
      return differ();
    }
    const { digits } = check.answer;
    $("#digits").textContent = `${digits.slice(0, 3)} ${digits.slice(3)}`;
    $("#digits-spoken").textContent = [...digits].join(" ");
    steps.show("compare");
  }

  function isUnderWay() {
    return ["compare", "identify", "preview"].includes(steps.current());
  }

  async function differ() {
    dropDraft(draftName);
    steps.show("differed");
    await faceToFace.abandon(check.code);
  }

  async function giveUp() {
    // The person may have been faster.
    showEnding(await faceToFace.abandon(check.code));
  }

  /** Says who ended a check, or that it was completed in another tab. */
  function showEnding(enrolment) {
    if (enrolment?.state !== "completed") return over(...(endings[enrolment?.ended_by] ?? endings.unknown));
    return over(t`This check was completed`, t`You signed it in another tab or browser.`);
  }

  function tick() {
    const badge = $("#time-left");
    const left = check.enrolment ? check.enrolment.expires - now() : 0;
    const isRunning = steps.current() === "wait" || isUnderWay();
    badge.hidden = !isRunning;
    if (!isRunning) return;
    const clock = `${Math.floor(Math.max(0, left) / 60)}:${String(Math.max(0, left) % 60).padStart(2, "0")}`;
    badge.textContent = t`${clock} left`;
    if (left <= 0 && !identify.isSending()) over(t`The time is up`, t`A check has fifteen minutes. Nothing was signed; the person opens a new code on the phone.`);
  }

  async function onSigned(info, act) {
    dropDraft(draftName);
    // As the account is called from now on.
    const { holder } = info;
    await rememberKeys();
    $("#done-text").textContent = t`${holder.name} is verified and has an identity credential. This browser remembers
      the keys: what you sign from now on is sealed for them.`;
    $("#done-facts").replaceChildren(
      clone("fact", { label: t`Entry in the log`, value: t`number ${act.index}, ${time(act.time)}` }),
      clone("fact", { label: t`Receipt`, value: t`checked against the log key of this browser` }));
    $("#save-receipt").onclick = () => saveReceipt(info.receipt, `identity-${holder.username}`);
    steps.show("done");
  }

  /** The person was checked and has the credential; only the log's receipt is missing. */
  async function onUnwitnessed(error) {
    await rememberKeys();
    over(t`Checked and signed, the receipt comes later`, error.message);
  }

  function rememberKeys() {
    const { code, enrolment } = check;
    return remember(me.record, enrolment.holder, { signing: code.key, encryption: code.encryption_key, checked: now() });
  }

  function barred(title, text, action, href) {
    $("#barred-title").textContent = title;
    $("#barred-text").textContent = text;
    $("#barred-link").textContent = action;
    $("#barred-link").href = href;
    steps.show("barred");
  }

  function over(title, text) {
    dropDraft(draftName);
    $("#over-title").textContent = title;
    $("#over-text").textContent = text;
    steps.show("over");
  }
});
