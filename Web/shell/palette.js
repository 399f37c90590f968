// The palette (Ctrl K): pages by name, and anything that the places of the navigation can find by words.
//
// The layout lists every place in <template id="everywhere">. A place may name a module with `find(words)`, which gives
// `[{title, detail, href}]`; it is loaded at the first search.

import { $, $$, make } from "./dom.js";
import { plain } from "./list-source.js";
import { session } from "./session.js";
import { t } from "./translate.js";

/** How long a pause in typing must be before others are asked, in milliseconds. */
const pause = 200;
/** How many of each kind are shown. */
const most = 5;

let dialog = null;
let places = null;
let running = 0;
/** Whether the person has moved to another option since they typed: then it stays the chosen one while more is found. */
let hasMoved = false;

/** Opens the palette; a second call closes it. */
export async function togglePalette() {
  dialog ??= build();
  if (dialog.open) return dialog.close();
  dialog.showModal();
  hasMoved = false;
  const input = $("input", dialog);
  input.select();
  places ??= await allowed();
  return look(input.value);
}

/** The places that this person may go to. */
async function allowed() {
  const { may } = await session();
  const links = [...$("#everywhere").content.querySelectorAll("a")];
  const answers = await Promise.all(links.map(({ dataset }) => (dataset.may ? may(dataset.may).catch(() => false) : true)));
  return links.filter((_, index) => answers[index]).map((link) => ({
    title: link.textContent, detail: link.dataset.area, href: link.getAttribute("href"), finder: link.dataset.finder,
  }));
}

function build() {
  const input = make("input", {
    type: "text", inputmode: "search", enterkeyhint: "go", role: "combobox", "aria-label": t`Search pages, people and documents`, "aria-expanded": "true",
    "aria-controls": "palette-list", "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false",
    maxlength: 100, placeholder: t`A page, a person, a document`,
  });
  const list = make("div", { id: "palette-list", role: "listbox", "aria-label": t`Found` });
  const state = make("p", { class: "meta", role: "status" });
  const made = document.body.appendChild(make("dialog", { class: "palette", "aria-label": t`Search` }, input, list, state));
  let timer = 0;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    hasMoved = false;
    look(input.value, { pagesOnly: true });
    timer = setTimeout(() => look(input.value), pause);
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) move(step);
    else if (event.key === "Enter") chosen()?.click();
    else if (event.key === "Escape") made.close();
    else return;
    event.preventDefault();
  });
  // Beside the window of the palette is its backdrop.
  made.addEventListener("click", (event) => { if (event.target === made) made.close(); });
  return made;
}

const options = () => $$("[role=option]", dialog);
const chosen = () => $("[aria-selected=true]", dialog);

function move(step) {
  const all = options();
  if (all.length === 0) return;
  hasMoved = true;
  const at = all.indexOf(chosen());
  choose(all[(at + step + all.length) % all.length]);
}

function choose(option) {
  for (const one of options()) one.setAttribute("aria-selected", String(one === option));
  $("input", dialog).setAttribute("aria-activedescendant", option?.id ?? "");
  option?.scrollIntoView({ block: "nearest" });
}

/** Shows what is found; an answer that comes after the next question is left out. */
async function look(text, { pagesOnly = false } = {}) {
  if (!places) return;
  const words = text.trim();
  const number = ++running;
  const groups = [{ title: t`Pages`, items: pages(words) }];
  if (words === "" || pagesOnly) return show(groups, { isDone: words === "" });
  const finders = places.filter(({ finder }) => finder);
  const found = await Promise.all(finders.map(async ({ title, finder }) => {
    try {
      const { find } = await import(`/assets/${finder}.js`);
      return { title, items: (await find(words)).slice(0, most) };
    } catch (error) {
      return { title, items: [], hasFailed: error.kind !== "forbidden" };
    }
  }));
  if (number !== running) return undefined;
  return show([...groups, ...found], { isDone: true, hasFailed: found.some((one) => one.hasFailed) });
}

/** Places whose name or area has all words. */
function pages(words) {
  const wanted = plain(words).split(/\s+/).filter(Boolean);
  const found = places.filter(({ title, detail }) => wanted.every((word) => plain(`${title} ${detail}`).includes(word)));
  return words === "" ? found : found.slice(0, most);
}

function show(groups, { isDone, hasFailed = false }) {
  let count = 0;
  const parts = groups.filter(({ items }) => items.length > 0).map(({ title, items }, index) => {
    const label = `palette-group-${index}`;
    return make("div", { role: "group", "aria-labelledby": label },
      make("p", { class: "meta", id: label, role: "presentation" }, title),
      ...items.map((item) => make(
        "a", { role: "option", id: `palette-${count++}`, href: item.href, tabindex: "-1", "aria-selected": "false", onclick: leave },
        make("span", {}, item.title), make("span", { class: "meta" }, item.detail ?? ""))));
  });
  const kept = hasMoved && chosen()?.getAttribute("href");
  $("#palette-list", dialog).replaceChildren(...parts);
  choose((kept && options().find((one) => one.getAttribute("href") === kept)) || options()[0]);
  const words = !isDone ? t`Searching …` : count === 0 ? t`Nothing found.` : "";
  $("[role=status]", dialog).textContent = hasFailed ? `${words} ${t`Not everything could be searched just now.`}`.trim() : words;
}

/** The palette closes, also when only the fragment changes. */
function leave() { dialog.close(); }
