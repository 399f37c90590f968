// The document of a transaction, byte for byte what was signed.

import { api } from "../shell/api.js";

/** `{content, mediaType}`: a PDF says so in its first bytes, everything else here is a page. */
export async function signedDocument(id) {
  const content = await api.bytes(`/api/signings/${encodeURIComponent(id)}/document`);
  const isPDF = new TextDecoder("latin1").decode(content.subarray(0, 1024)).includes("%PDF-");
  return { content, mediaType: isPDF ? "application/pdf" : "text/html" };
}
