// The part of a page that shows the own entries, newest first, with a tick at each as its receipt is checked. Older ones
// come, and are checked, as one scrolls. A search finds acts by their words, in the language of the page.

import { device } from "../accounts/keys.js";
import { listed, mine, now } from "../accounts/mine.js";
import { follow } from "../accounts/trust.js";
import { api } from "../shell/api.js";
import { utf8 } from "../shell/core.js";
import { $, clone, describe, symbol } from "../shell/dom.js";
import { latest } from "../shell/events.js";
import { showFacts, codeValue } from "../shell/facts.js";
import { showAge } from "../shell/frame.js";
import { listView } from "../shell/list-view.js";
import { redraw } from "../shell/redraw.js";
import { series, typeTitle } from "../shell/text.js";
import { plural, t } from "../shell/translate.js";
import { BadLog, hex } from "./checkpoint.js";
import { checkReceipts, checkTree, lastSeen } from "./own-log.js";
import { BadReceipt, saveReceipt } from "./receipts.js";
import { save } from "./save.js";
import { ownAct, ownTypes } from "./words.js";

const path = "/api/log/mine";

let note = "";
/** How long the log was when this browser looked before this visit. */
let lastLook = null;
/**
 * Receipts that were checked while this page is open, as `{proof, about}` by entry: a text that was good stays so, also
 * while a search leaves the entry out.
 */
const checked = new Map();
/** The checkpoints that those were made for, each once: the log has to go on from all of them. */
const checkpoints = new Map();
/** What is shown, and where the next page begins. */
let shown = { items: [], next: null };
let checking = null;
/** The newest entries as they were fetched, or seen before: what `showAge` takes. */
let log = null;
let isFirst = true;

$("#checkpoint-save").addEventListener("click", () => save(utf8(note), "checkpoint.txt", "text/plain"));

const view = listView({
  source: { page, csv: ({ q }) => address(ownTypes(q), { format: "csv" }) },
  things: (number) => plural(number, "{0} entry", "{0} entries"), list: $("#entries"),
  row: {
    template: "entry-row", key: (entry) => entry.index, fill,
    // Receipts grow with the log: that is no change of the entry.
    present: ({ receipt, ...entry }) => entry,
    values: ({ type, time, index }) => ({ words: ownAct(type).words, time, index, which: ` ${t`of entry ${index}`}`, about: "" }),
  },
  onPage(page) {
    shown = page;
    // A search may be the first to find out that the server is away.
    if (log) showAge([log]);
    checking = check();
    checking.catch((error) => showResult([unsure(t`The check`, describe(error))]));
  },
});

/** Fetches, draws, checks. Returns what `showAge` takes. */
export async function showOwnEntries() {
  await (isFirst ? view.load() : view.refresh());
  isFirst = false;
  await checking;
  return log;
}

/** Entries of these types, or of all. */
function address(types, values) {
  return `${path}?${new URLSearchParams({ ...(types && { types: types.join(",") }), ...values })}`;
}

/** Older ones come from the server alone, and so does what a search finds, as long as there is a network. */
async function page({ q }, { cursor, signal }) {
  const types = ownTypes(q);
  if (cursor) return api.get(address(types, { cursor }), { signal });
  if (!types) return newest();
  if (types.length === 0) {
    if (!log) await newest();
    return foundAmong([], types);
  }
  try {
    const found = await api.get(address(types), { signal });
    log = { at: now(), isOld: false };
    return found;
  } catch (problem) {
    if (signal.aborted) throw problem;
    const { items } = await newest();
    if (!log.isOld) throw problem;
    return foundAmong(items, types);
  }
}

/** The newest are remembered for the times without a network. */
async function newest() {
  const { value, ...rest } = await mine(path);
  log = rest;
  const items = [...value.items].sort((a, b) => b.index - a.index);
  return { items, next: log.isOld ? null : value.next, counts: value.counts };
}

