// One document: sealed until its holder opens it, and sealed again when they leave.

import { device } from "../accounts/keys.js";
import { listed } from "../accounts/mine.js";
import { nameOf } from "../accounts/names.js";
import { api, Problem } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, $$, busy, bytes, day, time } from "../shell/dom.js";
import { codeValue, showFacts } from "../shell/facts.js";
import { fragment } from "../shell/fragment.js";
import { showAge, start } from "../shell/frame.js";
import { Unwitnessed, once } from "../shell/once.js";
import { inSentence, typeTitle } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { BadReceipt, saveReceipt, verifyReceipt } from "../transparency/receipts.js";
import { drawFields } from "../verification/fields.js";
import { drawFile, forget as forgetFile } from "../verification/file-view.js";
import { discard, isKept } from "./kept.js";
import { showLinks } from "./own-links.js";
import { showMeans } from "./means.js";
import { open } from "./opening.js";
import { showing } from "./showing.js";
import { documentState, means } from "./words.js";

/** How long a document stays open while nobody sees the page, in milliseconds. */
const patience = 5 * 60_000;

let info = null;
let opened = null;
let hiding = 0;

const steps = showing({
  opened: () => opened,
  title: () => typeTitle(info.type),
  linksChanged: () => showLinks($("#links-part"), info.id),
});
const run = start(load, ["document"]);

$("#open").addEventListener("click", ({ currentTarget }) => busy(currentTarget, openIt));
$("#close").addEventListener("click", () => close());
$("#show").addEventListener("click", () => steps.begin());
$("#receipt-save").addEventListener("click", () => saveReceipt(info.receipt, `${info.type}-${info.id.slice(0, 8)}`));
for (const button of $$("[data-delete]")) button.addEventListener("click", () => busy(button, remove));
addEventListener("hashchange", () => {
  close();
  run();
});
// Nothing that was opened stays behind for the device's next user.
addEventListener("pagehide", () => close());
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(close, patience);
});

async function load() {
  const [owner, list] = await Promise.all([device(), listed("/api/documents")]);
  showAge([list]);
  info = list.items.find((one) => one.id === fragment()) ?? null;
  $("#missing").hidden = Boolean(info);
  $("#badge").hidden = !info;
  if (!info) return gone();
  describe(owner, list.isOld, await isKept(info.id));
  showMeans(owner);
  if (!opened) steps.show("closed");
  if (!list.isOld) await showLinks($("#links-part"), info.id);
}

/** Deleted by now, perhaps in another tab. */
function gone() {
  close();
  steps.show(null);
  for (const part of ["#revoked", "#links-part"]) $(part).hidden = true;
}

function describe(owner, isOffline, isHere) {
  const state = documentState(info, owner);
  const title = typeTitle(info.type);
  document.title = document.title.replace(/^[^·]*/, `${title} `);
  $("#title").textContent = title;
  $("#lead").textContent = t`Signed by ${nameOf(info.issuer)} on ${day(info.issued)}.`;
  $("#badge").textContent = state.word;
  $("#badge").className = `badge ${state.badge}`;
  $("#revoked").hidden = !info.revoked;
  if (info.revoked) {
    $("#revoked-day").textContent = day(info.revoked);
    $("#revoked-reason").textContent = info.reason ? t`The reason: “${info.reason}”.` : "";
  }
  // A verifier would refuse it, so it is not offered.
  $("#show").hidden = Boolean(info.revoked);
  const isElsewhere = info.device !== owner?.device;
  const isOutOfReach = isOffline && !isHere;
  $("#open").hidden = isElsewhere || isOutOfReach;
  $("#closed-text").textContent = isElsewhere
    ? elsewhere(owner)
    : isOutOfReach
      ? t`Its sealed copy is at the server, which cannot be reached. It opens when you are connected.`
      : t`${bytes(info.size)}, sealed to this device. It opens with ${means(owner)}, and to nobody else.`;
  showAgain(isElsewhere, Boolean(owner));
  for (const button of $$("[data-delete]")) button.hidden = isOffline;
}

