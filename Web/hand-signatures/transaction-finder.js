// Finds transactions by the client's name.

import { api } from "../shell/api.js";
import { time } from "../shell/dom.js";
import { asSearch } from "../shell/text.js";
import { signingStates } from "./words.js";

/** @returns `[{title, detail, href}]`, newest first */
export async function find(words) {
  const { items } = await api.get(`/api/signings?${new URLSearchParams({ q: asSearch(words), limit: 5 })}`);
  return items.map((one) => ({
    title: `“${one.document_name}”, ${one.client_name}`, detail: `${signingStates[one.state]?.word ?? one.state}, ${time(one.created)}`,
    href: `/desk/transaction#${encodeURIComponent(one.id)}`,
  }));
}
