// A list that loads on as one scrolls, with tabs by kind, a search and its empty states.
//
// The page has the parts of `shell/list-place` and `shell/list-onward` around `#list`. It may have `#kinds`, `#search`
// and `#sort`, a choice of the server's sort keys whose first option is the default. It has the templates `none-yet`
// and `nothing-found`, with `#kinds` also `tab`.

import { $, busy, clone, describe } from "./dom.js";
import { latest } from "./events.js";
import { continued, refreshed } from "./list-pages.js";
import { placeWords } from "./place-words.js";
import { focusIn, rows } from "./rows.js";
import { savedFilters } from "./saved-filters.js";
import { bringIntoSight } from "./tab-row.js";
import { locale } from "./translate.js";

/** Rows of a page, and the most that the server gives at once. */
const [pageSize, most] = [100, 1000];
/**
 * So many pages come by themselves; then the person has to ask for more, so that the end of the page can be reached.
 */
const byThemselves = 9;
/** How long to wait while a person types, in milliseconds. */
const pause = 250;
/** How far below the window the next page is fetched. */
const ahead = "0px 0px 800px";

/**
 * Makes the view.
 *
 * @param source see list-source.js
 * @param kinds `[{name, word, has(item)}]`, the first one is shown at first; `has` says whether a changed item stays
 * @param things so many rows in words: `(number) => plural(number, "{0} account", "{0} accounts")`
 * @param row `{template, key, values, fill, present}`: see rows.js; `present(item)` is what a row shows, so that a row
 *   is drawn again only when that has changed
 * @param list the element that holds the rows
 * @param isFiltered whether the page narrows the list by more than kinds and search; `clear` undoes that
 * @param part the kind whose number is the list's, when the page chooses it in another way than by tabs
 * @param remembers whether the address remembers the search over reloads and the back button
 * @param waits how long a search waits while a person types, in milliseconds: less where no server is asked
 * @param onPage called after each answer with `{items, next, counts, isNarrow}`: what is shown, where the next page begins, totals
 *   by kind, and whether there is more than this question finds
 * @returns `{load, refresh, reload, follow, look, draw, put, item}`
 */
