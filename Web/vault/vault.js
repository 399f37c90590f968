// The vault's page: made, locked or open. What is open is in this page's memory alone, and gone when it locks.

import { Problem, api } from "../shell/api.js";
import { $, $$, busy, bytes, clearNotices, notice } from "../shell/dom.js";
import { start } from "../shell/frame.js";
import { plural, t } from "../shell/translate.js";
import { watchIdle } from "./idle.js";

/** What the server says of the vault, null when there is none; what is open, null while it is locked. */
let stored = null;
let vault = null;
/** The way through folders with PINs of their own to where the person is. */
let trail = null;
/** The parts that need an open vault, loaded with the first opening. */
let parts = null;
let isVeiled = true;
/** The folder that is looked at. */
let folder = "";

const run = start(load, []);
const page = {
  vault: () => trail?.here ?? null, folder: () => folder, isVeiled: () => isVeiled,
  drawn: draw, act,
};

async function load() {
  stored = await api.get("/api/vault").catch((problem) => {
    if (problem.kind === "not-found") return null;
    throw problem;
  });
  if (vault) for (const one of trail.all) await one.refresh();
  await draw();
}

/** Where the address leads: `{view, id}`. */
function place() {
  const [, view = "folder", id = ""] = /^#?(?:(folder|item|trash|ways)(?:=([0-9a-f]{32}))?)?$/.exec(location.hash) ?? [];
  return { view, id };
}

async function draw() {
  $("#first").hidden = Boolean(stored);
  $("#closed").hidden = !stored || Boolean(vault);
  $("#opened").hidden = !vault;
  if (!vault) {
    if (stored) drawClosed();
    return;
  }
  const mine = trail;
  const { view, id } = await reached(mine);
  // It may have been locked on the way.
  if (trail !== mine) return;
  const { here } = mine;
  for (const name of ["folder", "item", "trash", "ways"]) $(`#${name}`).hidden = name !== view;
  drawPath(view);
  parts.viewing.clear();
  if (view === "item" && !await parts.viewing.show(id)) location.hash = "";
  if (view === "trash") parts.drawTrash(here, page.drawn);
  if (view === "ways") await parts.drawWays(vault, stored, run);
  if (view === "folder") await parts.listing.draw();
  if (trail === mine) $("#room").textContent = t`${bytes(here.bytes)} of ${bytes(here.quota)} used.`;
}

/** Goes where the address leads, through doors on the way, and closes the lock of an item that is left behind. */
async function reached(way) {
  const there = place();
  const before = way.here;
  if (there.view === "ways") folder = way.leave();
  if (there.view === "folder") folder = await way.go(there.id);
  if (there.view === "item") {
    await way.go(there.id);
    folder = way.here.item(there.id)?.parent ?? parts.root;
  }
  if (before.unlocked && !(there.view === "item" && there.id === before.unlocked)) await before.closeItem();
  return there;
}

/** The folders from the top down, the last one without a link. */
function drawPath(view) {
  const steps = [{ name: t`Vault`, href: "#" }, ...trail.path(folder)];
  $("#path").replaceChildren(...steps.map(({ name, href }, index) => {
    const item = document.createElement("li");
    const isHere = view === "folder" && index === steps.length - 1;
    const step = item.appendChild(document.createElement(isHere ? "span" : "a"));
    step.textContent = name;
    step.dir = "auto";
    if (isHere) step.setAttribute("aria-current", "page");
    else step.href = href;
    return item;
  }));
}

function drawClosed() {
  const has = (kind) => stored.slots.some((slot) => slot.kind === kind);
  $("#open-passkey").hidden = !has("passkey") && !has("device");
  $("#open-pin").hidden = !stored.pins.some(({ usable }) => usable) || !stored.guard;
  $("#open-recovery").hidden = !has("recovery");
  $("#pin-state").textContent = pinState();
  $("#pin-state").hidden = !$("#pin-state").textContent;
}