/** What a search finds here. How many there are beyond it is not known: that of another question would be shown. */
const foundAmong = (items, types) => ({ items: items.filter(({ type }) => types.includes(type)), next: null, counts: [] });

function fill(row, { type, index }) {
  $("use", row).setAttribute("href", symbol(ownAct(type).icon));
  $("button", row).addEventListener("click", () => saveReceipt(view.item(index).receipt, `entry-${index}`));
  const known = checked.get(index);
  if (known) showMark(row, null, known.about);
}

const check = latest(async () => {
  const owner = await device();
  if (owner) await audit(shown.items, owner);
  else showUnchecked();
});

/** Checks what has not been checked yet. */
async function audit(entries, device) {
  const { why } = log;
  const { owner, rows } = why === "offline" ? { owner: device, rows: [] } : await organisation(device);
  const names = await documentNames();
  const fresh = entries.filter((entry) => checked.get(entry.index)?.proof !== entry.receipt.proof);
  const bar = $("#audit-progress");
  bar.hidden = fresh.length < 5;
  bar.max = fresh.length;
  bar.value = 0;
  $("#audit-text").textContent = plural(fresh.length, "Checking {0} receipt …", "Checking {0} receipts …");
  const found = await checkReceipts(fresh, owner, (entry, receipt, error) => {
    bar.value += 1;
    mark(entry, receipt, error, names, owner);
  });
  bar.hidden = true;
  for (const one of found.checkpoints) checkpoints.set(`${one.size} ${hex(one.root)}`, one);
  const around = await (why === "offline" ? withoutNetwork(owner) : withNetwork([...checkpoints.values()], owner));
  const waiting = why === "unwitnessed" ? [unsure(t`The log waits for its witnesses`,
    t`Something newer about you is recorded. It shows here with its receipt when enough of them have signed.`)] : [];
  const receipts = entries.length > 0 ? [receiptsRow(entries.length, found.errors, shown.next)] : [];
  showResult([...receipts, ...around, ...waiting, ...rows]);
}

/** Whether the server is the one that this browser pinned; a newer log policy is followed before anything is checked. */
async function organisation(owner) {
  try {
    const trust = await follow();
    const { organisation: name, policyVersion = 0 } = trust;
    return {
      owner: { ...owner, trust },
      rows: [passed(t`Organisation and log are those that this browser pinned: ${name}`, policyVersion > 0
        ? t`Its log policy has version ${policyVersion}, and the main administrator has signed it.` : "")],
    };
  } catch (error) {
    const isOther = error.kind === "trust";
    return { owner, rows: [isOther
      ? failed(t`The server shows another organisation or log than the pinned one`, describe(error))
      : unsure(t`We can't confirm yet that it is the pinned organisation`, describe(error))] };
  }
}

function receiptsRow(number, errors, next) {
  if (errors.some(isBad)) {
    return failed(t`A receipt is not good`,
      t`It is marked below. Tell the operator of the server: it is faulty, or somebody is tampering.`);
  }
  if (errors.length > 0) return unsure(t`Receipts could not be checked`, describe(errors[0]));
  return passed(plural(number, "{0} receipt checked", "{0} receipts checked"), [
    t`Each proves that its entry is in the log, under the key that this browser pinned.`,
    ...(next ? [t`Older ones are checked when they are shown below.`] : []),
  ].join(" "));
}

async function withNetwork(checkpoints, owner) {
  const rows = [];
  try {
    const { checkpoint, note: text, previous } = await checkTree(checkpoints, owner);
    showCheckpoint(checkpoint, text);
    lastLook ??= previous;
    const title = plural(checkpoint.size, "The log has signed all its {0} entry", "The log has signed all its {0} entries");
    rows.push(passed(title, lastLook === 0
      ? t`This browser has noted it. From the next time on it also checks that nothing earlier was changed.`
      : plural(lastLook, "It begins as it did when this browser last looked, at {0} entry.",
        "It begins as it did when this browser last looked, at {0} entries.")));
    if (checkpoint.witnesses.length > 0) {
      rows.push(passed(t`Witnessed by ${series(checkpoint.witnesses)}`,
        t`Other people run them, and they sign only a log that continues the one that they saw.`));
    }
  } catch (error) {
    if (error.kind === "offline") return withoutNetwork(owner);
    const row = isBad(error) ? failed : unsure;
    rows.push(row(t`The log itself`, describe(error)));
  }
  return rows;
}

