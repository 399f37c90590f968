// The person's own links to documents.

import { $ } from "../shell/dom.js";
import { draw } from "../shell/link-list.js";
import { newest } from "../shell/newest.js";
import { linksPath, stop } from "./sharing.js";

/** Shows the links to a document, when there is one. */
export async function showLinks(part, document) {
  const list = $("ul", part);
  const show = async () => {
    const items = await newest(list, linksPath(document), show);
    part.hidden = items.length === 0;
    drawLinks(list, items, show);
  };
  await show();
}

/** Draws the person's own links. @param again shows what there is after a change */
export const drawLinks = (list, items, again) => draw(list, items, stop, again);
