// The face-to-face check, from the member's side: one part of the page at a time, led by the state at the server.

import { device } from "../accounts/keys.js";
import { listed, myself, now } from "../accounts/mine.js";
import { nameOf } from "../accounts/names.js";
import { ask } from "../shell/ask.js";
import { $, $$, busy, clearNotices, clone, day } from "../shell/dom.js";
import { showAge, start } from "../shell/frame.js";
import { isOver } from "../shell/over.js";
import { drawQR } from "../shell/qr.js";
import { t } from "../shell/translate.js";
import { countDown, showCharacters } from "./characters.js";
import { abandon, answer, begin, codeOf, digitsOf, forget, look, pending } from "./enrolment.js";
import { showMeans } from "./means.js";
import { holdsDocuments, means } from "./words.js";

let owner = null;
let begun = null;
let enrolment = null;
let step = null;
/** The check whose end is shown, so that another live update does not take the words away. */
let ended = null;

const run = start(load, ["enrolment", "document"]);
setInterval(tick, 1_000);

for (const button of $$("[data-begin]")) button.addEventListener("click", () => busy(button, beginAnew));
for (const button of $$("[data-abandon]")) button.addEventListener("click", () => busy(button, () => giveUp()));
$("#answer").addEventListener("click", ({ currentTarget }) => busy(currentTarget, sign));
$("#characters-new").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => showCharacters(begun.id, { isNew: true })));
$("#differ").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => giveUp(true)));

async function load() {
  owner = await device();
  const account = await myself();
  showAge([account]);
  showMeans(owner);
  if (!holdsDocuments(account.value)) {
    return nothing(
      t`Administrators are certified by the main administrator, not checked here.`, t`Open the office`, "/console");
  }
  begun = owner ? await pending(owner) : null;
  if (begun) return follow();
  if (ended) return undefined;
  if (account.value.is_verified) return showVerified();
  if (owner) return show("start");
  return nothing(
    t`This browser holds none of your keys, so there is nothing to check. Use a device of yours, or add this one.`,
    t`Add this device`, "/add-device");
}

const alarm = {
  title: t`The digits differ`,
  text: t`Then somebody may be standing between you and the administrator. The check ends here and nothing is signed.
    Tell the administrator, and start again.`,
  confirm: t`End the check`,
};
const givingUp = {
  title: t`Give this check up?`,
  text: t`The code stops working. You can show a new one at any time.`,
  confirm: t`Give it up`,
};

/** The words about a check that was not completed, by who ended it. */
const endings = {
  holder: [t`You ended this check`, t`Nothing was signed. Show a new code when you are ready.`],
  administrator: [
    t`The administrator has ended the check`,
    t`Nothing was signed. Ask the administrator before you show a new code.`,
  ],
  newer_code: [
    t`You have shown a newer code`,
    t`This one no longer works. Go on with the newest code, on the device that shows it.`,
  ],
  unknown: [t`The check has ended`, t`Nothing was signed. Show a new code to start again.`],
};
const endingOf = (enrolment) => endings[enrolment?.ended_by] ?? endings.unknown;

/** Shows where the begun check stands. */
async function follow() {
  try {
    enrolment = await look(begun, owner);
  } catch (problem) {
    if (problem.kind === "trust") return over(t`Do not go on`, problem.detail);
    if (problem.kind === "not-found") return over(t`This check is gone`, t`The server does not know it any more.`);
    throw problem;
  }
  if (enrolment.state === "completed") return finish();
  if (enrolment.state === "abandoned") return over(...endingOf(enrolment));
  if (now() >= enrolment.expires) {
    return over(t`The code has run out`, t`It works for 15 minutes. Nothing was lost: show a new one.`);
  }
  if (enrolment.state === "open") return showCode();
  if (enrolment.state === "claimed") {
    $("#claimed-name").textContent = enrolment.administrator.name;
    return show("claimed", t`${enrolment.administrator.name} has taken your code. Answer with ${means(owner)}.`);
  }
  return showDigits();
}

async function beginAnew() {
  if (!owner) return run();
  ended = null;
  begun = await begin(owner);
  return run();
}

