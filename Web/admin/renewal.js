// Renewing the main administrator's certificate.

import { use } from "../accounts/keys.js";
import { api } from "../shell/api.js";
import { fromB64u, sha256 } from "../shell/core.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { now } from "./certified.js";
import { valid } from "./root-certificates.js";

/**
 * Has the root certify the main administrator's key again. The key that is certified signs that, over the certificate
 * that it renews: it works once.
 *
 * @returns when the new certificate ends
 */
export async function renew({ record }, { certificate }) {
  const { trust, username, publicKeys: { authority: key } } = record;
  const proof = await use(t`Renew your certificate`, async (k) => k.jws("countersign-renewal+jwt", {
    aud: trust.publicURL, username, previous: await sha256(fromB64u(certificate)), authority_key: key, iat: now(),
  }, { authority: true }));
  const answer = await once(
    t`your certificate was renewed`, () => api.post("/api/authority/renewal", { authority_key: key, proof }),
    async () => {
      const { items: [present] } = await api.get("/api/authority");
      return present === certificate ? undefined : { certificate: present };
    });
  const renewed = await valid("authority", { root: trust.root, certificate: answer.certificate });
  if (renewed?.public_key !== key) {
    throw new Error(t`The server shows a certificate that is not for your key. Tell its operator.`);
  }
  const members = { certificate: await sha256(fromB64u(answer.certificate)) };
  // After a lost answer there is no receipt, but the certificate that the server shows.
  if (answer.receipt) await verifyReceipt(trust, answer.receipt, "certificate.renewed", members);
  return renewed.not_after;
}
