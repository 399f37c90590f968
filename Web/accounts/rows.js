// Rows with buttons, as every list of the page of devices has them.

import { $, busy, list } from "../shell/dom.js";
import { tell } from "../shell/tabs.js";

/** Shows `items` with one button for each act: `acts = {name: async (item, state) => …}`, `allowed(item, name)`. */
export function showList(state, place, items, template, values, acts, { empty, allowed = () => true } = {}) {
  list($(place, state.root), items, template, values, {
    empty,
    each: (element, item) => {
      for (const [name, act] of Object.entries(acts)) {
        const button = $(`[data-act=${name}]`, element);
        button.hidden = !allowed(item, name);
        // Every row has such a button: which one is meant must be heard too.
        button.setAttribute("aria-label", `${button.textContent}: ${$(".title", element).textContent}`);
        button.addEventListener("click", () => perform(button, () => act(item, state), state));
      }
    },
  });
}

/** Runs an act of this page, then shows how things are. */
export const perform = (button, act, state) => busy(button, async () => {
  const isDone = await act();
  if (isDone === false) return;
  tell({ kind: "keys-changed" });
  await state.reload();
});
