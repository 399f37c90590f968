// All documents of the account, newest first.

import { device } from "../accounts/keys.js";
import { listed, myself } from "../accounts/mine.js";
import { nameOf } from "../accounts/names.js";
import { $, bytes, fill } from "../shell/dom.js";
import { showAge, start } from "../shell/frame.js";
import { localList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { typeTitle } from "../shell/text.js";
import { plural, t } from "../shell/translate.js";
import { isKept, keepAll } from "./kept.js";
import { documentState, holdsDocuments } from "./words.js";

/** So many are seen at a glance: no need to search. */
const fewDocuments = 4;

const kinds = [
  { name: "all", word: t`All`, has: () => true },
  { name: "valid", word: t`Valid, on this device`, has: ({ state }) => state.name === "valid" },
  { name: "elsewhere", word: t`On another device`, has: ({ state }) => state.name === "elsewhere" },
  { name: "revoked", word: t`Revoked`, has: ({ state }) => state.name === "revoked" },
];

let documents = [];
let me = null;
/** Whether what is shown was kept from an earlier visit: then there is no network for a file. */
let isOld = false;

const source = localList(() => documents, kinds, (info) => [typeTitle(info.type), nameOf(info.issuer)]);
const view = listView({
  source: { ...source, csv: () => (isOld ? "" : "/api/documents?format=csv") }, kinds, things: (number) => plural(number, "{0} document", "{0} documents"),
  list: $("#documents"), onPage: showNone, row: { template: "document-row", values, fill: mark },
});
let isDrawn = false;
const run = start(load, ["document", "enrolment", "request"]);

async function load() {
  const [owner, account, list] = await Promise.all([device(), myself(), listed("/api/documents")]);
  showAge([account, list]);
  me = account.value;
  isOld = list.isOld;
  documents = await Promise.all(list.items.map(async ({ receipt, ...info }) => (
    { ...info, state: documentState(info, owner), isKept: info.device === owner?.device && await isKept(info.id) })));
  // A filter that is in the address has to be seen, and can be taken away.
  $("#filter").hidden = documents.length <= fewDocuments && location.search === "";
  await (isDrawn ? view.reload({ mark: false }) : view.load());
  isDrawn = true;
  if (list.isOld) return;
  const kept = documents.filter((info) => info.isKept).length;
  keepAll(list.items).then(async () => {
    const own = list.items.filter((info) => info.device === owner?.device);
    const all = await Promise.all(own.map((info) => isKept(info.id)));
    // A document that has just come opens offline from now on, and its line says so.
    if (all.filter(Boolean).length !== kept) run();
  }).catch((error) => console.info("not kept on this device:", error.message));
}

/** The first steps, shown when there is no document at all. */
function showNone() {
  const [text, action, href] = !holdsDocuments(me)
    ? [t`Your account signs documents for others and holds none itself.`, t`Open the office`, "/console"]
    : me.is_verified
      ? [t`Ask for one: an administrator signs it, and it appears here by itself.`, t`Ask for a document`,
        "/wallet/requests"]
      : [t`The first one is your identity credential. An administrator signs it when you meet.`, t`Start the check`,
        "/wallet/identity"];
  fill($("#none"), { text, action, href });
}

function values(info) {
  return {
    title: typeTitle(info.type), href: `/wallet/document#${encodeURIComponent(info.id)}`, issuer: nameOf(info.issuer),
    issued: info.issued, size: bytes(info.size), isKept: info.isKept,
    reason: info.reason && t`The reason: “${info.reason}”`,
  };
}

function mark(row, { state }) {
  const badge = $("[data-badge]", row);
  badge.textContent = state.word;
  badge.classList.add(state.badge);
}
