// The main administrator's own certificate in the settings: until when it is valid, and its renewal.

import { $, busy, day, describe, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { renew } from "./renewal.js";
import { isEnding, ownCertificate } from "./root-certificates.js";

/** Minds the card. */
export async function showOwnCertificate(me) {
  if (!me.may("delegate") || !me.record) return;
  let own = null;
  $("#renew").addEventListener("click", () => busy($("#renew"), async () => {
    try {
      const ends = await renew(me, own);
      notice("success", t`Your certificate is renewed, until ${day(ends)}.`);
    } finally {
      await show();
    }
  }));
  await show().catch((error) => notice("error", describe(error)));
  $("#own-certificate").hidden = false;
  if (location.hash === "#own-certificate") $("#own-certificate").scrollIntoView({ block: "start" });

  async function show() {
    own = await ownCertificate(me);
    const badge = $("#own-badge");
    const [word, kind] = own.ends === 0 ? [t`Ended`, "bad"] : isEnding(own.ends) ? [t`Ends soon`, "wait"] : [t`Valid`, "good"];
    badge.textContent = word;
    badge.className = `badge ${kind}`;
    $("#own-ends").textContent = own.ends === 0 ? t`It has ended: the server's operator renews it with “countersign admin root renew”.`
      : t`It is good until ${day(own.ends)}.`;
    // The key that is certified signs its renewal.
    $("#renew").hidden = own.ends === 0 || !own.isHere;
    $("#own-elsewhere").hidden = own.ends === 0 || own.isHere;
  }
}