function elsewhere(owner) {
  const words = t`It is sealed to another device of yours, and opens only there.`;
  if (!owner) return `${words} ${t`This browser holds none of your keys.`}`;
  return info.type === "identity"
    ? `${words} ${t`This device needs none of its own: your other device vouched for it.`}`
    : `${words} ${t`Nobody can move it; an administrator can issue it again.`}`;
}

function showAgain(isElsewhere, hasKeys) {
  $("#again").hidden = !isElsewhere || !hasKeys || info.type === "identity";
  $("#again").href = `/wallet/requests#${encodeURIComponent(info.type)}`;
}

async function openIt() {
  opened = await open(info);
  await drawFields($("#fields"), opened.fields, info.type);
  $("#file").hidden = !opened.document;
  if (opened.document) drawFile($("#file"), opened.document, opened.content);
  const { trust } = opened.owner;
  showFacts($("#facts"), [
    [t`Signed by`, t`${opened.signer}, ${opened.organisation}`],
    [t`Trusted because`, t`the certificates lead to the organisation's root that this browser pinned`],
    [t`Root`, codeValue(trust.fingerprint)],
    [t`Issued{#state}`, time(opened.issued_at)],
    [t`Valid until`, opened.expires_at ? time(opened.expires_at) : t`revoked`],
    [t`Bound to`, t`this device, ${opened.owner.deviceName}`],
    [t`In the log`, t`entry ${opened.act.index}, ${time(opened.act.time)}`],
    [t`Its digest`, codeValue(info.credential_digest)],
  ]);
  steps.show("read");
  $("#news").textContent = t`The document is open.`;
}

/** Seals it again: nothing of it stays in the page. */
function close() {
  if (!opened) return;
  opened = null;
  forgetFile();
  for (const place of ["#fields", "#facts", "#file [data-preview]"]) $(place).replaceChildren();
  steps.clear();
  steps.show("closed");
}

async function remove() {
  const answered = await ask({
    title: t`Delete this ${inSentence(typeTitle(info.type))}?`,
    text: t`It is deleted at the server and on this device, for ever, and nobody can bring it back. Everything you have shown to others stays valid, and links that you made go on working until you stop them. The log keeps that there
      was a document, not what it said.`,
    confirm: t`Delete for ever`, cancel: t`Keep it{#document}`, danger: true,
  });
  if (!answered) return;
  const owner = await device();
  const act = await once(
    t`the document was deleted`, () => api.delete(`/api/documents/${encodeURIComponent(info.id)}`),
    async () => {
      const isThere = await api.find("/api/documents", (one) => one.id === info.id);
      return isThere ? undefined : deletion(owner);
    }).catch(async (error) => {
    // Its receipt comes later; the document does not come back.
    if (error instanceof Unwitnessed) await discard(info.id);
    throw error;
  });
  await discard(info.id);
  // A browser that is no device has pinned nothing that it could check the receipt against.
  if (owner) await verifyReceipt(owner.trust, act.receipt, "document.deleted", { credential: info.credential_digest });
  close();
  location.replace("/wallet/documents");
}

/** The receipt of the deletion, out of the own log, when its own answer was lost. */
async function deletion(owner) {
  if (!owner) return null;
  const found = await api.find("/api/log/mine", async ({ type, receipt }) => {
    if (type !== "document.deleted") return false;
    try {
      await verifyReceipt(owner.trust, receipt, type, { credential: info.credential_digest });
      return true;
    } catch (error) {
      if (!(error instanceof BadReceipt)) throw error;
      return false;
    }
  });
  if (found) return found;
  throw new Problem("not-found", {
    detail: t`The document is gone, but the log has no entry of its deletion. Ask the operator of the server.`,
  });
}
