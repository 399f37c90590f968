// The trash: what was deleted, and until when it can be put back.

import { $, busy, clone } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { destroyItem } from "./changing.js";
import { tell } from "./telling.js";

/** Draws what is in the trash of a vault: `home`, that was opened, or one behind a folder of it. `drawn` is called after a change. */
export function drawTrash(vault, home, drawn) {
  const items = vault.trashed();
  $("#trashed").replaceChildren(...items.map((item) => {
    const element = clone("trash-row", { ...item, ends: item.trashed + vault.limits.trash_days * 86_400 });
    const on = (act, run) => {
      const button = $(`[data-act=${act}]`, element);
      button.addEventListener("click", () => busy(button, async () => { if (await run() !== false) drawn(); }));
    };
    on("restore", async () => {
      await vault.restore(item.id);
      tell("success", t`${item.name} is back in its folder.`);
    });
    on("remove", () => destroyItem(vault, item, home));
    return element;
  }));
  $("#trash-empty").hidden = items.length > 0;
}
