// The vault's page: made, locked or open. What is open is in this page's memory alone, and gone when it locks.

import { Problem, api } from "../shell/api.js";
import { $, $$, busy, bytes, clearNotices, notice } from "../shell/dom.js";
import { start } from "../shell/frame.js";
import { t } from "../shell/translate.js";
import { watchIdle } from "./idle.js";
import { triesWords } from "./pin-words.js";

/** What the server says of the vault, null when there is none; what is open, null while it is locked. */
let stored = null;
let vault = null;
/** The vault that was opened. What is looked at is `vault`: that one, or one that a folder stands for; then `inside` says which. */
let home = null;
let inside = null;
/** The parts that need an open vault, loaded with the first opening. */
let parts = null;
let isVeiled = true;
/** The opening, or the making, that is under way: the lock ends it, and so does leaving the page. */
let opening = null;
/** The folder that is looked at, and how often the page was drawn. */
let folder = "";
let turn = 0;
const views = ["folder", "item", "trash", "ways", "people", "inbox", "emergency", "kept"];
const offlineViews = ["folder", "item", "kept"];

const run = start(load, []);
const page = {
  vault: () => vault, folder: () => folder, isVeiled: () => isVeiled, addressOf, home: () => home, place: () => inside, stored: () => stored,
  keeping: () => parts?.keeping, drawn: changed, act, wayBack: (item) => parts.listing.address() ?? addressOf(item.parent),
};

async function load() {
  const found = await api.get("/api/vault").catch(async (problem) => {
    if (problem.kind === "not-found") return null;
    const kept = problem.kind === "offline" && (!home || home.isOffline) && (await (await import("./kept-vault.js")).keptVault());
    if (!kept) throw problem;
    return kept;
  });
  stored = found;
  if (home?.isOffline) {
    if (!stored.isOffline) await reconnect();
  } else {
    if (vault && vault !== home) await vault.refresh().catch(ended);
    if (home) await home.refresh();
  }
  await draw();
  if (home) keepUpToDate();
}

/** After a change: the page is drawn again, and what is kept here follows at once, for the network may be gone a minute later. */
async function changed() {
  await draw();
  if (home && !home.isOffline) keepUpToDate();
}

/** What is kept on this device follows what is in the vault. */
async function keepUpToDate() {
  try {
    if (await parts.keeping.begin() && home) await draw();
  } catch (error) {
    // It may have been locked while it was fetched.
    if (home && error.kind !== "offline") parts.kept.sayStale();
  }
}

/** Where the address leads: `{view, id, within}`; `within` is the place that it is in, if the address says so. */
function place() {
  const pattern = /^#?(?:(folder|item|trash|ways|people|inbox|emergency|kept)(?:=([0-9a-f]{32})(?:\/([0-9a-f]{32}))?)?)?$/;
  const [, name = "folder", id = "", within = ""] = pattern.exec(location.hash) ?? [];
  // What needs the server is not to be seen without it.
  return home?.isOffline && !offlineViews.includes(name) ? { view: "folder", id: "", within: "" } : { view: name, id, within };
}

/** The connection is back: all of it is there again. */
async function reconnect() {
  const before = home;
  const fresh = await (await import("./opening-ways.js")).again(before, stored);
  // It may have been locked in between.
  if (home !== before) return;
  parts.shared.forget();
  vault = home = fresh;
  inside = null;
}

/** The address of a folder of the vault that is looked at. */
function addressOf(id) { return id !== parts.root ? `#folder=${id}` : inside ? `#folder=${inside.id}` : "#"; }

/** Somebody has ended what they shared, or another device has destroyed it: there is only the own vault again. */
function ended(problem) {
  if (problem.kind !== "not-found") throw problem;
  // It was locked meanwhile.
  if (!inside) return;
  notice("warning", inside.isDoor ? t`This folder is not in your vault any more.` : t`${inside.by ?? inside.name} no longer shares this with you.`);
  parts.shared.forget();
  location.hash = "";
}

