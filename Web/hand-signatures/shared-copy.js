// A client opens their copy: asks for the code, and shows what the desk would have printed.

import { $ } from "../shell/dom.js";
import { linkPage } from "../shell/link-page.js";
import { purposes } from "../shell/sealed-link.js";
import { unpacked } from "./copy-link.js";
import { drawCopy } from "./copy-view.js";

linkPage(purposes.copy, async (content, views) => {
  const { signing, ...document } = unpacked(content);
  await drawCopy(signing, document);
  $("#views").textContent = views;
});
