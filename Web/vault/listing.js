// The list of a folder, and of what a search finds in everything that is open.

import { now } from "../shell/clock.js";
import { $, $$, bytes, chosenDay, day, symbol } from "../shell/dom.js";
import { plain } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { locale, plural, t } from "../shell/translate.js";
import { issuedType } from "./issued-type.js";
import { SharedFolderOpener, placeOf, search } from "./searching.js";
import { everywhere, hasClosedDoor } from "./shared-folders.js";
import { pictureOf } from "./thumbnails.js";

/** So long before something expires its row says so, in seconds. */
export const reminderTime = 60 * 86_400;

const byName = new Intl.Collator(locale, { numeric: true });
/** When something expires that does not: a number, since the difference of two infinities is none and puts nothing in order. */
const never = Number.MAX_SAFE_INTEGER;
const sorts = {
  name: (a, b) => byName.compare(a.name, b.name),
  newest: (a, b) => b.modified - a.modified,
  size: (a, b) => (b.size ?? 0) - (a.size ?? 0),
  expires: (a, b) => (a.expires ?? never) - (b.expires ?? never),
};

/** How to compare two items. Folders come first, unless the order is by something that folders do not have. */
export const order = (sort) => (a, b) => (
  sort === "name" || sort === "newest" ? (b.kind === "folder") - (a.kind === "folder") : 0) || sorts[sort](a, b);

/**
 * Makes the list.
 *
 * @param page `{vault(), home(), place(), folder(), isVeiled()}`; `place()` is the one of shared-folders.js that is looked at
 * @returns `{draw(place), clear(), item(key), address()}`
 */
