// Links: the file encrypted under a key in the link's fragment, which no browser sends to a server (docs/documents.md,
// "Sharing by link"; Sources/Wallet/Flows/SharedLink.swift).

import { api, Problem } from "../shell/api.js";
import { b64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { once } from "../shell/once.js";
import { fits, keyCheck, newKey, purposes, seal } from "../shell/sealed-link.js";

/** Where the server lists the account's links, newest first: all of them, or those to a document. */
export const linksPath = (document) => (document ? `/api/shares?${new URLSearchParams({ document })}` : "/api/shares");

/**
 * The present links to a document, to be asked for before one is made, so that a link whose answer was lost can be found.
 */
export const linksBefore = async (document) => new Set((await api.all(linksPath(document))).map((one) => one.id));

/**
 * Puts a presentation where a verifier can fetch it with link and code.
 *
 * @param opened the document; @param before what `linksBefore` gave; @param lifetime in seconds
 * @returns `{share, link}`; `share.code` is in this answer only
 */
export async function share(file, { owner, info }, before, lifetime, maximumViews) {
  if (!fits(file)) {
    throw new Problem("too-large", {
      detail: t`This is too large for a link, at most 12 MB. Save it as a file instead.`,
    });
  }
  const key = newKey();
  const sealed = await seal(file, key, purposes.presentation);
  const made = await once(
    t`the link was made`,
    async () => api.post("/api/shares", { sealed, lifetime, maximum_views: maximumViews, document: info.id, key_check: await keyCheck(key) }),
    () => stopLost(info.id, (one) => !before.has(one.id) && one.maximum_views === maximumViews && one.expires - one.created === lifetime));
  return { share: made, link: `${owner.trust.publicURL}/s/${made.id}#${b64u(key)}` };
}

/** Stops a link at once. Stopping twice does no harm. */
export const stop = (id) => api.delete(`/api/shares/${encodeURIComponent(id)}`);

/**
 * A link whose answer was lost has a code that nobody knows: it is stopped, and made again when the person wants it.
 */
async function stopLost(document, isLost) {
  for (const one of await api.all(linksPath(document))) {
    if (isLost(one) && !one.stopped) await stop(one.id);
  }
  return undefined;
}
