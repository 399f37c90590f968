// The main administrator's console says early when a certificate ends that only the root renews.

import { $, clone, day } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { now } from "./certified.js";
import { isEnding, ownCertificate, signerEnds } from "./root-certificates.js";

/** Shows what ends soon, above everything else. */
export async function showEndingCertificates(me) {
  if (!me.may("delegate") || !me.record) return;
  const [own, signer] = await Promise.all([ownCertificate(me), signerEnds(me)]);
  const ending = [];
  if (isEnding(own.ends)) {
    ending.push({
      text: `${ownEnd(own.ends)} ${t`Without it you can certify nobody, and new signatures of administrators do not verify.`}`,
      action: t`Renew it`, href: "/console/settings#own-certificate",
    });
  }
  if (signer !== null && isEnding(signer)) {
    ending.push({
      text: `${signerEnd(signer)} ${t`Without it no verifier can tell whether a document was revoked. The server cannot renew
        it while the root is offline: its operator runs “countersign admin root renew”.`}`,
      action: "", href: "",
    });
  }
  $("#ending").replaceChildren(...ending.map((one) => clone("ending-certificate", one)));
  $("#ending").hidden = ending.length === 0;
}

const daysUntil = (ends) => Math.floor((ends - now()) / 86_400);

const ownEnd = (ends) => (ends <= now() ? t`Your certificate has ended.` : plural(
  daysUntil(ends), "Your certificate ends on {1}, in {0} day.",
  "Your certificate ends on {1}, in {0} days.", day(ends)));

const signerEnd = (ends) => (ends <= now() ? t`The certificate of the status signer has ended.` : plural(
  daysUntil(ends), "The certificate of the status signer ends on {1}, in {0} day.",
  "The certificate of the status signer ends on {1}, in {0} days.", day(ends)));
