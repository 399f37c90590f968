// All links that the account has made, to whichever document.

import { listed } from "../accounts/mine.js";
import { $ } from "../shell/dom.js";
import { showAge, start } from "../shell/frame.js";
import { linkRow } from "../shell/link-list.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { typeTitle } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { linksPath, stop } from "./sharing.js";
import { linkKinds, numberOfLinks } from "./words.js";

let titles = new Map();
const row = linkRow(stop, () => view.reload());
const view = listView({
  source: serverList(linksPath()), kinds: linkKinds, things: numberOfLinks, list: $("#links"),
  row: { ...row, present: (link) => ({ ...row.present(link), title: titles.get(link.document) ?? t`A document that is deleted` }) },
  // With no link at all there is nothing to choose from.
  onPage: ({ isNarrow }) => { $("#kinds").hidden = !isNarrow; },
});
let isDrawn = false;
start(load, ["document"]);

async function load() {
  const documents = await listed("/api/documents");
  showAge([documents]);
  titles = new Map(documents.items.map(({ id, type }) => [id, typeTitle(type)]));
  await (isDrawn ? view.reload({ mark: false }) : view.load());
  isDrawn = true;
}
