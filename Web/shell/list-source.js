// Where the rows of a list come from, page by page: from the server (docs/http.md, "Lists"), or from what is here already.
//
// A source has `page({show, q}, {cursor, limit, signal})`, which answers `{items, next, counts}`, and may have
// `csv({show, q})`, the address of the same rows as a file.

import { api } from "./api.js";

/** A list at the server. @param more further parameters as they are now, such as filters; empty ones are left out */
export function serverList(path, more = () => ({})) {
  const address = (values) => {
    const given = Object.entries({ ...more(), ...values }).filter(([, value]) => value !== undefined && value !== "");
    return `${path}?${new URLSearchParams(given)}`;
  };
  return {
    page: (asked, { cursor, limit, signal }) => api.get(address({ ...asked, cursor, limit }), { signal }),
    csv: (asked) => address({ ...asked, format: "csv" }),
  };
}

/**
 * A list that is here as a whole, because it is short, or kept for the times without a network.
 *
 * @param items gives all of them
 * @param kinds `[{name, has(item)}]`
 * @param texts of an item that are searched
 */
export function localList(items, kinds, texts, key = (item) => item.id) {
  return {
    async page({ show, q }, { cursor, limit }) {
      const found = items().filter((item) => matches(q, ...texts(item)));
      const part = found.filter(kinds.find(({ name }) => name === show)?.has ?? (() => true));
      const begin = cursor ? part.findIndex((item) => String(key(item)) === cursor) + 1 : 0;
      const shown = part.slice(begin, begin + limit);
      return {
        items: shown, next: begin + limit < part.length ? String(key(shown.at(-1))) : null,
        counts: kinds.map(({ name, has }) => ({ show: name, total: found.filter(has).length, is_more: false })),
      };
    },
  };
}

/** Whether an item has all words of a search in any of its texts; case and accents do not matter. */
function matches(search, ...texts) {
  const hay = plain(texts.filter(Boolean).join(" "));
  return plain(search).split(/\s+/).every((word) => hay.includes(word));
}

/** A text as it is searched: without case and accents. */
export function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}
