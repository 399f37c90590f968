// Finds the holder's own documents by type and issuer.

import { nameOf } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { plain } from "../shell/list-source.js";
import { typeTitle } from "../shell/text.js";

/** @returns `[{title, detail, href}]`, newest first */
export async function find(words) {
  const wanted = plain(words).split(/\s+/);
  const { items } = await api.get("/api/documents?limit=1000");
  const has = (info) => wanted.every((word) => plain(`${typeTitle(info.type)} ${nameOf(info.issuer)}`).includes(word));
  return items.filter(has).map((info) => ({
    title: typeTitle(info.type), detail: nameOf(info.issuer), href: `/wallet/document#${encodeURIComponent(info.id)}`,
  }));
}