async function draw() {
  const focused = document.activeElement;
  try {
    await drawAll();
  } finally {
    // It was locked while it was drawn: what has come into the page since goes, too.
    if (!home && parts) wipe();
  }
  parts?.arriving.keepFocus(focused);
}

async function drawAll() {
  $("#first").hidden = Boolean(stored);
  $("#closed").hidden = !stored || Boolean(vault);
  $("#opened").hidden = !vault;
  if (stored?.slots.some(({ asked }) => asked) || $("#asked").childElementCount > 0) {
    (await import("./asked.js")).drawAsked($("#asked"), stored, run);
  }
  if (!vault) {
    if (stored) drawClosed();
    return;
  }
  const { view, id, within } = place();
  const mine = turn += 1;
  const before = vault;
  const there = await parts.shared.at(home, id, { within }).catch((problem) => {
    if (!home) return null;
    notice("error", problem.detail ?? String(problem));
    return parts.shared.at(home, "");
  });
  // It was locked, or somebody went on, while a folder was opened.
  if (!home || mine !== turn) return;
  ({ vault, folder, place: inside } = there);
  if (view === "item") folder = vault.item(id)?.parent ?? parts.root;
  // The lock of an item closes when it is left.
  if (before.unlocked && !(view === "item" && id === before.unlocked)) await before.closeItem();
  if (!home || mine !== turn) return;
  // As the list has its rows.
  const where = { view, id: view === "folder" ? inside && folder === parts.root ? inside.id : folder : within ? `${id}/${within}` : id };
  parts.arriving.depart(where);
  $("#opened").classList.toggle("offline", home.isOffline);
  $("#offline-note").hidden = !home.isOffline;
  for (const name of views) $(`#${name}`).hidden = name !== view;
  drawPath(view);
  parts.drawInside(inside);
  $("#add").hidden = !vault.mayWrite;
  $("#sealing").hidden = !vault.mayWrite;
  // A list has to be drawn before one can go to a row of it.
  if (view !== "folder") parts.arriving.arrive(where);
  parts.viewing.clear();
  if (view === "item" && !await parts.viewing.show(id)) location.hash = "";
  if (view === "trash") parts.drawTrash(vault, home, page.drawn);
  if (view === "kept") parts.kept.draw(home, parts.keeping, page.drawn);
  if (view === "ways") await parts.drawWays(home, stored, run);
  if (view === "folder") await parts.listing.draw(where.id);
  if (!home) return;
  // Somebody may have gone on while the list was drawn.
  if (view === "folder" && mine === turn) parts.arriving.arrive(where, !inside && folder === parts.root);
  parts.offerIssued(home, view === "folder" && !inside && folder === parts.root, page.drawn);
  await parts.drawOthers(view, home, stored, run);
  // It may have been locked while it was drawn.
  if (vault) $("#room").textContent = t`${bytes(vault.bytes)} of ${bytes(vault.quota)} used.`;
}

/** The folders from the top down, the last one without a link. */
function drawPath(view) {
  const steps = [{ name: t`Vault`, href: "#" }, ...[...parts.shared.wayTo(home, inside), ...vault.path(folder)].map((one) => ({ name: one.name, href: `#folder=${one.id}` }))];
  $("#path").replaceChildren(...steps.map(({ name, href }, index) => {
    const item = document.createElement("li");
    const isHere = view === "folder" && index === steps.length - 1;
    const step = item.appendChild(document.createElement(isHere ? "span" : "a"));
    step.textContent = name;
    step.dir = "auto";
    if (isHere) {
      step.setAttribute("aria-current", "page");
      // It takes the focus when somebody arrives.
      step.tabIndex = -1;
    } else {
      step.href = href;
    }
    return item;
  }));
}

function drawClosed() {
  const has = (kind) => stored.slots.some((slot) => slot.kind === kind);
  $("#open-passkey").hidden = !has("passkey") && !has("device");
  $("#open-pin").hidden = !stored.pins.some(({ usable }) => usable) || !stored.guard;
  $("#open-recovery").hidden = !has("recovery");
  $("#open-shares").hidden = !has("share");
  const { text, isWarning } = pinState();
  $("#pin-state").className = isWarning ? "notice warning" : "meta";
  $("#pin-state p").textContent = text;
  $("#pin-state").hidden = !text;
}

