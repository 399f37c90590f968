// A list that stands beside others on its page: its newest rows, and more of them at each press of a button.
//
// Behind the element with the rows the page has `shell/more-rows`. A page's main list loads on by itself: list-view.js.

import { api } from "./api.js";
import { $, busy } from "./dom.js";
import { focusIn } from "./rows.js";

/** So many rows are there at first, and so many more each time. */
const step = 100;
/** How many rows of each list are wanted, where the person has asked for more. */
const wanted = new WeakMap();

/**
 * The rows that a list shows: the newest, as many as the person has asked for.
 *
 * @param list the element that holds the rows
 * @param path of the list at the server
 * @param show asks for them again and draws them
 */
export async function newest(list, path, show) {
  const number = wanted.get(list) ?? step;
  const { items, isMore } = await api.first(path, number);
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
