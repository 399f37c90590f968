// Finds issued documents by the names of their holders.

import { person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { asSearch, typeTitle } from "../shell/text.js";
import { t } from "../shell/translate.js";

/** @returns `[{title, detail, href}]`, newest first */
export async function find(words) {
  const { items } = await api.get(`/api/documents?${new URLSearchParams({ issued: true, q: asSearch(words), limit: 5 })}`);
  return items.map((one) => ({
    title: t`${typeTitle(one.type)} of ${person(one.holder)}`, detail: one.revoked ? t`Revoked` : t`Valid`,
    href: `/console/documents?${new URLSearchParams({ q: one.holder.username })}`,
  }));
}