export function listing(page) {
  const addresses = new Map();
  /** What is searched, "" for the list of a folder; that folder, and the address under which it is. */
  let [words, shown, from] = ["", null, ""];
  const source = {
    async page({ q, sort = "name" }, { cursor, limit }) {
      words = plain(q);
      const [vault, begin] = [page.vault(), cursor ? Number(cursor) : 0];
      if (!vault) return { items: [], next: null };
      const question = { order: { name: sort, compare: order(sort) }, begin, limit };
      const { items, total } = words ? found(question) : vault.page({ folder: page.folder(), ...question });
      return {
        items: words ? items : items.map((item) => ({ ...item, vault, within: "", place: "" })),
        next: begin + limit < total ? String(begin + limit) : null, counts: [{ show: "all", total, is_more: false }],
      };
    },
  };
  const opener = new SharedFolderOpener(page.home, (hasMore) => {
    saySearching();
    if (words && hasMore) view.reload({ mark: false }).catch(() => { /* The next search tells it. */ });
  });
  const view = listView({
    source, things: (number) => plural(number, "{0} item", "{0} items"), list: $("#items"), remembers: false, waits: 40,
    // Others choose the ids of what they write: an item of theirs is never taken for another one.
    row: { template: "vault-row", key: ({ id, within }) => (within ? `${id}/${within}` : id), values, fill, present }, onPage: explain,
  });
  let isDrawn = false;
  return {
    /** Draws the list of a folder. A search that is on stays in the folder in which it was typed. */
    async draw(place) {
      const isElsewhere = words && shown !== place;
      [shown, from] = [place, location.hash];
      if (isElsewhere) $("#search").value = "";
      await (isElsewhere ? view.look({ q: "" }) : isDrawn ? view.reload({ mark: false }) : view.load());
      isDrawn = true;
    },
    /** The item of a row, as it is now, and the vault that it is in: `{item, vault}`. */
    item(key) {
      const { id, vault } = view.item(key) ?? {};
      return { item: vault?.item(id), vault };
    },
    /** Where the hits are shown, while there are some: closing one leads back to the others. */
    address: () => (words ? from || "#" : null),
    /** Lets go of every picture, and of everything that was found if the vault has been locked. */
    clear() {
      for (const address of addresses.values()) URL.revokeObjectURL(address);
      addresses.clear();
      $("#items").replaceChildren();
      if (!page.home()) view.look({ q: "" });
      $("#searching").textContent = "";
      // Whose folder is empty.
      $("#none").replaceChildren();
      $("#none").dataset.words = "";
    },
  };

  function found(question) {
    const open = everywhere(page.home());
    const { items, total } = search(open, { words, ...question });
    return { items: items.map((item) => ({ ...item, place: placeOf(page.home(), open.find(({ vault }) => vault === item.vault), item) })), total };
  }

  /** Says of an empty list what one can do here, and where a search does not look. */
  function explain() {
    const [vault, place] = [page.vault(), page.place()];
    if (!vault) return;
    saySearching();
    // The rows come first.
    if (words) setTimeout(() => opener.begin());
    if (!$("#none").hasChildNodes()) return;
    const show = (name, isShown) => { for (const part of $$(`#none [data-for=${name}]`)) part.hidden = !isShown; };
    const mayAdd = vault.mayWrite && !page.home()?.isOffline;
    show("adds", mayAdd);
    show("looks", !mayAdd && Boolean(place?.by));
    show("closed", hasClosedDoor(page.home()));
    const looks = $("#none [data-for=looks]");
    if (looks && place?.by) looks.textContent = t`As soon as ${place.by} adds something, it shows here.`;
  }

  /** Says that shared folders are on their way into the search, or how many are left out. */
  function saySearching() {
    const { isBusy, left } = opener;
    const said = !words ? "" : isBusy ? t`Opening your shared folders to search them too …`
      : left > 0 ? plural(left, "{0} shared folder is not searched: open it first.", "{0} shared folders are not searched: open them first.") : "";
    if ($("#searching").textContent !== said) $("#searching").textContent = said;
  }

  /** What a row shows. */
  function present({ id, kind, name, size, modified, expires, tags, place, within, type, isLocked, thumbnail, revision, share, vault }) {
    return {
      id, kind, name, size, modified, expires, tags, place, within, type, isLocked, revision, share, mayWrite: vault.mayWrite,
      isKept: vault === page.home() && Boolean(page.keeping()?.isKept(id)),
      picture: page.isVeiled() ? "" : thumbnail ?? "",
    };
  }

  function values(item) {
    return {
      name: item.name, href: `#${item.kind === "folder" ? "folder" : "item"}=${item.id}${item.within ? `/${item.within}` : ""}`, about: about(item),
      place: item.place, reminder: reminder(item),
    };
  }

  function fill(element, { id, within, kind, picture, isLocked, revision, share, type, mayWrite }) {
    const name = isLocked ? "lock" : share ? "members" : type === issuedType ? "check" : kind === "folder" ? "folder" : kind === "note" ? "sign" : "document";
    $("use", element).setAttribute("href", symbol(name));
    // What can be changed of a locked item is known once it is open.
    $("[data-act=menu]", element).hidden = isLocked || !mayWrite;
    const blob = picture && pictureOf(picture);
    if (!blob) return;
    const key = `${id} ${within} ${revision}`;
    if (!addresses.has(key)) addresses.set(key, URL.createObjectURL(blob));
    const image = new Image();
    Object.assign(image, { src: addresses.get(key), alt: "", className: "icon" });
    $(".icon", element).replaceWith(image);
  }
}

function about({ kind, size, modified, tags, isLocked, type, isKept, share }) {
  if (isLocked) return t`Locked`;
  const parts = [
    share ? (share.by ? t`Shared by ${share.by}` : t`Shared folder`) : { folder: t`Folder`, note: t`Note` }[kind] ?? typeName(type),
    ...(kind === "file" ? [bytes(size)] : []), day(modified), ...(isKept ? [t`On this device`] : []), ...tags.map((tag) => `#${tag}`),
  ];
  return parts.join(" · ");
}

/** What kind of file it is, for people. */
export function typeName(type) {
  if (type === "application/pdf") return "PDF";
  if (type === issuedType) return t`Issued document`;
  if (type?.startsWith("image/")) return t`Picture`;
  if (type?.startsWith("text/")) return t`Text`;
  return t`File`;
}

/** That something expires soon, or has: not before the day is over. */
export function reminder({ expires }) {
  if (!expires || expires > now() + reminderTime) return "";
  return expires + 86_400 <= now() ? t`Expired on ${chosenDay(expires)}` : t`Expires on ${chosenDay(expires)}`;
}