export function listView({
  source, kinds = [], things, row: { present = (item) => item, key = (item) => item.id, ...row }, list = $("#list"),
  isFiltered = () => false, clear = () => {}, part = () => "all", remembers = true, waits = pause, onPage = () => {},
}) {
  const query = new URLSearchParams(location.search);
  const kindOf = (name) => kinds.find((kind) => kind.name === name) ?? kinds[0];
  const sorts = [...($("#sort")?.options ?? [])].map(({ value }) => value);
  const asked = {
    kind: kindOf(query.get("show")), q: (remembers && query.get("q")) || "",
    sort: sorts.includes(query.get("sort")) ? query.get("sort") : sorts[0],
  };
  /** How the list is sorted, unless it comes so by itself. */
  const sort = () => (asked.sort === sorts[0] ? undefined : asked.sort);
  const question = () => ({ ...(asked.kind && { show: asked.kind.name }), q: asked.q, sort: sort() });
  const drawRows = rows(list, { key, ...row });
  const saved = savedFilters(() => asked.q || (asked.kind !== kinds[0] && asked.kind?.word) || "");
  let loaded = { items: [], next: null };
  let counts = new Map();
  /** Which question is answered: an answer to an earlier one is thrown away. */
  let turn = 0;
  let stop = new AbortController();
  let work = Promise.resolve();
  let left = byThemselves;
  let isComing = false;

  /** One request after the other, unless a new question makes the earlier ones idle. */
  function next(act) {
    const mine = turn;
    list.setAttribute("aria-busy", "true");
    const done = work.then(async () => {
      if (mine !== turn) return;
      try {
        await act((cursor, limit = pageSize) => page(cursor, limit, mine));
      } catch (error) {
        if (mine === turn) throw error;
      }
    });
    const end = done.catch(() => {}).then(() => { if (work === end) list.removeAttribute("aria-busy"); });
    work = end;
    return done;
  }

  async function page(cursor, limit, mine) {
    const answer = await source.page(question(), { cursor, limit, signal: stop.signal });
    if (mine !== turn) throw new Error("Another question was asked while this one was answered.");
    if (answer.counts) counts = new Map(answer.counts.map((one) => [one.show, one]));
    return answer;
  }

  /** The first page replaces everything that was there. */
  const first = () => next(async (read) => {
    loaded = continued({ items: [] }, await read(), key);
    draw({ mark: false });
  });

  const more = () => next(async (read) => {
    if (!loaded.next) return;
    loaded = continued(loaded, await read(loaded.next), key);
    draw({ mark: false });
  });

  /** The first page again; what was loaded after it stays. */
  const refresh = latest(() => next(async (read) => {
    loaded = refreshed(loaded, await read(), key);
    draw();
  }));

  /** Everything again that is shown: an act may have changed a row far down. */
  const reload = ({ mark = true } = {}) => next(async (read) => {
    const wanted = Math.max(loaded.items.length, pageSize);
    let fresh = { items: [], next: undefined };
    do fresh = continued(fresh, await read(fresh.next ?? undefined, Math.min(wanted - fresh.items.length, most)), key);
    while (fresh.next && fresh.items.length < wanted);
    loaded = fresh;
    draw({ mark });
  });

  const again = latest(() => reload());
  const item = (id) => loaded.items.find((one) => String(key(one)) === String(id));

  function draw({ mark = true } = {}) {
    const { items } = loaded;
    $("#list-failed").hidden = true;
    steady(list, () => drawRows(items.map(present), { mark }));
    showTabs();
    const isNarrow = asked.q !== "" || isFiltered() || [...counts.values()].some(({ total }) => total > 0);
    showPlace(items.length, isNarrow);
    const none = items.length > 0 ? null : isNarrow ? "nothing-found" : "none-yet";
    if ($("#none").dataset.words !== (none ?? "")) {
      $("#none").replaceChildren(...(none ? [clone(none)] : []));
      $("#none").dataset.words = none ?? "";
    }
    $("#none").hidden = !none;
    onPage({ items, next: loaded.next, counts, isNarrow });
  }

  function showTabs() {
    let chosen;
    for (const kind of kinds) {
      const tab = $(`#kinds [data-kind="${kind.name}"]`);
      const { total, is_more: isMore } = counts.get(kind.name) ?? {};
      $("[data-text=number]", tab).textContent = total === undefined ? "" : total.toLocaleString(locale) + (isMore ? "+" : "");
      if (kind !== asked.kind) tab.removeAttribute("aria-current");
      else if (!tab.hasAttribute("aria-current")) {
        tab.setAttribute("aria-current", "true");
        chosen = tab;
      }
    }
    // Where somebody has scrolled the row to since, it stays.
    if (chosen) bringIntoSight(chosen);
  }

  function showPlace(number, isNarrow) {
    const count = counts.get(asked.kind?.name ?? part());
    const words = placeWords({ number, isLast: !loaded.next, count, isNarrow, things });
    // A live region speaks whenever it is written to, changed or not.
    if ($("#place").textContent !== words) $("#place").textContent = words;
    $("#so-far").textContent = words;
    const file = number > 0 && source.csv?.(question());
    $("#csv").hidden = !file;
    if (file) $("#csv").href = file;
    $("#onward").hidden = !loaded.next;
    // It tells once when the end comes near; observed again, it tells again.
    near.unobserve($("#onward"));
    near.observe($("#onward"));
  }

  /** Says below the rows what went wrong, and tries again on request. */
  function failed(error, again) {
    if (error.kind === "unauthenticated") return;
    $("#onward").hidden = true;
    $("#list-failed p").textContent = describe(error);
    $("#list-failed").hidden = false;
    $("#list-again").onclick = () => busy($("#list-again"), async () => {
      await again().catch((problem) => failed(problem, again));
      // The button has gone with what it was for.
      if ($("#list-failed").hidden) focusIn(list.lastElementChild ?? $("#none"));
    });
  }

  const near = new IntersectionObserver((told) => {
    // Reports from before the last rows were drawn may still be among them. One page at a time: after it the end is far
    // away.
    if (!told.at(-1).isIntersecting || left === 0 || isComing) return;
    left -= 1;
    isComing = true;
    more().catch((error) => failed(error, more)).finally(() => { isComing = false; });
  }, { rootMargin: ahead });

  $("#more").addEventListener("click", () => busy($("#more"), async () => {
    left = byThemselves;
    const before = loaded.items.length;
    await more().catch((error) => failed(error, more));
    // A person who pressed the button goes on where the new rows begin.
    const row = list.children[before];
    if (row) focusIn(row);
  }));

  /** Shows another part; the address remembers it over reloads and the back button. */
  function look(change = {}) {
    Object.assign(asked, change);
    const address = new URL(location.href);
    const put = (name, value) => (value ? address.searchParams.set(name, value) : address.searchParams.delete(name));
    put("show", asked.kind && asked.kind !== kinds[0] ? asked.kind.name : "");
    put("q", remembers ? asked.q : "");
    put("sort", sort());
    history.replaceState(history.state, "", address);
    saved.draw();
    turn += 1;
    stop.abort();
    stop = new AbortController();
    left = byThemselves;
    showTabs();
    const ask = () => first();
    return ask().catch((error) => {
      loaded = { items: [], next: null };
      draw({ mark: false });
      $("#none").hidden = true;
      failed(error, ask);
    });
  }

  $("#kinds")?.replaceChildren(...kinds.map((kind) => {
    const tab = clone("tab", { word: kind.word, number: "" });
    tab.dataset.kind = kind.name;
    tab.addEventListener("click", () => look({ kind }));
    return tab;
  }));
  const search = $("#search");
  let typing = 0;
  const searched = () => {
    clearTimeout(typing);
    if (search.value.trim() !== asked.q) look({ q: search.value.trim() });
  };
  if (search) search.value = asked.q;
  search?.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(searched, waits);
  });
  search?.addEventListener("change", searched);
  if ($("#sort")) {
    $("#sort").value = asked.sort;
    $("#sort").addEventListener("change", () => look({ sort: $("#sort").value }));
  }
  $("#none").addEventListener("click", (event) => {
    if (!event.target.closest("[data-act=show-all]")) return;
    clear();
    if (search) search.value = "";
    look({ kind: kinds.find(({ name }) => name === "all") ?? kinds[0], q: "" });
    search?.focus();
  });

  return {
    /** Fetches the first page; what goes wrong now is the page's to say. */
    load: async () => { await Promise.all([first(), saved.ready]); },
    refresh,
    reload,
    /** Follows a live update (events.js): a row that is shown is read again, with all that are; else the first page is. */
    follow: (event) => (!event || item(event.id) ? again() : refresh()),
    /** Asks again, after the page has changed what it narrows the list by. */
    look,
    draw,
    /** Takes an item as it is now into the list, if it is shown. */
    put(item) {
      const isIn = asked.kind?.has?.(item) ?? true;
      const items = loaded.items.flatMap((one) => (key(one) !== key(item) ? [one] : isIn ? [item] : []));
      loaded = { ...loaded, items };
      draw();
    },
    /** What is shown under this key. */
    item,
  };
}

/** Draws so that the text being read stays where it is. */
function steady(list, drawing) {
  // Browsers do this too, each in another way, and some not at all.
  document.documentElement.style.overflowAnchor = "none";
  // At the top of the page nothing is above the text being read.
  const row = scrollY > 0 && [...list.children].find((one) => one.getBoundingClientRect().bottom > 0);
  const before = row ? row.getBoundingClientRect().top : 0;
  drawing();
  if (row?.isConnected) scrollBy({ top: row.getBoundingClientRect().top - before, behavior: "instant" });
}
