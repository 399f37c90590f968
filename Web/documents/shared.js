// All links that the account has made, to whichever document.

import { listed } from "../accounts/mine.js";
import { $ } from "../shell/dom.js";
import { showAge, start } from "../shell/frame.js";
import { newest } from "../shell/newest.js";
import { typeTitle } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { drawLinks } from "./own-links.js";
import { linksPath } from "./sharing.js";

const run = start(load, ["document"]);

async function load() {
  const [documents, items] = await Promise.all([
    listed("/api/documents"), newest($("#links"), linksPath(), () => run()),
  ]);
  showAge([documents]);
  const titles = new Map(documents.items.map(({ id, type }) => [id, typeTitle(type)]));
  $("#none").hidden = items.length > 0;
  const titleOf = (one) => titles.get(one.document) ?? t`A document that is deleted`;
  drawLinks($("#links"), items.map((one) => ({ ...one, title: titleOf(one) })), run);
}
