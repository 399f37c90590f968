// What the vault's page has of other people, as far as it is seen without being asked for. The rest comes when it is.

import { api } from "../shell/api.js";
import { $ } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { leave, shared } from "./shared-folders.js";

/** Leaves nothing of other people in the page: the vault locks. */
export function clearOthers() {
  for (const list of ["#received", "#given", "#vault-links", "#drops", "#caretakers", "#contacts", "#vaults", "#own-print"]) $(list).replaceChildren();
  drawInside(null);
  $("#new-shared").hidden = true;
  $("#new-shared-text").textContent = "";
}

/** Says in which shared folder one is; null for the own vault. What is behind an own door is the account's alone. */
export function drawInside(place) {
  $("#inside").hidden = !place || (place.isDoor && !place.by);
  $("#inside-link").hidden = place?.role !== "owner";
  $("#trash-link").href = place ? `#trash=${place.id}` : "#trash";
  $("#inside-text").textContent = !place ? "" : place.role === "owner" ? t`You share this folder. Everybody in it sees what you add.`
    : place.role === "reader" ? t`${place.by} shows you this. You can look and save copies, and change nothing.`
      : t`${place.by} shares this folder with you. Everybody in it sees what you add.`;
}

/** Draws one of the views of other people, and who has something new to share. */
export async function drawOthers(view, home, stored, again) {
  if (home.isOffline) return;
  if (view === "people") await (await import("./people.js")).draw(home, again);
  if (view === "inbox") await (await import("./inbox.js")).draw(home, again);
  if (view === "emergency") await (await import("./contacts.js")).draw(home, stored, again);
  if (view === "ways") (await import("./shares.js")).drawShares(home, stored, again);
  if (view === "folder") await tellNew(home);
  else $("#new-shared").hidden = true;
}

/** What others have shared since, and has not been put into the vault. A page that cannot ask says nothing. */
async function tellNew(home) {
  const items = await api.all("/api/vault/shared").catch(() => []);
  const known = new Set(shared(home).others.map(({ share: { compartment } }) => compartment));
  await followRoles(home, items);
  const fresh = items.filter(({ compartment, role }) => role !== "caretaker" && !known.has(compartment));
  $("#new-shared").hidden = fresh.length === 0;
  $("#new-shared-text").textContent = fresh.length === 0 ? ""
    : plural(fresh.length, "{1} shares a folder with you.", "{0} folders are shared with you, the newest by {1}.", fresh[0].owner_name);
}

/** What one may do in a folder is the server's to say, and the vault remembers it. */
async function followRoles(home, items) {
  for (const { id, share: old } of shared(home).others) {
    const now = items.find(({ compartment }) => compartment === old.compartment);
    if (!now || now.role === old.role) continue;
    // Another device may have put another key of it here since.
    await home.mark(id, ({ share }) => (share.compartment === now.compartment ? { share: { ...share, role: now.role } } : {}));
    leave(id);
  }
}

/** Shares an item, moves it to a shared folder, or makes a link to it. Returns whether something was done. */
export async function share(name, here, item) {
  if (name === "link") return (await import("./links.js")).makeLink(here.home, here.vault, item);
  const sharing = await import("./sharing.js");
  return name === "carry" ? sharing.carry(here.home, here, item) : Boolean(await sharing.share(here.home, item));
}
