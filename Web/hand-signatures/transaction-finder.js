// Finds transactions by the client's name.

import { api } from "../shell/api.js";
import { time } from "../shell/dom.js";
import { asSearch } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { clientName, signingStates } from "./words.js";

/** @returns `[{title, detail, href}]`, newest first */
export async function find(words) {
  const { items } = await api.get(`/api/signings?${new URLSearchParams({ q: asSearch(words), limit: 5 })}`);
  return items.map((one) => ({
    title: t`“${one.document_name}”, ${clientName(one)}`, detail: `${signingStates[one.state]?.word ?? one.state}, ${time(one.created)}`,
    href: `/desk/transaction#${encodeURIComponent(one.id)}`,
  }));
}
