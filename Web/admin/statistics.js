// How many there are of everything: one line above the requests.

import { api } from "../shell/api.js";
import { $, make } from "../shell/dom.js";

/** Members of the answer in the order of reading, with their words. */
const words = [
  ["members", "member", "members"],
  ["verified_members", "verified", "verified"],
  ["administrators", "administrator", "administrators"],
  ["pending_requests", "request pending", "requests pending"],
  ["accepted_requests", "accepted", "accepted"],
  ["issued_documents", "document issued", "documents issued"],
  ["revoked_documents", "revoked", "revoked"],
];

/** Numbers may be a little late: what changed comes first. */
const pause = 400;
let waiting = 0;

/** Shows the numbers soon, once for all changes until then. */
export function showStatisticsSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(showStatistics, pause);
}

/** Fetches the numbers and shows them. They are no reason to disturb anybody, so that a failure hides them. */
async function showStatistics() {
  const place = $("#statistics");
  try {
    const numbers = await api.get("/api/statistics");
    const items = words.filter(([name]) => Number.isInteger(numbers[name])).map(([name, one, many]) => {
      const number = numbers[name];
      return make("li", { "data-number": name }, make("strong", {}, number.toLocaleString()), ` ${number === 1 ? one : many}`);
    });
    place.replaceChildren(...items);
    place.hidden = items.length === 0;
  } catch (error) {
    console.info("no statistics:", error.message);
    place.hidden = true;
  }
}
