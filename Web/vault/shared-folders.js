// Which vault is looked at: the one that was opened, a folder in it that stands for a compartment, because it is shared or because a
// PIN opens it too (a door, doors.js), or one that was opened in an emergency. Each is opened when somebody goes there, so that a
// vault with doors asks the server for the same as one without; all are forgotten together.

import { Problem, api } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { handOver, madeCompartment, movable, openedVault, pointer } from "./moving.js";
import { root } from "./vault-state.js";

/**
 * What is open, by the id that addresses have of it: `{id, vault, name, parent, outer, role, owner, by}`; `outer` is the place that it
 * is in, null for the own vault. A whole vault has `isWhole`, what is behind a door `isDoor`.
 */
const open = new Map();

/** How often everything was forgotten: what was asked for before that is not kept. */
let times = 0;

/** Forgets everything. */
export function forget() {
  times += 1;
  open.clear();
}

/** What was opened beside the own vault. */
export const opened = () => [...open.values()];

/** Forgets one of them: it is opened again when somebody goes there. */
export const leave = (id) => open.delete(id);

/** Lets a vault be looked at under an id. */
export function enter(place) { open.set(place.id, place); }

/** What is open now: `[{vault, place}]`, the own vault first, whose place is null. What was moved, ended or given another key is not. */
export const everywhere = (home) => [
  { vault: home, place: null }, ...opened().filter((place) => isThere(home, place)).map((place) => ({ vault: place.vault, place })),
];

/** Whether what is open is still where it was entered. A whole vault is in no folder. */
function isThere(home, place) {
  if (place.isWhole) return true;
  const around = place.outer?.vault ?? home;
  const node = around.state.nodes.get(place.id);
  return Boolean(node) && !node.record.trashed && !node.isHidden && around.item(place.id).compartment === b64u(place.vault.compartment.key)
    && (!place.outer || isThere(home, place.outer));
}

/** Whether a vault has a folder that a PIN opens too, and that is not open now. */
export const hasClosedDoor = (home) => {
  for (const { id, metadata, record } of home.state.nodes.values()) {
    if (metadata?.compartment && !metadata.share && !record.trashed && !open.has(id)) return true;
  }
  return false;
};

/**
 * Where an address leads.
 *
 * @param home the own vault; @param id of a folder or item, empty for the vault itself
 * @param options `{within, onProgress}`: the id of the place that the item is in, where the address says so: others choose the ids of
 *   what they write; and what is told while a place is opened, as reading.js does
 * @returns `{vault, folder, place}`; `place` is null in the own vault
 */
export async function at(home, id, { within = "", onProgress } = {}) {
  if (within) {
    const there = await at(home, within);
    return there.place?.id === within && there.vault.item(id) ? { ...there, folder: id } : there;
  }
  if (open.has(id) && isCurrent(home, open.get(id))) return inside(await refreshed(open.get(id)));
  // A shared folder has none that stand for a compartment: others write there.
  for (const outer of [null, ...opened().filter(({ vault }) => !vault.isInner)]) {
    const folder = (outer?.vault ?? home).item(id);
    if (folder?.compartment) return inside(await enterFolder(home, outer, folder, onProgress));
  }
  const item = home.item(id);
  const found = item ? null : [...open.values()].find(({ vault }) => vault.item(id));
  if (found) return { vault: found.vault, folder: id, place: found };
  return { vault: home, folder: id || root, place: null };
}

/** Whether a place is what its folder stands for: that may have another key since. A whole vault has no folder. */
function isCurrent(home, { id, vault, outer }) {
  const { compartment } = (outer?.vault ?? home).item(id) ?? {};
  return !compartment || compartment === b64u(vault.compartment.key);
}

/** A place as it is now: others may have changed it, or have ended it. */
async function refreshed(place) {
  await place.vault.refresh().catch((problem) => {
    if (problem.kind !== "not-found") throw problem;
    open.delete(place.id);
    throw place.isDoor ? closed() : over(place.by ?? place.name);
  });
  return place;
}

const over = (name) => new Problem("ended", {
  detail: t`${name} no longer shares this folder with you, or has given it another key. Look under “Other people”.`,
});

const closed = () => new Problem("ended", { detail: t`This folder is not in your vault any more.` });

const inside = (place) => ({ vault: place.vault, folder: root, place });

/** Opens the compartment behind a folder. `outer` is the place that it is in, null for the own vault. */
async function enterFolder(home, outer, item, onProgress) {
  const before = times;
  const by = outer?.by ?? item.share?.by;
  const [around, isDoor] = [outer?.vault ?? home, Boolean(item.door)];
  const role = !around.mayWrite ? "reader" : item.share?.role ?? "owner";
  const vault = await openedVault(fromB64u(item.compartment), home.limits, { mayWrite: role !== "reader", isInner: !isDoor }, onProgress).catch((problem) => {
    if (problem.kind === "not-found" && isDoor) throw closed();
    if (problem.kind !== "not-found" || !item.share?.owner) throw problem;
    throw over(item.share.by);
  });
  const place = { id: item.id, vault, name: item.name, parent: item.parent, outer, role, owner: item.share?.owner ?? by, by, isDoor };
  // Meanwhile a search may have opened it, or the vault was locked.
  const known = open.get(item.id);
  if (known && isCurrent(home, known)) return known;
  if (before === times) enter(place);
  return place;
}

/** The folders from the top down to a place, and itself; none for the own vault. */
export function wayTo(home, place) {
  if (!place) return [];
  const { outer = null, parent } = place;
  return [...wayTo(home, outer), ...(outer?.vault ?? home).path(parent ?? root), place];
}

/**
 * Where else an item of the account can go without being shared: out of the door that leads to where it is, and through those that
 * are there. `[{id, path, open()}]`, `open` gives the vault.
 */
export function elsewhere(home, vault) {
  const place = opened().find((one) => one.vault === vault);
  if (place && !place.isDoor) return [];
  return [
    ...(place ? [{ id: "out", path: t`Out of here, into the vault`, open: async () => place.outer?.vault ?? home }] : []),
    ...vault.doors().map((item) => ({ id: item.id, path: item.name, open: async () => (await at(home, item.id)).vault })),
  ];
}

/** The shared folders in the own vault: `mine`, and those of others. */
export function shared(home) {
  const all = [...home.state.nodes.values()].filter(({ metadata, record }) => metadata?.share && !record.trashed)
    .map(({ id }) => home.item(id)).sort((a, b) => a.name.localeCompare(b.name));
  return { mine: all.filter(({ share }) => !share.owner), others: all.filter(({ share }) => share.owner) };
}

/** The vaults that items can go to: `[{id, name, vault()}]`, only those in which one may write. */
export function targets(home) {
  const { mine, others } = shared(home);
  return [...mine, ...others.filter(({ share }) => share.role === "writer")];
}

/** Makes a folder that can be shared, in a folder of the own vault. Nobody else may use it yet. */
export async function make(home, parent, name) {
  const compartment = await madeCompartment(api);
  const id = await home.addFolder(parent, name, pointer(compartment, { members: {} }));
  return (await at(home, id)).place;
}

/** Makes a folder of the own vault one that can be shared: everything in it goes into a vault of its own. */
export async function convert(home, folder) {
  movable(home, folder.id);
  const place = await make(home, folder.parent, folder.name);
  const children = [...home.state.nodes.values()].filter(({ under }) => under === folder.id).map(({ id }) => id);
  if (children.length > 0) await handOver(home, place.vault, children);
  await home.remove(folder.id);
  return place;
}
