// A list that stands beside others on its page: its newest rows, and more of them at each press of a button.
//
// Behind the element with the rows the page has `shell/more-rows`. What narrows the list stands before it: side-tools.js. A
// page's main list loads on by itself: list-view.js.

import { api } from "./api.js";
import { $, busy } from "./dom.js";
import { focusIn } from "./rows.js";

/** So many rows are there at first, and so many more each time. */
const step = 100;
/** How many rows of each list are wanted, where the person has asked for more. */
const wanted = new WeakMap();
/** What was asked last for each list, `{address, answer}`: only the answer to that is shown. */
const asked = new WeakMap();

/**
 * The rows that a list shows: the newest, as many as the person has asked for.
 *
 * @param list the element that holds the rows
 * @param path of the list at the server
 * @param show asks for them again and draws them
 * @param tools of the list, if it has any (side-tools.js)
 */
export async function newest(list, path, show, tools = null) {
  const address = tools?.address() ?? path;
  if (address !== asked.get(list)?.address) wanted.delete(list);
  const number = wanted.get(list) ?? step;
  const told = await answered(list, address, number);
  const { items, isMore } = told;
  tools?.tell(told);
  const onward = list.nextElementSibling;
  onward.hidden = !isMore;
  const button = $("button", onward);
  button.onclick = () => busy(button, async () => {
    const before = list.children.length;
    wanted.set(list, number + step);
    await show();
    // A person who pressed the button goes on where the new rows begin.
    const row = list.children[before];
    if (row) focusIn(row);
  });
  return items;
}

/** The answer to this question, or to a later one that was asked while this one waited. */
async function answered(list, address, number) {
  let mine = { address, answer: api.first(address, number) };
  asked.set(list, mine);
  for (;;) {
    const answer = await mine.answer;
    if (asked.get(list) === mine) return answer;
    mine = asked.get(list);
  }
}
