// A list with tabs by kind, a search and its empty states; requests, members and documents are shown by it.
//
// The page has `#kinds`, `#search`, `#list` and `#none`, may have `#limit`, and the templates `tab`, `none-yet`, `nothing-found`.

import { $, clone } from "../shell/dom.js";
import { matches, rows } from "./rows.js";

/** Where the page has `#limit`, the server lists no more than these, the newest. */
const most = 1000;

/**
 * Makes the view.
 *
 * @param items gives everything there is
 * @param kinds `[{name, word, has(item)}]`, the first one is shown at first
 * @param texts gives the texts of an item that are searched
 * @param row `{template, values, fill, present}`: see rows.js; `present(item)` is what a row shows, so that a row is
 *   drawn anew only when that has changed
 * @returns `show({mark})`
 */
export function listView({ items, kinds, texts, row: { present = (item) => item, ...row } }) {
  const query = new URLSearchParams(location.search);
  const view = { kind: kinds.find(({ name }) => name === query.get("show")) ?? kinds[0], search: query.get("q") ?? "" };
  const draw = rows($("#list"), row);
  $("#search").value = view.search;
  $("#search").addEventListener("input", (event) => look({ search: event.target.value }));
  $("#none").addEventListener("click", (event) => {
    if (!event.target.closest("[data-act=show-all]")) return;
    $("#search").value = "";
    look({ kind: kinds.find(({ name }) => name === "all"), search: "" });
    $("#search").focus();
  });

  function show({ mark = true } = {}) {
    const all = items();
    const found = all.filter(view.kind.has).filter((item) => matches(view.search, ...texts(item)));
    showTabs(all);
    $("#limit")?.toggleAttribute("hidden", all.length < most);
    draw(found.map(present), { mark });
    $("#none").hidden = found.length > 0;
    $("#none").replaceChildren(...(found.length > 0 ? [] : [clone(all.length === 0 ? "none-yet" : "nothing-found")]));
  }

  function showTabs(all) {
    const focused = document.activeElement?.closest("#kinds button")?.dataset.kind;
    $("#kinds").replaceChildren(...kinds.map((kind) => {
      const tab = clone("tab", { word: kind.word, number: all.filter(kind.has).length.toLocaleString() });
      tab.dataset.kind = kind.name;
      if (kind === view.kind) tab.setAttribute("aria-current", "true");
      tab.addEventListener("click", () => look({ kind }));
      return tab;
    }));
    if (focused) $(`#kinds [data-kind="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Shows another part; the address remembers it over reloads and the back button. */
  function look(change) {
    Object.assign(view, change);
    const address = new URL(location.href);
    address.search = new URLSearchParams({
      ...(view.kind !== kinds[0] && { show: view.kind.name }), ...(view.search && { q: view.search }),
    }).toString();
    history.replaceState(history.state, "", address);
    show({ mark: false });
  }

  return show;
}
