// Finds the requests of members by their names.

import { person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { asSearch, typeTitle } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { requestStates } from "./words.js";

/** @returns `[{title, detail, href}]`, newest first */
export async function find(words) {
  const { items } = await api.get(`/api/requests?${new URLSearchParams({ show: "all", q: asSearch(words), limit: 5 })}`);
  return items.map((one) => ({
    title: t`${typeTitle(one.type)} for ${person(one.member)}`, detail: requestStates[one.state]?.word ?? one.state,
    href: `/console?${new URLSearchParams({ show: "all", q: one.member.username })}`,
  }));
}
