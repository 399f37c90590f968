// The vault's page: made, locked or open. What is open is in this page's memory alone, and gone when it locks.

import { Problem, api } from "../shell/api.js";
import { $, $$, busy, bytes, clearNotices, notice } from "../shell/dom.js";
import { start } from "../shell/frame.js";
import { t } from "../shell/translate.js";
import { watchIdle } from "./idle.js";

/** What the server says of the vault, null when there is none; what is open, null while it is locked. */
let stored = null;
let vault = null;
/** The own vault, while `vault` may be a shared folder in it: then `inside` says which. */
let home = null;
let inside = null;
/** The parts that need an open vault, loaded with the first opening. */
let parts = null;
let isVeiled = true;
const views = ["folder", "item", "trash", "ways", "people", "inbox", "emergency"];

const run = start(load, []);
const page = {
  vault: () => vault, folder: () => folder, isVeiled: () => isVeiled, addressOf, home: () => home,
  drawn: draw, act,
};
/** The folder that is looked at, and how often the page was drawn. */
let folder = "";
let turn = 0;

async function load() {
  stored = await api.get("/api/vault").catch((problem) => {
    if (problem.kind === "not-found") return null;
    throw problem;
  });
  if (vault && vault !== home) await vault.refresh().catch(ended);
  if (home) await home.refresh();
  await draw();
}

/** Where the address leads: `{view, id}`. */
function place() {
  const [, view = "folder", id = ""] = /^#?(?:(folder|item|trash|ways|people|inbox|emergency)(?:=([0-9a-f]{32}))?)?$/.exec(location.hash) ?? [];
  return { view, id };
}

/** The address of a folder of the vault that is looked at. */
function addressOf(id) { return id !== parts.root ? `#folder=${id}` : inside ? `#folder=${inside.id}` : "#"; }

/** Somebody has ended what they shared: there is only the own vault again. */
function ended(problem) {
  if (problem.kind !== "not-found") throw problem;
  notice("warning", t`${inside.by ?? inside.name} no longer shares this with you.`);
  parts.shared.forget();
  location.hash = "";
}

async function draw() {
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
  const { view, id } = place();
  const mine = turn += 1;
  const there = await parts.shared.at(home, id).catch((problem) => {
    notice("error", problem.detail ?? String(problem));
    return parts.shared.at(home, "");
  });
  // It was locked, or somebody went on, while a folder was opened.
  if (!home || mine !== turn) return;
  ({ vault, folder, place: inside } = there);
  for (const name of views) $(`#${name}`).hidden = name !== view;
  drawPath(view);
  parts.drawInside(inside);
  $("#add").hidden = !vault.mayWrite;
  $("#sealing").hidden = !vault.mayWrite;
  parts.viewing.clear();
  if (view === "item" && !await parts.viewing.show(id)) location.hash = "";
  if (view === "trash") parts.drawTrash(vault, page.drawn);
  if (view === "ways") await parts.drawWays(home, stored, run);
  if (view === "folder") await parts.listing.draw();
  await parts.drawOthers(view, home, stored, run);
  // It may have been locked while it was drawn.
  if (vault) $("#room").textContent = t`${bytes(vault.bytes)} of ${bytes(vault.quota)} used.`;
}

/** The folders from the top down, the last one without a link. */
function drawPath(view) {
  const at = view === "item" ? vault.item(place().id)?.parent ?? folder : folder;
  const outer = inside ? [...home.path(inside.parent ?? parts.root), inside] : [];
  const steps = [{ name: t`Vault`, href: "#" }, ...[...outer, ...vault.path(at)].map((one) => ({ name: one.name, href: `#folder=${one.id}` }))];
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
  $("#open-shares").hidden = !has("share");
  const isAbsent = stored.guard.state === "absent";
  $("#pin-state").hidden = !isAbsent;
  if (isAbsent) $("#pin-state").textContent = t`PINs do not work: the server was restored from a backup. Open the vault in another way, and set your PIN again.`;
}

/** What is open from now on. */
async function opened(fresh) {
  parts ??= await (await import("./parts.js")).make(page);
  vault = home = fresh;
  $("#closed-why").textContent = "";
  await run();
  ($("#path a, #path span") ?? $("#main")).focus?.();
  $("#news").textContent = t`Your vault is open.`;
}

/** Locks the vault: nothing of what was open stays in the page. */
function lock(why = "") {
  if (!vault) return;
  vault = home = inside = null;
  parts.adding.end();
  parts.shared.forget();
  parts.viewing.clear();
  parts.listing.clear();
  for (const dialog of $$("dialog[open]")) dialog.close();
  // A message may name an item.
  clearNotices();
  for (const list of ["#path", "#trashed", "#slots"]) $(list).replaceChildren();
  parts.clearOthers();
  $("#search").value = "";
  // The address says which folder was looked at.
  history.replaceState(history.state, "", location.pathname);
  $("#closed-why").textContent = why;
  draw();
  $("#closed-title").focus();
}

async function act(item, name) {
  const { changing, note, viewing } = parts;
  if (name === "share" || name === "carry" || name === "link") {
    if (await parts.share(name, { home, vault, place: inside }, item)) await draw();
    return undefined;
  }
  if (name === "save") return viewing.saveCopy(vault, item);
  if (name === "present") {
    const blob = await vault.blob(item);
    lock();
    return viewing.present(item, blob);
  }
  if (name === "edit" && await note.editNote(vault, { item })) return draw();
  if (name === "change" && await changing.changeItem(vault, item)) return draw();
  if (name === "versions") return parts.versions.show(vault, item, page.drawn);
  if (name === "trash") {
    await changing.trashItem(vault, item, page.drawn);
    location.hash = addressOf(item.parent);
  }
  return undefined;
}

for (const [id, way] of [
  ["make", "make"], ["open-passkey", "byPasskey"], ["open-pin", "byPIN"], ["open-recovery", "byRecovery"], ["open-shares", "byShares"],
]) {
  $(`#${id}`).addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    const ways = way === "byShares" ? await import("./shares.js") : await import("./opening-ways.js");
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
  const item = button && vault?.item(button.closest("[data-key]").dataset.key);
  if (item) busy(button, async () => { if (await parts.changing.changeItem(vault, item, page)) await draw(); });
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