/** What there is to know of the PINs before the vault is open: `{text, isWarning}`. */
function pinState() {
  if (stored.isOffline) return { text: t`No connection: what is kept on this device opens. A PIN does not work without a network, because the server counts its tries.` };
  const { state, tries } = stored.guard;
  if (state === "absent") return { text: t`PINs do not work: the server was restored from a backup. Open the vault in another way, and set your PIN again.` };
  // After the tenth try no PIN is usable; it is destroyed when nobody can prove any more that one was right.
  if (tries === 0 && stored.pins.every(({ usable }) => !usable)) return { text: t`The PINs were destroyed after ten wrong tries. Open the vault in another way, and set your PIN again.` };
  return triesWords(tries);
}

/** What is open from now on. */
async function opened(fresh) {
  vault = home = fresh;
  folder = parts.root;
  $("#closed-why").textContent = "";
  await run();
  $("#news").textContent = t`Your vault is open.`;
  const draft = fresh.isOffline ? null : await parts.draftOf(fresh.compartment);
  if (draft && vault === fresh) {
    notice("info", t`A note was not saved when the vault was locked.`, { action: t`Go on writing`, run: ({ currentTarget }) => {
      currentTarget.closest(".notice").remove();
      edit(fresh, draft);
    } });
  }
}

/** Edits a note: a draft of it, if there is one, else what is stored. */
async function edit(where, draft) {
  const item = draft.id === null ? undefined : where.item(draft.id);
  // Its folder, or the note itself, may be gone: what was typed is not.
  const into = where.item(draft.folder)?.kind === "folder" ? draft.folder : parts.root;
  if (await parts.note.editNote(where, { item, folder: into, name: draft.name, draft })) await changed();
}

/** Empties all parts of the page that show what was open. */
function wipe() {
  parts.arriving.leave();
  parts.shared.forget();
  parts.viewing.clear();
  parts.listing.clear();
  $("#issued").hidden = true;
  for (const list of ["#path", "#trashed", "#slots", "#kept-items"]) $(list).replaceChildren();
  parts.clearOthers();
}

/** Closes what is shown at the counter: nobody is there any more, or the page is left. */
function endCounter() {
  for (const dialog of $$("dialog.counter[open]")) dialog.close();
}

/** Ends an opening: what it comes to is not shown, and no words or digits stay in the page. */
function endOpening() {
  opening = null;
  for (const dialog of $$("dialog[open]")) dialog.close();
}

/** Lets a count-down before the next PIN go on: who waits in front of it does nothing. Digits that were typed go all the same. */
function staysWaiting() {
  const dialog = opening && $("dialog[data-waits][open]");
  if (dialog) for (const input of $$("input", dialog)) input.value = "";
  return Boolean(dialog);
}

/** Whether the list shows symbols in place of pictures; the button says what it does next. */
function veil(isOn) {
  isVeiled = isOn;
  $("#veil").textContent = isOn ? t`Show small pictures` : t`Hide small pictures`;
}

/** Locks the vault: nothing of what was open stays in the page. */
function lock(why = "") {
  if (opening) {
    endOpening();
    if (why) notice("info", t`This was closed while you were away. Begin again.`);
  }
  if (!vault) return;
  vault = home = inside = null;
  veil(true);
  parts.adding.end();
  parts.endWork();
  for (const dialog of $$("dialog[open]")) dialog.close();
  // A message may name an item.
  clearNotices();
  wipe();
  $("#search").value = "";
  // The address says which folder was looked at.
  history.replaceState(history.state, "", location.pathname);
  $("#closed-why").textContent = why;
  draw();
  $("#closed-title").focus();
}