async function sign() {
  await answer(begun, enrolment, owner);
  return run();
}

async function giveUp(isAlarm = false) {
  const check = begun;
  const answered = await ask({ ...(isAlarm ? alarm : givingUp), danger: true });
  if (!answered) return;
  const end = await abandon(check, owner);
  // The other side may have been faster, and this page may have been told by now.
  begun = check;
  if (end?.state === "completed") return finish();
  if (!isAlarm) return over(...endingOf(end));
  return over(
    t`The check has ended`,
    t`Nothing was signed. If the digits differ again, do not go on: tell the operator of the server.`);
}

async function showCode() {
  if (step === "code" && $("#qr").dataset.id === begun.id) return showCharacters(begun.id);
  const { text, link } = await codeOf(begun, owner);
  await drawQR($("#qr"), link, { label: t`Code for the administrator's camera` });
  $("#qr").dataset.id = begun.id;
  $("#code-text").textContent = text;
  show("code", t`Your code is ready. Show it to the administrator.`);
  tick();
  return showCharacters(begun.id);
}

async function showDigits() {
  if (!begun.administratorNonce) {
    // Signed in this browser, yet what was signed is gone: digits made of anything else would prove nothing.
    await abandon(begun, owner);
    return over(t`This check cannot go on`, t`This browser has lost what it signed. Show a new code.`);
  }
  const digits = await digitsOf(begun, owner);
  $("#digits").textContent = `${digits.slice(0, 3)} ${digits.slice(3)}`;
  $("#digits-name").textContent = enrolment.administrator.name;
  return show("digits", t`Compare these digits: ${[...digits].join(" ")}`);
}

async function finish() {
  ended = begun.id;
  await forget(owner);
  const credential = newest((await listed("/api/documents")).items);
  if (credential) $("#done-open").href = `/wallet/document#${encodeURIComponent(credential.id)}`;
  show("done", t`You are verified.`);
}

async function over(title, text) {
  ended = begun.id;
  await forget(owner);
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  show("over", title);
}

async function showVerified() {
  const documents = await listed("/api/documents");
  const credential = newest(documents.items);
  const facts = credential ? [
    { label: t`Checked by`, value: nameOf(credential.issuer) },
    { label: t`On`, value: day(credential.issued) },
    ...(credential.revoked
      ? [{ label: t`Revoked`, value: t`${day(credential.revoked)}: “${credential.reason}”` }] : []),
  ] : [{ label: t`Credential`, value: t`You have deleted it. You are still verified.` }];
  $("#verified-facts").replaceChildren(...facts.map((fact) => clone("fact", fact)));
  $("#verified-open").hidden = !credential;
  if (credential) $("#verified-open").href = `/wallet/document#${encodeURIComponent(credential.id)}`;
  for (const button of $$("[data-step=verified] [data-begin]")) button.hidden = !owner;
  show("verified");
}

const newest = (items) => items.find((info) => info.type === "identity" && !info.revoked)
  ?? items.find((info) => info.type === "identity");

function nothing(text, action, href) {
  $("#none-text").textContent = text;
  $("#none-action").textContent = action;
  $("#none-action").href = href;
  show("none");
}

/** Shows one part. When the check moves on by itself, the person is told and led there. */
function show(name, news) {
  const isMove = step !== null && step !== name;
  step = name;
  for (const part of $$("[data-step]")) part.hidden = part.dataset.step !== name;
  if (news && $("#news").textContent !== news) $("#news").textContent = news;
  if (!isMove) return;
  // Leaving a part settles what was said about it.
  clearNotices();
  $(`[data-step=${name}] h2`)?.focus();
}

function tick() {
  if (isOver() || !begun || !["code", "claimed", "digits"].includes(step)) return;
  const left = Math.max(0, (enrolment ?? begun).expires - now());
  const words = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  for (const id of ["#left", "#claimed-left", "#digits-left"]) $(id).textContent = words;
  $("#left-bar").value = left;
  countDown();
  // The server has the result of the last moment.
  if (left === 0 || left % 20 === 0) run();
}