/** What there is to know of the PINs before the vault is open. */
function pinState() {
  const { state, tries } = stored.guard;
  if (state === "absent") return t`PINs do not work: the server was restored from a backup. Open the vault in another way, and set your PIN again.`;
  if (stored.pins.every(({ usable }) => !usable)) return t`The PINs were destroyed after ten wrong tries. Open the vault in another way, and set your PIN again.`;
  return tries > 0 ? plural(tries, "{0} wrong PIN was tried since the last right one.", "{0} wrong PINs were tried since the last right one.") : "";
}

/** What is open from now on. */
async function opened(fresh) {
  parts ??= await (await import("./parts.js")).make(page);
  vault = fresh;
  trail = parts.trail(fresh);
  folder = parts.root;
  $("#closed-why").textContent = "";
  await run();
  ($("#path a, #path span") ?? $("#main")).focus?.();
  $("#news").textContent = t`Your vault is open.`;
  const draft = await parts.draftOf(fresh.compartment);
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
  if (await parts.note.editNote(where, { item, folder: into, name: draft.name, draft })) await draw();
}

/** Locks the vault: nothing of what was open stays in the page. */
function lock(why = "") {
  if (!vault) return;
  vault = trail = null;
  isVeiled = true;
  $("#veil").setAttribute("aria-pressed", "false");
  parts.adding.end();
  parts.viewing.clear();
  parts.listing.clear();
  for (const dialog of $$("dialog[open]")) dialog.close();
  // A message may name an item.
  clearNotices();
  for (const list of ["#path", "#trashed", "#slots"]) $(list).replaceChildren();
  $("#search").value = "";
  // The address says which folder was looked at.
  history.replaceState(history.state, "", location.pathname);
  $("#closed-why").textContent = why;
  draw();
  $("#closed-title").focus();
}

async function act(item, name) {
  const { changing, locks, note, viewing } = parts;
  const { here } = trail;
  const lockActs = { lock: locks.lockItem, unlock: locks.unlockForGood, "open-pin": locks.openByPIN, "open-passkey": locks.openByPasskey };
  if (name in lockActs) {
    // The PINs as they are now: one may have been set a moment ago, or on another device.
    stored = await api.get("/api/vault");
    if (!await lockActs[name]({ main: vault, vault: here, stored, item })) return undefined;
    // The list that is hidden now may still have the item's name.
    parts.listing.clear();
    await draw();
    return undefined;
  }
  if (name === "save") return viewing.saveCopy(here, item);
  if (name === "present") {
    const blob = await here.blob(item);
    lock();
    return viewing.present(item, blob);
  }
  if (name === "edit") {
    const draft = await parts.draftOf(here.draftPlace(item.id));
    return await note.editNote(here, { item, draft: draft?.id === item.id ? draft : undefined }) ? draw() : undefined;
  }
  if (name === "change" && await changing.changeItem(here, item)) return draw();
  if (name === "versions") return parts.versions.show(here, item, page.drawn);
  if (name === "trash") {
    await changing.trashItem(here, item, page.drawn);
    location.hash = `folder=${item.parent}`;
  }
  return undefined;
}

for (const [id, way] of [["make", "make"], ["open-passkey", "byPasskey"], ["open-pin", "byPIN"], ["open-recovery", "byRecovery"]]) {
  $(`#${id}`).addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    const ways = await import("./opening-ways.js");
    const fresh = await ways[way](stored);
    if (fresh) await opened(fresh);
  }));
}
$("#lock").addEventListener("click", () => lock());
$("#veil").addEventListener("click", ({ currentTarget }) => {
  isVeiled = !isVeiled;
  currentTarget.setAttribute("aria-pressed", String(!isVeiled));
  draw();
});
$("#items").addEventListener("click", ({ target }) => {
  const button = target.closest("[data-act=menu]");
  const item = button && trail?.here.item(button.closest("[data-key]").dataset.key);
  if (item) busy(button, async () => { if (await parts.changing.changeItem(trail.here, item)) await draw(); });
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
addEventListener("pagehide", () => lock());
watchIdle(() => {
  if (vault && !parts.adding.isBusy()) lock(t`It was locked while you were away.`);
});
