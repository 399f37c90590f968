// The vault's page: made, locked or open. What is open is in this page's memory alone, and gone when it locks.

import { Problem, api } from "../shell/api.js";
import { $, $$, busy, bytes, clearNotices, notice } from "../shell/dom.js";
import { start } from "../shell/frame.js";
import { t } from "../shell/translate.js";
import { watchIdle } from "./idle.js";

/** What the server says of the vault, null when there is none; what is open, null while it is locked. */
let stored = null;
let vault = null;
/** The parts that need an open vault, loaded with the first opening. */
let parts = null;
let isVeiled = true;

const run = start(load, []);
const page = {
  vault: () => vault, folder: () => place().folder, isVeiled: () => isVeiled, stored: () => stored, keeping: () => parts?.keeping,
  drawn: draw, act,
};

async function load() {
  stored = await api.get("/api/vault").catch(async (problem) => {
    if (problem.kind === "not-found") return null;
    if (problem.kind !== "offline") throw problem;
    // What is open stays open. Else there is what is kept on this device.
    const kept = vault ? stored : await (await import("./kept-vault.js")).keptVault();
    if (!kept) throw problem;
    return kept;
  });
  // The connection is back: all of it is there again.
  if (vault?.isOffline && !stored.isOffline) vault = await (await import("./opening-ways.js")).again(vault, stored);
  else if (vault && !vault.isOffline) await vault.refresh();
  await draw();
  if (vault) keepUpToDate();
}

/** What is kept on this device follows what is in the vault. */
async function keepUpToDate() {
  try {
    if (await parts.keeping.begin() && vault) await draw();
  } catch (error) {
    // It may have been locked while it was fetched.
    if (vault && error.kind !== "offline") parts.kept.sayStale();
  }
}

/** Where the address leads: `{view, folder, id}`. */
function place() {
  const [, view = "folder", id = ""] = /^#?(?:(folder|item|trash|ways|kept)(?:=([0-9a-f]{32}))?)?$/.exec(location.hash) ?? [];
  return { view, id, folder: view === "folder" && id ? id : parts?.root ?? "" };
}

async function draw() {
  $("#first").hidden = Boolean(stored);
  $("#closed").hidden = !stored || Boolean(vault);
  $("#opened").hidden = !vault;
  if (!vault) {
    if (stored) drawClosed();
    return;
  }
  const { view, id } = place();
  $("#opened").classList.toggle("offline", vault.isOffline);
  $("#offline-note").hidden = !vault.isOffline;
  for (const name of ["folder", "item", "trash", "ways", "kept"]) $(`#${name}`).hidden = name !== view;
  drawPath(view);
  parts.viewing.clear();
  if (view === "item" && !await parts.viewing.show(id)) location.hash = "";
  if (view === "trash") parts.drawTrash(vault, page.drawn);
  if (view === "kept") parts.kept.draw(vault, parts.keeping, page.drawn);
  if (view === "ways") await parts.drawWays(vault, stored, run);
  if (view === "folder") await parts.listing.draw();
  parts.offerIssued(vault, view === "folder" && place().folder === parts.root, page.drawn);
  // It may have been locked while it was drawn.
  if (vault) $("#room").textContent = t`${bytes(vault.bytes)} of ${bytes(vault.quota)} used.`;
}

/** The folders from the top down, the last one without a link. */
function drawPath(view) {
  const { folder, id } = place();
  const at = view === "item" ? vault.item(id)?.parent ?? folder : folder;
  const steps = [{ name: t`Vault`, href: "#" }, ...vault.path(at).map((one) => ({ name: one.name, href: `#folder=${one.id}` }))];
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
  const isAbsent = stored.guard.state === "absent";
  $("#pin-state").hidden = !isAbsent;
  if (isAbsent) $("#pin-state").textContent = t`PINs do not work: the server was restored from a backup. Open the vault in another way, and set your PIN again.`;
  if (stored.isOffline) {
    $("#pin-state").hidden = false;
    $("#pin-state").textContent = t`No connection: what is kept on this device opens. A PIN does not work without a network, because the server counts its tries.`;
  }
}

/** What is open from now on. */
async function opened(fresh) {
  parts ??= await (await import("./parts.js")).make(page);
  vault = fresh;
  $("#closed-why").textContent = "";
  await run();
  ($("#path a, #path span") ?? $("#main")).focus?.();
  $("#news").textContent = t`Your vault is open.`;
}

/** Locks the vault: nothing of what was open stays in the page. */
function lock(why = "") {
  if (!vault) return;
  vault = null;
  parts.adding.end();
  parts.viewing.clear();
  parts.listing.clear();
  for (const dialog of $$("dialog[open]")) dialog.close();
  $("#issued").hidden = true;
  // A message may name an item.
  clearNotices();
  for (const list of ["#path", "#trashed", "#slots", "#kept-items"]) $(list).replaceChildren();
  $("#search").value = "";
  // The address says which folder was looked at.
  history.replaceState(history.state, "", location.pathname);
  $("#closed-why").textContent = why;
  draw();
  $("#closed-title").focus();
}

async function act(item, name) {
  const { changing, note, viewing, kept, keeping } = parts;
  if (name === "keep") return kept.keep(keeping, item, page.drawn);
  if (name === "unkeep") return kept.unkeep(keeping, item, page.drawn);
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
    location.hash = item.parent === parts.root ? "" : `folder=${item.parent}`;
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
for (const button of $$("[data-carry]")) {
  button.addEventListener("click", () => busy(button, async () => (await parts.carrying())[button.dataset.carry](vault, page.folder(), page.drawn)));
}
$("#veil").addEventListener("click", ({ currentTarget }) => {
  isVeiled = !isVeiled;
  currentTarget.setAttribute("aria-pressed", String(!isVeiled));
  draw();
});
$("#items").addEventListener("click", ({ target }) => {
  const button = target.closest("[data-act=menu]");
  const item = button && vault?.item(button.closest("[data-key]").dataset.key);
  if (item) busy(button, async () => { if (await parts.changing.changeItem(vault, item)) await draw(); });
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
  if (vault && !parts.adding.isBusy() && !parts.isCarrying()) lock(t`It was locked while you were away.`);
});
