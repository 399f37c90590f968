// The trash: what was deleted, and until when it can be put back.

import { $, busy, clone, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { destroyItem } from "./changing.js";

/** Draws what is in the trash of the vault that is open. `drawn` is called after a change. */
export function drawTrash(vault, drawn) {
  const items = vault.trashed();
  $("#trashed").replaceChildren(...items.map((item) => {
    const element = clone("trash-row", { ...item, ends: item.trashed + vault.limits.trash_days * 86_400 });
    const on = (act, run) => {
      const button = $(`[data-act=${act}]`, element);
      button.addEventListener("click", () => busy(button, async () => { if (await run() !== false) drawn(); }));
    };
    on("restore", async () => {
      await vault.restore(item.id);
      notice("success", t`${item.name} is back in its folder.`);
    });
    on("remove", () => destroyItem(vault, item));
    return element;
  }));
  $("#trash-empty").hidden = items.length > 0;
}
