// How much of a list is shown, in words: what stands above its rows.

import { locale, t } from "./translate.js";

/**
 * @param number of rows shown
 * @param isLast whether no others come after them
 * @param count how many there are, `{total, is_more}`, if the server has counted them
 * @param isNarrow whether the list may have others that this question does not find
 * @param things so many rows in words
 */
export function placeWords({ number, isLast, count, isNarrow, things }) {
  const { total, is_more: isMore } = count ?? {};
  const shown = number.toLocaleString(locale);
  return number === 0 ? (isNarrow ? t`Nothing found` : "")
    : isLast ? things(number)
      : isMore ? t`${shown} of more than ${things(total)}`
        : total > number ? t`${shown} of ${things(total)}{#rows}` : t`The first ${things(number)}`;
}
