// A list from which one is chosen, with a search above it.

import { matches, rows } from "../admin/rows.js";
import { $ } from "../shell/dom.js";

/**
 * Minds a list, its search field and the line below it that says why it is empty.
 *
 * @param values of an item, `{title, about}`
 * @param texts of an item that are searched
 * @param none what to say when there is nothing at all
 * @returns `show(items)`
 */
export function chooser({ list, search, empty, values, texts, none, onChoose }) {
  let items = [];
  const draw = rows(list, {
    template: "choice-row", values,
    fill(element, item) {
      const button = $("[data-act=choose]", element);
      button.setAttribute("aria-label", `Choose ${values(item).title}`);
      button.addEventListener("click", () => onChoose(item, button));
    },
  });
  function show() {
    const found = items.filter((item) => matches(search.value, ...texts(item)));
    draw(found, { mark: false });
    empty.textContent = items.length === 0 ? none : found.length === 0 ? "Nothing like that." : "";
  }
  search.addEventListener("input", show);
  return (all) => {
    items = all;
    search.parentElement.hidden = all.length < 2;
    show();
  };
}
