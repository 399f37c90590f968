// Where somebody arrives in the open vault: the focus goes there, and the page's title says which view it is. A list that an item was
// opened from is found again as it was left.

import { $ } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** The page's own title. A browser keeps titles in its history: so none has the name of an item or a folder. */
const own = document.title;
/** The view that is shown: `{view, id}`, `id` is the folder or the item. */
let here = null;
/** The row that was opened: its key, the folder and the number that it had there, and how far down the window it was. */
let left = null;

/** Forgets where somebody was: the vault locks. */
export function leave() {
  here = left = null;
  document.title = own;
}

/** Minds where a list is before another view takes its place. */
export function depart({ view, id }) {
  if (here?.view !== "folder" || view !== "item") return;
  const rows = [...$("#items").children];
  const index = rows.findIndex(({ dataset }) => dataset.key === id);
  left = index < 0 ? null : { key: id, folder: here.id, index, top: rows[index].getBoundingClientRect().top };
}

/** A view is drawn: if it is another one than before, the focus goes to it. */
export function arrive(place, isTop) {
  const before = here;
  if (before?.view === place.view && before.id === place.id) return;
  here = place;
  document.title = [...titleOf(place.view, isTop), own].join(" · ");
  // An item has the focus before what is in it has come: viewing.js.
  if (place.view === "item" || (before?.view === "item" && isBack(before))) return;
  heading()?.focus();
}

const titleOf = (view, isTop) => (
  view === "item" ? [t`Item`] : view !== "folder" ? [$(`#${view}-title`).textContent] : isTop ? [] : [t`Folder`]);

/** What the present view is called, on the page. */
const heading = () => $(here?.view === "folder" ? "#path [aria-current]" : `#${here?.view}-title`);

/** Goes back to the row of an item that was closed, or to the one in its place when it has gone. Returns whether there is one. */
function isBack({ id }) {
  if (left?.key !== id) return false;
  const rows = [...$("#items").children];
  const row = rows.find(({ dataset }) => dataset.key === id) ?? (left.folder === here.id ? rows[left.index] ?? rows.at(-1) : undefined);
  if (!row) return false;
  scrollBy({ top: row.getBoundingClientRect().top - left.top, behavior: "instant" });
  $(".title", row).focus();
  return true;
}

/** What had the focus has gone, or is another element now: the focus stays in the view. */
export function keepFocus(had) {
  if (here && had !== document.body && !had.checkVisibility() && document.activeElement === document.body) heading()?.focus({ preventScroll: true });
}
