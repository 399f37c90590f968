// Earlier states of a file: looked at, and put back.

import { $, busy, bytes, make, time } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { openVersion } from "./content.js";
import { tell } from "./telling.js";
import { thumbnailOf } from "./thumbnails.js";
import { Transfer } from "./transfers.js";
import { untilLocked } from "./until-locked.js";
import { saveCopy } from "./viewing.js";

/** Shows the states of a file in a dialog. Their sizes and times are sealed: the server knows only how long they are sealed. */
export async function show(vault, item, drawn) {
  const { key, record } = vault.node(item.id);
  const states = await Promise.all(record.versions.slice(1).map((one) => openVersion(vault.compartment, key, one)));
  // It was locked meanwhile: nothing comes up then.
  if ($("#opened").hidden) return;
  const title = make("h2", { id: "versions-title" }, t`Earlier states of ${item.name}`);
  const close = make("button", { type: "button", class: "button", onclick: () => dialog.close() }, t`Close`);
  const button = (words, act) => {
    const element = make("button", { type: "button", class: "button quiet" }, words);
    element.addEventListener("click", () => busy(element, act));
    return element;
  };
  const rows = states.map((version, index) => make("li", { class: "item" },
    make("div", {}, make("span", { class: "title" }, time(Math.floor(version.created / 1000))), make("span", { class: "meta" }, bytes(version.size))),
    make("div", { class: "actions" },
      button(t`Save a copy`, () => saveCopy(vault, item, { number: index + 1, size: version.size })),
      button(t`Put it back`, async () => {
        const blob = await untilLocked((signal) => vault.blob(item, { number: index + 1, signal }));
        if (!blob) return;
        await vault.replace(item.id, blob, await thumbnailOf(blob), new Transfer(item.name));
        dialog.close();
        tell("success", t`${item.name} is as it was. The state before is kept.`);
        drawn();
      }))));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id },
    make("div", { class: "stack" }, title, make("ul", { class: "list" }, ...rows), make("div", { class: "actions" }, close))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
