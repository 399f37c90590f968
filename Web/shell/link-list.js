// Links with a code: how often each was opened, until when it works, and how to stop it.

import { $, ask, busy, clone, notice } from "./dom.js";
import { redraw } from "./redraw.js";
import { count } from "./text.js";

const now = () => Math.floor(Date.now() / 1000);

/**
 * Draws links.
 *
 * @param items may have the `title` of their document, and `is_stoppable` @param stop stops the link of an id at the server
 * @param again shows what there is after a change
 */
export function draw(list, items, stop, again) {
  // The time is a part of what a row shows: a link runs out by itself.
  redraw(list, items.map((one) => ({ ...one, state: stateOf(one) })), (one) => row(one, stop, again));
}

function stateOf(link) {
  if (link.stopped) return { word: "Stopped", badge: "", isOpen: false };
  if (link.expires <= now()) return { word: "Run out", badge: "", isOpen: false };
  if (link.views >= link.maximum_views) return { word: "Used up", badge: "", isOpen: false };
  return { word: "Works", badge: "good", isOpen: true };
}

function row(link, stop, again) {
  const { word, badge, isOpen } = link.state;
  const element = clone("link-row", {
    title: `Opened ${count(link.views, "time")} of ${link.maximum_views}`, document: link.title, isAlone: !link.title,
    href: `/wallet/document#${encodeURIComponent(link.document)}`,
    created: link.created,
    until: link.stopped ? "stopped" : isOpen ? "works until" : "worked until",
    end: link.stopped ?? link.expires,
    isOpen: isOpen && link.is_stoppable !== false,
  });
  const mark = $("[data-badge]", element);
  mark.textContent = word;
  if (badge) mark.classList.add(badge);
  const button = $("button", element);
  button.addEventListener("click", () => busy(button, async () => {
    const answered = await ask({
      title: "Stop this link?",
      text: "Nobody can open it any more, from now on. Anyone who has opened it keeps the file.",
      confirm: "Stop it", cancel: "Leave it", danger: true,
    });
    if (!answered) return;
    await stop(link.id);
    notice("success", "The link is stopped.");
    await again();
  }));
  return element;
}
