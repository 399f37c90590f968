// The links to a document: how often each was opened, until when it works, and how to stop it.

import { now } from "../accounts/mine.js";
import { $, ask, busy, clone, notice } from "../shell/dom.js";
import { redraw } from "../shell/redraw.js";
import { count } from "../shell/text.js";
import { links, stop } from "./sharing.js";

/** Shows the list, when there is a link. */
export async function showLinks(part, document) {
  const items = await links(document);
  part.hidden = items.length === 0;
  // The time is a part of what a row shows: a link runs out by itself.
  redraw($("ul", part), items.map((one) => ({ ...one, state: stateOf(one) })), (one) => row(one, part, document));
}

function stateOf(link) {
  if (link.stopped) return { word: "Stopped", badge: "", isOpen: false };
  if (link.expires <= now()) return { word: "Run out", badge: "", isOpen: false };
  if (link.views >= link.maximum_views) return { word: "Used up", badge: "", isOpen: false };
  return { word: "Works", badge: "good", isOpen: true };
}

function row(link, part, document) {
  const { word, badge, isOpen } = link.state;
  const element = clone("link-row", {
    title: `Opened ${count(link.views, "time")} of ${link.maximum_views}`,
    created: link.created,
    until: link.stopped ? "stopped" : isOpen ? "works until" : "worked until",
    end: link.stopped ?? link.expires,
    isOpen,
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
    await showLinks(part, document);
  }));
  return element;
}
