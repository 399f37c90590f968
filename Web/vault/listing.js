// The list of a folder, and of what a search finds in the whole vault.

import { now } from "../shell/clock.js";
import { $, $$, bytes, day, symbol } from "../shell/dom.js";
import { plain } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { locale, plural, t } from "../shell/translate.js";
import { issuedType } from "./issued-type.js";
import { hasPlaces } from "./shared-folders.js";
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
 * @returns `{draw()}`
 */
export function listing(page) {
  const addresses = new Map();
  const source = {
    async page({ q, sort = "name" }, { cursor, limit }) {
      const vault = page.vault();
      if (!vault) return { items: [], next: null };
      const begin = cursor ? Number(cursor) : 0;
      const { items, total } = vault.page({
        folder: page.folder(), words: q ? plain(q) : "", order: { name: sort, compare: order(sort) }, begin, limit,
      });
      return {
        items: items.map((item) => ({ ...item, place: q ? vault.placeOf(item) : "" })),
        next: begin + limit < total ? String(begin + limit) : null, counts: [{ show: "all", total, is_more: false }],
      };
    },
  };
  const view = listView({
    source, things: (number) => plural(number, "{0} item", "{0} items"), list: $("#items"), remembers: false, waits: 40,
    row: { template: "vault-row", values, fill, present }, onPage: explain,
  });
  let isDrawn = false;
  return {
    async draw() {
      await (isDrawn ? view.reload({ mark: false }) : view.load());
      isDrawn = true;
    },
    /** Lets go of every picture. */
    clear() {
      for (const address of addresses.values()) URL.revokeObjectURL(address);
      addresses.clear();
      $("#items").replaceChildren();
      // Whose folder is empty.
      $("#none").replaceChildren();
      $("#none").dataset.words = "";
    },
  };

  /** Says of an empty list what one can do here, and where a search does not look. */
  function explain() {
    const [vault, place] = [page.vault(), page.place()];
    if (!vault) return;
    $("#search").placeholder = place && !place.isWhole ? t`Search this folder` : t`Search the whole vault`;
    if (!$("#none").hasChildNodes()) return;
    const show = (name, isShown) => { for (const part of $$(`#none [data-for=${name}]`)) part.hidden = !isShown; };
    const mayAdd = vault.mayWrite && !page.home()?.isOffline;
    show("adds", mayAdd);
    show("looks", !mayAdd && Boolean(place?.by));
    show("closed", !vault.isInner && hasPlaces(vault));
    const looks = $("#none [data-for=looks]");
    if (looks && place?.by) looks.textContent = t`As soon as ${place.by} adds something, it shows here.`;
  }

  /** What a row shows. */
  function present({ id, kind, name, size, modified, expires, tags, place, type, isLocked, thumbnail, revision, share }) {
    return {
      id, kind, name, size, modified, expires, tags, place, type, isLocked, revision, share, mayWrite: page.vault()?.mayWrite,
      isKept: page.vault() === page.home() && Boolean(page.keeping()?.isKept(id)),
      picture: page.isVeiled() ? "" : thumbnail ?? "",
    };
  }

  function values(item) {
    return {
      name: item.name, href: item.kind === "folder" ? `#folder=${item.id}` : `#item=${item.id}`, about: about(item), place: item.place,
      reminder: reminder(item),
    };
  }

  function fill(element, { id, kind, picture, isLocked, revision, share, type }) {
    const name = isLocked ? "lock" : share ? "members" : type === issuedType ? "check" : kind === "folder" ? "folder" : kind === "note" ? "sign" : "document";
    $("use", element).setAttribute("href", symbol(name));
    // What can be changed of a locked item is known once it is open.
    $("[data-act=menu]", element).hidden = isLocked || !page.vault()?.mayWrite;
    const blob = picture && pictureOf(picture);
    if (!blob) return;
    const key = `${id} ${revision}`;
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

/** That something expires soon, or has. */
export function reminder({ expires }) {
  if (!expires || expires > now() + reminderTime) return "";
  return expires < now() ? t`Expired on ${day(expires)}` : t`Expires on ${day(expires)}`;
}
