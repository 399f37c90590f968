// What a list has above it that stands beside others on its page (newest.js): a search, its parts with their numbers, how much
// is shown, and the same rows as a file.
//
// Before the element with the rows the page has `shell/side-tools`.

import { $, describe, make, notice } from "./dom.js";
import { latest } from "./events.js";
import { placeWords } from "./place-words.js";
import { locale } from "./translate.js";

/** How long to wait while a person types, in milliseconds. */
const pause = 250;
/** The tools of each list, which outlive its rows. */
const known = new WeakMap();

/**
 * The tools of a list: made once, however often they are asked for.
 *
 * @param list the element that holds the rows
 * @param path of the list at the server
 * @param kinds `[{name, word}]`, values of the query's `show`: the first one has every row and is shown at first
 * @param things so many rows in words
 * @param isSearched whether the server searches it
 * @param show asks for the rows again and draws them
 * @returns `{address, isNarrow, tell}`: where to ask, whether there may be more than this question finds, and what is called with
 *   each answer
 */
export function sideTools(list, options) {
  if (!known.has(list)) known.set(list, toolsOf(list.previousElementSibling, options));
  return known.get(list);
}

function toolsOf(part, { path, kinds, things, isSearched = false, show }) {
  const [search, choice, place, file] = ["input", "select", "[role=status]", "a"].map((name) => $(name, part));
  const asked = { show: kinds[0].name, q: "" };
  const isNarrow = () => asked.q !== "" || asked.show !== kinds[0].name;
  const again = latest(show);
  const ask = () => again().catch((error) => {
    if (error.kind !== "unauthenticated") notice("error", describe(error));
  });

  choice.replaceChildren(...kinds.map(({ name, word }) => make("option", { value: name }, word)));
  choice.addEventListener("change", () => {
    asked.show = choice.value;
    ask();
  });
  search.closest(".field").hidden = !isSearched;
  let typing = 0;
  const searched = () => {
    clearTimeout(typing);
    const words = search.value.trim();
    if (words === asked.q) return;
    asked.q = words;
    ask();
  };
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(searched, pause);
  });
  search.addEventListener("change", searched);

  function address(more = {}) {
    const url = new URL(path, location.origin);
    const put = (name, value) => { if (value) url.searchParams.set(name, value); };
    put("show", asked.show === kinds[0].name ? "" : asked.show);
    put("q", asked.q);
    for (const [name, value] of Object.entries(more)) put(name, value);
    return url.pathname + url.search;
  }

  function tell({ items, isMore, counts = [] }) {
    const numbers = new Map(counts.map((one) => [one.show, one]));
    for (const [index, { name, word }] of kinds.entries()) choice.options[index].textContent = word + numberOf(numbers.get(name));
    part.hidden = items.length === 0 && !isNarrow();
    // One row is found without them.
    const tools = $(".list-tools", part);
    tools.hidden = items.length < 2 && !isNarrow() && !tools.contains(document.activeElement);
    const words = placeWords({
      number: items.length, isLast: !isMore, count: numbers.get(asked.show), isNarrow: isNarrow(), things,
    });
    // A live region speaks whenever it is written to, changed or not.
    if (place.textContent !== words) place.textContent = words;
    file.hidden = items.length === 0;
    file.href = address({ format: "csv" });
  }
  return { address, isNarrow, tell };
}

/** How many rows a part has, as its option says it. */
function numberOf(count) {
  return count ? ` (${count.total.toLocaleString(locale)}${count.is_more ? "+" : ""})` : "";
}
