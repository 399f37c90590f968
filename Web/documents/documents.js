// All documents of the account, newest first.

import { device } from "../accounts/keys.js";
import { nameOf } from "../accounts/names.js";
import { $, bytes, clone } from "../shell/dom.js";
import { showAge, start } from "./frame.js";
import { isKept, keepAll } from "./kept.js";
import { listed, mine } from "./mine.js";
import { redraw } from "./redraw.js";
import { count, documentState, holdsDocuments, typeTitle } from "./words.js";

/** So many are seen at a glance: no need to search. */
const fewDocuments = 4;

let documents = [];

const run = start(load, ["document", "enrolment", "request"]);

$("#search").addEventListener("input", draw);
$("#state").addEventListener("change", draw);
$("#show-all").addEventListener("click", () => {
  $("#search").value = "";
  $("#state").value = "";
  draw();
  $("#search").focus();
});

async function load() {
  const [owner, account, list] = await Promise.all([device(), mine("/api/account"), listed("/api/documents")]);
  showAge([account, list]);
  documents = await Promise.all(list.items.map(async (info) => (
    { ...info, state: documentState(info, owner), isKept: info.device === owner?.device && await isKept(info.id) })));
  $("#filter").hidden = documents.length <= fewDocuments;
  showNone(account.value);
  draw();
  if (list.isOld) return;
  const kept = documents.filter((info) => info.isKept).length;
  keepAll(list.items).then(async () => {
    const own = list.items.filter((info) => info.device === owner?.device);
    const all = await Promise.all(own.map((info) => isKept(info.id)));
    // What has come meanwhile opens offline from now on, and its line says so.
    if (all.filter(Boolean).length !== kept) run();
  }).catch((error) => console.info("not kept on this device:", error.message));
}

function showNone(me) {
  $("#none").hidden = documents.length > 0;
  const [text, action, href] = !holdsDocuments(me.role)
    ? ["Your account signs documents for others and holds none itself.", "Open the console", "/console"]
    : me.is_verified
      ? ["Ask for one: an administrator signs it, and it appears here by itself.", "Ask for a document",
        "/wallet/requests"]
      : ["The first one is your identity credential. An administrator signs it when you meet.", "Start the check",
        "/wallet/identity"];
  $("#none-text").textContent = text;
  $("#none-action").textContent = action;
  $("#none-action").href = href;
}

function draw() {
  const words = $("#search").value.trim().toLowerCase().split(/\s+/);
  const wanted = $("#state").value;
  const found = documents.filter((info) => {
    const text = `${typeTitle(info.type)} ${nameOf(info.issuer)}`.toLowerCase();
    return (!wanted || info.state.name === wanted) && words.every((word) => text.includes(word));
  });
  $("#nothing-found").hidden = found.length > 0 || documents.length === 0;
  redraw($("#documents"), found, (info) => {
    const row = clone("document-row", {
      title: typeTitle(info.type),
      href: `/wallet/document#${encodeURIComponent(info.id)}`,
      issuer: nameOf(info.issuer),
      issued: info.issued,
      size: bytes(info.size),
      isKept: info.isKept,
      reason: info.reason && `The reason: “${info.reason}”`,
    });
    const badge = $("[data-badge]", row);
    badge.textContent = info.state.word;
    badge.classList.add(info.state.badge);
    return row;
  });
  const isFiltered = found.length < documents.length;
  const news = isFiltered ? `${count(found.length, "document")} of ${documents.length}` : "";
  if ($("#news").textContent !== news) $("#news").textContent = news;
}