async function act(item, name) {
  const { changing, kept, keeping, locks, note, viewing } = parts;
  const lockActs = { lock: locks.lockItem, unlock: locks.unlockForGood, "open-pin": locks.openByPIN, "open-passkey": locks.openByPasskey };
  if (name in lockActs) {
    // The PINs as they are now: one may have been set a moment ago, or on another device.
    stored = await api.get("/api/vault");
    if (!await lockActs[name]({ main: home, vault, stored, item })) return undefined;
    // The list that is hidden now may still have the item's name.
    parts.listing.clear();
    await changed();
    return undefined;
  }
  if (name === "share" || name === "carry" || name === "link") {
    if (await parts.share(name, { home, vault, place: inside }, item)) await changed();
    return undefined;
  }
  if (name === "keep") return kept.keep(keeping, item, page.drawn);
  if (name === "unkeep") return kept.unkeep(keeping, item, page.drawn);
  if (name === "save") return viewing.saveCopy(vault, item);
  if (name === "present") {
    const blob = await parts.untilLocked((signal) => vault.blob(item, { signal }));
    // It was locked in between: nothing comes up then.
    if (!blob) return undefined;
    lock();
    return viewing.present(item, blob);
  }
  if (name === "edit") {
    const draft = await parts.draftOf(vault.draftPlace(item.id));
    return await note.editNote(vault, { item, draft: draft?.id === item.id ? draft : undefined }) ? changed() : undefined;
  }
  if (name === "change" && await changing.changeItem(vault, item, page)) return changed();
  if (name === "versions") return parts.versions.show(vault, item, page.drawn);
  if (name === "trash") {
    await changing.trashItem(vault, item, page.drawn);
    // It was locked meanwhile: the address stays empty.
    if (!home) return undefined;
    location.hash = page.wayBack(item);
    keepUpToDate();
  }
  return undefined;
}

for (const [id, way] of [
  ["make", "make"], ["open-passkey", "byPasskey"], ["open-pin", "byPIN"], ["open-recovery", "byRecovery"], ["open-shares", "byShares"],
]) {
  $(`#${id}`).addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    const mine = opening = {};
    const isWanted = () => opening === mine;
    try {
      const ways = way === "byShares" ? await import("./shares.js") : await import("./opening-ways.js");
      const fresh = await ways[way](stored, isWanted);
      if (fresh) parts ??= await (await import("./parts.js")).make(page);
      const isOpen = fresh && isWanted();
      if (isWanted()) opening = null;
      if (isOpen) await opened(fresh);
      // Wrong PINs were counted: the page says how many. Or it was made, and locked at once.
      else if (stored || fresh) await run();
    } finally {
      if (isWanted()) opening = null;
    }
  }));
}
$("#lock").addEventListener("click", () => lock());
for (const button of $$("[data-carry]")) {
  button.addEventListener("click", () => busy(button, async () => (await parts.carrying())[button.dataset.carry](home, inside ? parts.root : folder, page.drawn)));
}
$("#veil").addEventListener("click", () => {
  veil(!isVeiled);
  draw();
});
$("#items").addEventListener("click", ({ target }) => {
  const button = target.closest("[data-act=menu]");
  // What a search has found may be in another vault than the one that is looked at.
  const { item, vault: its } = button && vault ? parts.listing.item(button.closest("[data-key]").dataset.key) : {};
  if (item) busy(button, async () => { if (await parts.changing.changeItem(its, item, page)) await changed(); });
});
addEventListener("hashchange", () => { if (vault) draw().catch((error) => notice("error", error instanceof Problem ? error.detail : String(error))); });
addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.shiftKey && event.code === "KeyL") {
    event.preventDefault();
    lock();
  }
});
// Another device may have changed something. No event says so: it would tell others too.
document.addEventListener("visibilitychange", () => { if (vault && document.visibilityState === "visible") run(); });
addEventListener("pagehide", () => {
  endCounter();
  lock();
});
watchIdle(() => {
  endCounter();
  if (staysWaiting()) return;
  if (opening || (vault && !parts.adding.isBusy() && !parts.isCarrying() && !parts.isAtWork())) lock(t`It was locked while you were away.`);
  // The words of a first recovery key: nothing is open behind them.
}, () => Boolean(opening && $("dialog[open] .recovery-words")));
