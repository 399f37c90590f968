// Status list tokens: what a verifier reads whether a document was revoked. They go along with what is shown, as fresh
// as can be; without a network the ones that were fetched last.

import { now } from "../accounts/mine.js";
import { get, put } from "../accounts/store.js";
import { api, Problem } from "../shell/api.js";
import { t } from "../shell/translate.js";

const place = (uri) => `status ${uri}`;

/** Tokens of these lists, each list once, all of them fresh. They come from the document's own organisation only. */
export async function fetchStatus(uris, owner) {
  const base = `${owner.trust.publicURL}/status/`;
  const tokens = [];
  for (const uri of new Set(uris)) {
    const list = uri.slice(base.length);
    if (!uri.startsWith(base) || !/^[0-9]{1,18}$/.test(list)) {
      throw new Problem("bad-document", { detail: t`This document says that its status is kept somewhere else.` });
    }
    const token = await api.text(`/status/${list}`);
    await put("settings", place(uri), { token, at: now() });
    tokens.push(token);
  }
  return tokens;
}

/** Fresh tokens or, without a network, those that are here, perhaps none: `{tokens, isFresh}`. */
export async function statusTokens(uris, owner) {
  try {
    return { tokens: await fetchStatus(uris, owner), isFresh: true };
  } catch (problem) {
    if (problem.kind !== "offline") throw problem;
    const kept = await Promise.all([...new Set(uris)].map((uri) => get("settings", place(uri))));
    return { tokens: kept.filter(Boolean).map(({ token }) => token), isFresh: false };
  }
}
