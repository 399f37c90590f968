// How many there are of everything: one line above the requests.

import { api } from "../shell/api.js";
import { $, make } from "../shell/dom.js";
import { locale, plural } from "../shell/translate.js";

/** Members of the answer in the order of reading, with their words. */
const words = [
  ["members", (number) => plural(number, "{0} member", "{0} members")],
  ["verified_members", (number) => plural(number, "{0} verified", "{0} verified")],
  ["administrators", (number) => plural(number, "{0} administrator", "{0} administrators")],
  ["pending_requests", (number) => plural(number, "{0} request pending", "{0} requests pending")],
  ["accepted_requests", (number) => plural(number, "{0} accepted", "{0} accepted")],
  ["issued_documents", (number) => plural(number, "{0} document issued", "{0} documents issued")],
  ["revoked_documents", (number) => plural(number, "{0} revoked", "{0} revoked")],
];

/** Numbers may be a little late: what changed comes first. */
const pause = 400;
let waiting = 0;

/** Shows the numbers soon, once for all changes until then. */
export function showStatisticsSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(showStatistics, pause);
}

/** The words with the number in bold, where they have it: some languages have a word for one and two. */
function strong(words, number) {
  const digits = number.toLocaleString(locale);
  const [before, after] = words.split(digits);
  return after === undefined ? [words] : [before, make("strong", {}, digits), after];
}

/** Fetches the numbers and shows them. They are no reason to disturb anybody, so that a failure hides them. */
async function showStatistics() {
  const place = $("#statistics");
  try {
    const numbers = await api.get("/api/statistics");
    const items = words.filter(([name]) => Number.isInteger(numbers[name]))
      .map(([name, inWords]) => make("li", { "data-number": name }, ...strong(inWords(numbers[name]), numbers[name])));
    place.replaceChildren(...items);
    place.hidden = items.length === 0;
  } catch (error) {
    console.info("no statistics:", error.message);
    place.hidden = true;
  }
}
