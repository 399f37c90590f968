// Finds clients by name.

import { api } from "../shell/api.js";
import { asSearch } from "../shell/text.js";
import { nameOf, tools } from "./words.js";

/** @returns `[{title, detail, href}]` */
export async function find(words) {
  const { items } = await api.get(`/api/clients?${new URLSearchParams({ q: asSearch(words), limit: 5 })}`);
  return items.map((one) => ({
    title: nameOf(one), detail: tools[one.tool] ?? "", href: `/desk/client#${encodeURIComponent(one.id)}`,
  }));
}
