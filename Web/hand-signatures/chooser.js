// A list from which one is chosen: the newest, or what a search finds at the server.

import { api } from "../shell/api.js";
import { $, busy, describe } from "../shell/dom.js";
import { rows } from "../shell/rows.js";
import { t } from "../shell/translate.js";

/** So many are offered at once; more of them are easier found by name. */
const offered = 20;
/** How long to wait while a person types, in milliseconds. */
const pause = 250;

/**
 * Minds a list, its search field and the line below it that says why it is empty.
 *
 * @param path of the list at the server
 * @param values of an item, `{title, about}`
 * @param none what to say when there is nothing at all
 * @param onChoose called with the item, while its button is busy
 * @returns `show()`, which fetches again
 */
export function chooser({ path, list, search, empty, values, none, onChoose }) {
  let turn = 0;
  let typing = 0;
  const draw = rows(list, {
    template: "choice-row", values,
    fill(element, item) {
      const button = $("[data-act=choose]", element);
      button.setAttribute("aria-label", t`Choose ${values(item).title}`);
      button.addEventListener("click", () => busy(button, () => onChoose(item)));
    },
  });

  async function show() {
    const mine = ++turn;
    const q = search.value.trim();
    list.setAttribute("aria-busy", "true");
    try {
      const { items, next } = await api.get(`${path}?${new URLSearchParams({ ...(q && { q }), limit: offered })}`);
      // The person has gone on typing.
      if (mine !== turn) return;
      draw(items, { mark: false });
      search.parentElement.hidden = q === "" && items.length < 2;
      empty.textContent = items.length === 0 ? (q ? t`Nothing like that.` : none) : next ? (q
        ? t`These are the newest ${offered} that fit. Write more of the name to find another.`
        : t`These are the newest ${offered}. Write more of the name to find another.`) : "";
    } finally {
      if (mine === turn) list.removeAttribute("aria-busy");
    }
  }

  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => show().catch((error) => { empty.textContent = describe(error); }), pause);
  });
  return show;
}
