// Opening a document: fetched sealed, opened by this device's key, and verified completely against what this browser
// pinned. A document that does not verify is not shown.

import { device, use } from "../accounts/keys.js";
import { nameOf } from "../accounts/names.js";
import { Problem } from "../shell/api.js";
import { call } from "../shell/core.js";
import { typeTitle } from "../shell/text.js";
import { language, t } from "../shell/translate.js";
import { inWords } from "../verification/reasons.js";
import { sealedPackage } from "./kept.js";
import { fetchStatus } from "./status.js";

const packageType = "countersign-package+jwe";

/**
 * Opens a document with the person's face or finger.
 *
 * @param info as the server lists it
 * @returns Core's description of it (`claims, fields, signer, issued_at, expires_at?, act, status_uris, document?`),
 *   and `info`, `owner`, `credential` and, when there is a file, `content`, as bytes
 */
export async function open(info) {
  const owner = await device();
  const sealed = await sealedPackage(info);
  const plain = await use(t`Open this document: ${typeTitle(info.type)}, signed by ${nameOf(info.issuer)}`,
    (k) => k.open(sealed, packageType));
  const { value, blobs } = await call("open_package", {
    root: owner.trust.root,
    log_key: owner.trust.logKey,
    signing_key: owner.publicKeys.signing,
    type: info.type,
    credential_digest: info.credential_digest,
    receipt: info.receipt.proof,
    language,
  }, plain).catch((error) => { throw refused(error); });
  // While there is a network: showing the document later should work without one.
  fetchStatus(value.status_uris, owner).catch((problem) => console.info("no fresh status:", problem.message));
  return { ...value, info, owner, credential: blobs[0], content: value.document ? blobs[1] : null };
}

/** The fault that the core found, in the language of the page, or by its code. */
const reasonOf = ({ code, message }) => (language === "en" ? message : inWords(code, `(${code})`));

function refused(error) {
  if (error.code === "unavailable" || error.code === "trap") return error;
  return new Problem("bad-document", {
    detail: t`This document does not pass its check, so it is not shown. ${reasonOf(error)} Tell the administrator
      who sent it.`,
    cause: error,
  });
}
