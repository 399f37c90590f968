// The main administrator's console says early when a certificate ends that only the root renews.

import { $, clone, day } from "../shell/dom.js";
import { count } from "../shell/text.js";
import { now } from "./certified.js";
import { isEnding, ownCertificate, signerEnds } from "./root-certificates.js";

/** Shows what ends soon, above everything else. */
export async function showEndingCertificates(me) {
  if (!me.may("delegate") || !me.record) return;
  const [own, signer] = await Promise.all([ownCertificate(me), signerEnds(me)]);
  const ending = [];
  if (isEnding(own.ends)) {
    ending.push({
      text: `Your certificate ${when(own.ends)}. Without it you can certify nobody, and new signatures of administrators do not verify.`,
      action: "Renew it", href: "/console/settings#own-certificate",
    });
  }
  if (signer !== null && isEnding(signer)) {
    ending.push({
      text: `The certificate of the status signer ${when(signer)}. Without it no verifier can tell whether a document was revoked. `
        + "The server cannot renew it while the root is offline: its operator runs “countersign admin root renew”.",
      action: "", href: "",
    });
  }
  $("#ending").replaceChildren(...ending.map((one) => clone("ending-certificate", one)));
  $("#ending").hidden = ending.length === 0;
}

function when(ends) {
  if (ends <= now()) return "has ended";
  return `ends on ${day(ends)}, in ${count(Math.floor((ends - now()) / 86_400), "day")}`;
}
