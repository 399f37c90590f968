// Pages of a list put together: what was loaded stays while its first page is read again.

/**
 * The rows to show after the first page was read again: it replaces the old first page, and later rows stay.
 *
 * @param loaded `{items, next}` as shown until now
 * @param first `{items, next}`, the first page as it is now
 * @param key of an item
 * @returns `{items, next}`
 */
export function refreshed(loaded, first, key) {
  if (!first.next) return { items: first.items, next: null };
  const known = new Map(loaded.items.map((item, index) => [key(item), index]));
  const last = first.items.findLast((item) => known.has(key(item)));
  // So much is new that the two do not meet: nobody knows what is between them.
  if (!last) return { items: first.items, next: first.next };
  const now = new Set(first.items.map(key));
  const rest = loaded.items.slice(known.get(key(last)) + 1).filter((item) => !now.has(key(item)));
  return { items: [...first.items, ...rest], next: rest.length === 0 ? first.next : loaded.next };
}

/** The rows with another page after them; a row that has moved in between is there once. */
export function continued(loaded, page, key) {
  const known = new Set(loaded.items.map(key));
  return { items: [...loaded.items, ...page.items.filter((item) => !known.has(key(item)))], next: page.next ?? null };
}
