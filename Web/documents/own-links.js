// The person's own links to one document.

import { $ } from "../shell/dom.js";
import { draw } from "../shell/link-list.js";
import { newest } from "../shell/newest.js";
import { sideTools } from "../shell/side-tools.js";
import { linksPath, stop } from "./sharing.js";
import { linkKinds, numberOfLinks } from "./words.js";

/** Shows the links to a document, when there is one. */
export async function showLinks(part, document) {
  const list = $("ul", part);
  const path = linksPath(document);
  const tools = sideTools(list, { path, kinds: linkKinds, things: numberOfLinks, show });
  async function show() {
    const items = await newest(list, path, show, tools);
    part.hidden = items.length === 0 && !tools.isNarrow();
    draw(list, items, stop, show);
  }
  await show();
}
