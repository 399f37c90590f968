// Signing a credential and sealing it with its file to the holder: WalletClient+Issuing.swift, in the page.
//
// The core builds the bytes, the authority key signs them behind biometrics, WebCrypto seals. The server gets a sealed
// package that it cannot open, and a statement that this and nothing else answers that request.

import { b64u, call, sha256, utf8 } from "../shell/core.js";
import { sealJWE } from "../accounts/jose.js";
import { t } from "../shell/translate.js";
import { now } from "./certified.js";

const packageType = "countersign-package+jwe";
const issuanceType = "countersign-issuance+jwt";

/**
 * Signs and seals; everything under one touch of the person, so `k` is what `keys.use` gives.
 *
 * @param draft `{type, issuerName, subject, device, status, fields, file, expires, chain, evidence}`: `subject` is the id of the
 *   request or check, `issuerName` the organisation's name today, `device` holds the holder's public keys, `file` is `{name, mediaType, content}` or null,
 *   `evidence` is `{paper, holder_statement}` for an identity credential
 * @param trust as pinned
 * @param onStage called with the present step; the work waits for it, so that the page can show the step first
 * @returns `{issuance, digest}`: the body for the server, and the credential's digest
 */
export async function signAndSeal(k, draft, trust, onStage = () => {}) {
  await onStage(t`Signing`);
  const time = now();
  const files = draft.file ? [draft.file.content] : [];
  const { blobs: [input, rest] } = await call("draft", {
    issuer: trust.publicURL, issuer_name: draft.issuerName, time, type: draft.type, holder_key: draft.device.signing_key, status: draft.status,
    fields: draft.fields, chain: draft.chain,
    ...(draft.expires ? { expires: draft.expires } : {}),
    ...(draft.file ? { document: { name: draft.file.name, media_type: draft.file.mediaType } } : {}),
  }, crypto.getRandomValues(new Uint8Array(4096)), ...files);
  const signature = b64u(await k.authoritySign(input));
  const { value: { credential_digest: digest }, blobs: [plain] } = await call("draft_finish", { signature }, input, rest, ...files);
  await onStage(t`Sealing`);
  const sealed = await sealJWE(plain, draft.device.encryption_key, packageType);
  const statement = await k.jws(issuanceType, {
    aud: trust.publicURL, subject: draft.subject, credential: digest, sealed: await sha256(utf8(sealed)),
    status_uri: draft.status.uri, status_index: draft.status.index, iat: time, ...draft.evidence,
  }, { authority: true });
  return { issuance: { sealed, credential_digest: digest, statement }, digest };
}
