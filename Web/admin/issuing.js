// Delivers the signed document: once, even on a bad network, and believed only with its receipt.

import { api } from "../shell/api.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { upload } from "../shell/upload.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { now } from "./certified.js";
import { issuedAs } from "./issued.js";

/** The server takes a statement for five minutes; it is signed again a little earlier. */
const freshness = 240;

/** What was signed has waited too long. */
export class Outdated extends Error {
  constructor() {
    super(t`Your signature has waited too long to be sent. Sign again.`);
  }
}

/**
 * Sends the signed answer to a request and verifies the receipt.
 *
 * @param signed `{issuance, digest, time}`
 * @returns `{info, act}`: the document as the server lists it, and the log's entry
 */
export async function deliver(path, signed, trust, onStage) {
  signed.time ??= now();
  if (now() - signed.time > freshness) throw new Outdated();
  onStage(t`Sending`, 0);
  const info = await once(
    t`the document was sent`,
    () => upload(`${path}/issue`, signed.issuance, (part) => onStage(part < 1 ? t`Sending` : t`Waiting for the log's receipt`, part < 1 ? part : undefined)),
    () => find(path, signed.digest));
  await onStage(t`Checking the receipt`);
  const act = await verifyReceipt(trust, info.receipt, "document.issued", { credential: signed.digest });
  return { info, act };
}

/** The document, when it has arrived after all. */
async function find(path, digest) {
  const request = await api.get(path);
  if (request.state !== "issued") return undefined;
  return issuedAs(digest, request.member);
}
