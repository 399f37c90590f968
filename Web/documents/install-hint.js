// Offers once, and modestly, to install the wallet as an app.

import { get, put } from "../accounts/store.js";
import { $, busy, notice } from "../shell/dom.js";
import { install, onInstallable } from "../shell/install.js";
import { t } from "../shell/translate.js";

const declined = "install declined";

const words = {
  prompt: t`Install the wallet as an app: it opens from your home screen, and without a network too.`,
  "share-menu": t`Put the wallet on your home screen: open the browser's share menu and choose “Add to Home Screen”.
    It then opens without a network too.`,
};

/** Shows the hint in `place` when this browser can install, and the person has not said no. */
export function offerInstall(place) {
  onInstallable(async (way) => {
    if (await get("settings", declined)) return;
    place.hidden = false;
    $("p", place).textContent = words[way];
    const button = $("#install-button", place);
    button.hidden = way !== "prompt";
    button.addEventListener("click", () => busy(button, async () => {
      place.hidden = true;
      if (await install()) notice("success", t`Installed. You find it among your apps.`);
    }));
    $("#install-later", place).addEventListener("click", async () => {
      place.hidden = true;
      await put("settings", declined, true);
    });
  });
}
