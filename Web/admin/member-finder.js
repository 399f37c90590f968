// Finds accounts by name and username.

import { isErased, nameOf, roles } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { asSearch } from "../shell/text.js";

/** @returns `[{title, detail, href}]` */
export async function find(words) {
  const { items } = await api.get(`/api/members?${new URLSearchParams({ q: asSearch(words), limit: 5 })}`);
  return items.filter((one) => !isErased(one)).map((one) => ({
    title: nameOf(one), detail: `${one.username} · ${roles[one.role]}`, href: `/console/members?${new URLSearchParams({ q: one.username })}`,
  }));
}
