// The wallet's first page: the state of everything in one glance, and the one thing to do next.

import { device } from "../accounts/keys.js";
import { listed, myself } from "../accounts/mine.js";
import { greeted, nameOf } from "../accounts/names.js";
import { now } from "../shell/clock.js";
import { $, clone } from "../shell/dom.js";
import { showAge, start } from "../shell/frame.js";
import { redraw } from "../shell/redraw.js";
import { typeTitle } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { offerInstall } from "./install-hint.js";
import { keepAll } from "./kept.js";
import { showSafety } from "./safety.js";
import { firstTime } from "./tutorial.js";
import { documentState, holdsDocuments, isOpen, requestStates } from "./words.js";

const latestCount = 3;

start(load, ["document", "request", "enrolment", "device", "delegation", "approval"]);
offerInstall($("#install"));
firstTime();

async function load() {
  const [owner, account] = await Promise.all([device(), myself()]);
  const me = account.value;
  const isHolder = holdsDocuments(me);
  // The server lists everybody's requests to administrators; those belong to the console.
  const none = { items: [] };
  const [documents, requests, questions] = await Promise.all([
    ...(isHolder ? [listed("/api/documents"), listed("/api/requests")] : [none, none]),
    listed("/api/approvals/challenges").catch(() => none)]);
  const asked = requests.items;
  greet(me);
  showNext(nextStep(me, owner, documents.items, asked));
  showQuestions(questions.items.filter(({ expires }) => expires > now()));
  showDocuments(isHolder, documents.items, owner);
  showRequests(isHolder, asked.filter(isOpen));
  showAge([account, documents, requests]);
  await showSafety($("#safety"), owner, isHolder);
  // In the background: what is new should open without a network too.
  keepAll(documents.items).catch((error) => console.info("not kept on this device:", error.message));
}

function greet(me) {
  $("#greeting").textContent = t`Hello, ${greeted(me)}`;
  $("#state").textContent = !holdsDocuments(me)
    ? t`These are the keys and the log of an official account.`
    : me.is_verified
      ? t`Your identity was checked face to face.`
      : me.role === "operator"
        ? t`These are your keys and your log. Your work is at the desk.`
        : t`Nobody has checked yet who you are.`;
}

/** What to do next, or null when nothing is pressing. */
function nextStep(me, owner, documents, asked) {
  if (!owner) {
    return {
      title: t`This browser holds none of your keys`,
      text: t`You can look around here, and revoke things. To open documents or show them, use a device of yours, or
        make this one a device: another of yours has to agree.`,
      action: t`Add this device`, href: "/add-device",
    };
  }
  if (!holdsDocuments(me)) {
    return {
      title: t`Your work is in the office`,
      text: t`Requests, face-to-face checks and signing are there. Your devices and passkeys are under Settings.`,
      action: t`Open the office`, href: "/console",
    };
  }
  if (me.role === "operator" && !me.is_verified) {
    return {
      title: t`Your work is at the desk`,
      text: t`Register clients and have them sign there. Operators need no face-to-face check.`,
      action: t`Open the desk`, href: "/desk",
    };
  }
  if (!me.is_verified) {
    return {
      title: t`Meet an administrator`,
      text: t`Before you can ask for documents, an administrator looks at you and at an ID document, and compares
        six digits with you. It takes two minutes. Bring this device and the ID document.`,
      action: t`Start the check`, href: "/wallet/identity",
    };
  }
  if (asked.length === 0 && documents.every((info) => info.type === "identity")) {
    return {
      title: t`Ask for your first document`,
      text: t`A transcript, a degree, a certificate of employment: an administrator signs it and sends it to this
        device.`,
      action: t`Ask for a document`, href: "/wallet/requests",
    };
  }
  return null;
}

function showNext(step) {
  $("#next").hidden = !step;
  if (!step) return;
  $("#next-title").textContent = step.title;
  $("#next-text").textContent = step.text;
  $("#next-action").textContent = step.action;
  $("#next-action").href = step.href;
}

/** What services ask comes before everything else: it ends within minutes. */
function showQuestions(items) {
  $("#questions-part").hidden = items.length === 0;
  redraw($("#questions"), items, ({ id, domain, expires }) => clone("question-row", {
    title: t`${domain} asks you`, href: `/wallet/approval#${encodeURIComponent(id)}`, expires,
  }));
}

function showDocuments(isHolder, items, owner) {
  $("#documents-part").hidden = !isHolder;
  $("#no-documents").hidden = items.length > 0;
  $("#all-documents").hidden = items.length === 0;
  redraw($("#documents"), items.slice(0, latestCount), (info) => badged(clone("document-row", {
    title: typeTitle(info.type), href: `/wallet/document#${encodeURIComponent(info.id)}`,
    issuer: nameOf(info.issuer), issued: info.issued,
  }), documentState(info, owner)));
}

function showRequests(isHolder, items) {
  $("#requests-part").hidden = !isHolder || items.length === 0;
  redraw($("#requests"), items, (request) => badged(clone("request-row", {
    title: typeTitle(request.type), created: request.created, means: requestStates[request.state].means,
  }), requestStates[request.state]));
}

function badged(element, { word, badge }) {
  const place = $("[data-badge]", element);
  place.textContent = word;
  place.classList.add(badge);
  return element;
}
