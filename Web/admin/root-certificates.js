// The two certificates that the root gives: the main administrator's, which she renews here, and the status signer's.
// What happens when one ends: docs/keys.md, "Certificates that end".

import { use } from "../accounts/keys.js";
import { api } from "../shell/api.js";
import { b64u, call, fromB64u, text } from "../shell/core.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { now } from "./certified.js";
import { sha256 } from "./signing.js";

/** From when on an end is said, in seconds before it. */
const warning = 60 * 86_400;

/** Whether something that ends at `ends` is to be renewed now. */
export const isEnding = (ends) => ends - now() < warning;

/**
 * The main administrator's certificate.
 *
 * @returns `{certificate, ends, isHere}`: DER in base64url, seconds since 1970 (0 when it has ended), and whether the key
 *   is in this browser
 */
export async function ownCertificate({ record }) {
  const { items: [certificate] } = await api.get("/api/authority");
  const path = await valid("authority", { root: record.trust.root, certificate });
  return { certificate, ends: path?.not_after ?? 0, isHere: path?.public_key === record.publicKeys.authority };
}

/** When the certificate of the status signer ends, as its newest token brings it; null when there is no token yet. */
export async function signerEnds({ record }) {
  const token = await api.text("/status/1").catch((error) => {
    if (error.kind !== "not-found") throw error;
  });
  if (!token) return null;
  const { x5c } = JSON.parse(text(fromB64u(token.split(".")[0])));
  const chain = x5c.map((der) => b64u(Uint8Array.from(atob(der), (character) => character.charCodeAt(0))));
  return (await valid("chain", { root: record.trust.root, chain, purpose: "status" }))?.not_after ?? 0;
}

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

/** What the core says of it, or null when it has ended; anything else that is wrong with it is thrown. */
async function valid(name, parameters) {
  try {
    return (await call(name, { ...parameters, time: now() })).value;
  } catch (error) {
    if (error.code === "certificate_expired") return null;
    throw error;
  }
}