async function withoutNetwork(owner) {
  const last = await lastSeen(owner);
  if (last) showCheckpoint(last.checkpoint, last.note);
  return [{
    result: "not_included", title: t`No connection`,
    text: t`The receipts were checked here. Whether the log has changed since can be told when you are connected.`,
  }];
}

function mark(entry, receipt, error, names, owner) {
  const about = error ? null : aboutOf(receipt.record, names, owner);
  if (error) checked.delete(entry.index);
  else checked.set(entry.index, { proof: entry.receipt.proof, about });
  // A search may have left it out since.
  const row = $(`#entries > [data-key="${entry.index}"]`);
  if (row) showMark(row, error, about);
}

function showMark(row, error, about) {
  const badge = $("[data-badge]", row);
  badge.textContent = isBad(error) ? t`Not good` : error ? t`Not checked` : t`Checked`;
  badge.className = `badge ${isBad(error) ? "bad" : error ? "wait" : "good"}`;
  if (error) return;
  const link = $("a", row);
  link.parentElement.hidden = !about;
  if (!about) return;
  link.textContent = about.words;
  if (about.href) link.href = about.href;
}

/** The subject of the record in a receipt, when this browser knows it: a document, or this device. */
function aboutOf(record, names, owner) {
  if (record.signing_key === owner.publicKeys.signing) return { words: t`this device`, href: "/wallet/devices" };
  const document = names.get(record.credential);
  return document && { words: document.title, href: `/wallet/document#${encodeURIComponent(document.id)}` };
}

async function documentNames() {
  const { items } = await listed("/api/documents").catch(() => ({ items: [] }));
  return new Map(items.map((info) => [info.credential_digest, { id: info.id, title: typeTitle(info.type) }]));
}

function showCheckpoint({ origin, size, root }, text) {
  note = text;
  $("#checkpoint-save").hidden = false;
  showFacts($("#checkpoint"), [[t`Log`, origin], [t`Entries`, size], [t`Root`, codeValue(hex(root))]]);
}

function showResult(rows) {
  const hasFailed = rows.some((row) => row.result === "failed");
  const isUnsure = rows.some((row) => row.result === "unknown");
  const isPart = rows.some((row) => row.result === "not_included");
  const good = isPart ? t`Receipts good` : t`All good`;
  $("#audit-badge").className = `badge ${hasFailed ? "bad" : isUnsure ? "wait" : "good"}`;
  $("#audit-badge").textContent = hasFailed ? t`Not good` : isUnsure ? t`Could not tell` : good;
  // Always a line: one that goes would move what is being read below.
  $("#audit-text").textContent = hasFailed ? t`Something is wrong.`
    : isUnsure ? t`Not everything could be checked.` : t`Everything was checked.`;
  redraw($("#audit"), rows, (row) => {
    const element = clone("audit-row", row);
    element.dataset.result = row.result;
    return element;
  }, (row) => row.title);
}

/** True faults, as opposed to questions that could not be answered. */
const isBad = (error) => error instanceof BadReceipt || error instanceof BadLog;
const passed = (title, text) => ({ result: "passed", title, text });
const failed = (title, text) => ({ result: "failed", title, text });
const unsure = (title, text) => ({ result: "unknown", title, text });

function showUnchecked() {
  $("#audit-badge").textContent = t`Not checked`;
  $("#audit-badge").className = "badge weak";
  $("#audit-text").textContent = t`This browser is no device of yours: it has pinned nothing that it could check
    against. The receipts can be saved and checked elsewhere.`;
  for (const badge of document.querySelectorAll("#entries [data-badge]")) badge.hidden = true;
}
