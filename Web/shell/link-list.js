// Links with a code: how often each was opened, until when it works, and how to stop it.

import { ask } from "./ask.js";
import { $, busy, clone, make, notice } from "./dom.js";
import { redraw } from "./redraw.js";
import { focusIn } from "./rows.js";
import { plural, t } from "./translate.js";

const now = () => Math.floor(Date.now() / 1000);

/**
 * How a list shows links (rows.js, list-view.js).
 *
 * A link may have the `title` of what it leads to, its `document` or the `item` of an open vault, and `is_stoppable`.
 *
 * @param stop stops the link of an id at the server
 * @param again shows what there is after a change
 */
export const linkRow = (stop, again) => ({
  template: "link-row",
  // The time is a part of what a row shows: a link runs out by itself.
  present: (link) => ({ ...link, state: stateOf(link) }),
  values,
  fill: (element, link) => fillRow(element, link, stop, again),
});

/** Draws links: for a list that is read as a whole. @param stop, again see `linkRow` */
export function draw(list, items, stop, again) {
  const key = list.contains(document.activeElement) && document.activeElement.closest("[data-key]")?.dataset.key;
  const { template, present, fill } = linkRow(stop, again);
  redraw(list, items.map(present), (link) => {
    const element = clone(template, values(link));
    fill(element, link);
    return element;
  });
  // Its button had the focus, and has gone with the link that it stopped.
  const same = key && !list.contains(document.activeElement) && [...list.children].find(({ dataset }) => dataset.key === key);
  if (same) focusIn(same);
}

function stateOf(link) {
  if (link.stopped_by_wrong_codes) return { word: t`Wrong codes`, badge: "bad", isOpen: false };
  if (link.stopped) return { word: t`Stopped`, badge: "", isOpen: false };
  if (link.expires <= now()) return { word: t`Run out`, badge: "", isOpen: false };
  if (link.views >= link.maximum_views) return { word: t`Used up`, badge: "", isOpen: false };
  return { word: t`Works`, badge: "good", isOpen: true };
}

/** Where a link leads; empty when that has gone. */
function target({ item, document }) {
  return item ? `#item=${item}` : document ? `/wallet/document#${encodeURIComponent(document)}` : "";
}

function values(link) {
  const { isOpen } = link.state;
  return {
    title: plural(link.views, "Opened {0} time of {1}", "Opened {0} times of {1}", link.maximum_views),
    document: link.title, isAlone: !link.title,
    href: target(link),
    created: link.created,
    until: link.stopped ? t`stopped` : isOpen ? t`works until` : t`worked until`,
    end: link.stopped ?? link.expires,
    isOpen: isOpen && link.is_stoppable !== false,
  };
}

function fillRow(element, link, stop, again) {
  const { word, badge } = link.state;
  if (!target(link) && link.title) $("a", element).replaceWith(make("span", { class: "title", dir: "auto" }, link.title));
  const mark = $("[data-badge]", element);
  mark.textContent = word;
  if (badge) mark.classList.add(badge);
  const button = $("button", element);
  button.addEventListener("click", () => busy(button, async () => {
    const answered = await ask({
      title: t`Stop this link?`,
      text: t`Nobody can open it any more, from now on. Anyone who has opened it keeps the file.`,
      confirm: t`Stop it`, cancel: t`Leave it`, danger: true,
    });
    if (!answered) return;
    await stop(link.id);
    notice("success", t`The link is stopped.`);
    await again();
  }));
}
