// Searches in this list that a person makes again and again: chips above it, kept at the server, so that they are on
// all devices.

import { api, needsSession } from "./api.js";
import { ask } from "./ask.js";
import { $, busy, make, notice, undoable } from "./dom.js";
import { t } from "./translate.js";

const path = "/api/saved-filters";
/** Characters of a name. */
const longest = 60;

/**
 * Shows the saved filters of this page's list in `#saved`.
 *
 * @param suggest words for the name of what is shown now
 * @returns `{ready, draw}`: `draw` shows which one is on, after the address has changed
 */
export function savedFilters(suggest) {
  const place = $("#saved");
  const list = location.pathname.replace(/\/$/, "");
  let saved = [];
  // Without them the list works as before: no network, or nobody is signed in.
  const ready = place && needsSession() ? fetchThem().catch(() => { saved = null; }) : Promise.resolve();

  async function fetchThem() {
    const { items } = await api.get(path);
    saved = items.filter((one) => one.list === list);
    draw();
  }

  function draw() {
    if (!place || !needsSession() || !saved) return;
    const now = canonical(location.search);
    const isSaved = saved.some(({ query }) => canonical(query) === now);
    const chips = saved.map((one) => chip(one, canonical(one.query) === now));
    const save = make("button", { type: "button", class: "button quiet", "data-act": "save-filter" }, t`Save this filter …`);
    save.addEventListener("click", () => busy(save, keep));
    const children = [...chips, ...(now !== "" && !isSaved ? [save] : [])];
    const act = place.contains(document.activeElement) && document.activeElement.dataset.act;
    const id = act && document.activeElement.closest("[data-id]")?.dataset.id;
    place.replaceChildren(...children);
    place.hidden = children.length === 0;
    if (act) ($(`[data-id="${CSS.escape(id ?? "")}"] [data-act="${act}"]`, place) ?? $("a, button", place))?.focus();
  }

  function chip(one, isOn) {
    const link = make("a", { href: `?${one.query}`, "data-act": "use", ...(isOn && { "aria-current": "true" }) }, one.name);
    const rename = make("button", { type: "button", "data-act": "rename", "aria-label": t`Rename “${one.name}”`, title: t`Rename` }, "✎");
    const remove = make("button", { type: "button", "data-act": "remove", "aria-label": t`Remove “${one.name}”`, title: t`Remove` }, "×");
    rename.addEventListener("click", () => busy(rename, () => renamed(one)));
    remove.addEventListener("click", () => busy(remove, () => removed(one)));
    return make("span", { class: "chip", "data-id": one.id }, link, rename, remove);
  }

  async function keep() {
    const answer = await ask({
      title: t`Save this filter`, confirm: t`Save`, input: { label: t`Name`, value: suggest().slice(0, longest), maximum: longest },
    });
    if (!answer?.value) return;
    const made = await api.post(path, { list, name: answer.value, query: canonical(location.search) });
    saved = [...saved.filter(({ id }) => id !== made.id), made];
    draw();
    $(`[data-id="${CSS.escape(made.id)}"] a`, place)?.focus();
    notice("success", t`“${made.name}” is saved. It is on all your devices.`);
  }

  async function renamed(one) {
    const answer = await ask({
      title: t`Rename the filter`, confirm: t`Save`, input: { label: t`Name`, value: one.name, maximum: longest },
    });
    if (!answer?.value) return;
    const now = await api.patch(`${path}/${encodeURIComponent(one.id)}`, { name: answer.value });
    saved = saved.map((other) => (other.id === now.id ? now : other));
    draw();
  }

  async function removed(one) {
    await api.delete(`${path}/${encodeURIComponent(one.id)}`).catch((error) => {
      // That is what was wanted, no matter who did it.
      if (error.kind !== "not-found") throw error;
    });
    const before = saved.findIndex(({ id }) => id === one.id);
    saved = saved.filter(({ id }) => id !== one.id);
    draw();
    undoable(t`“${one.name}” is removed.`, async () => {
      const again = await api.post(path, { list, name: one.name, query: one.query });
      saved = saved.toSpliced(before, 0, again);
      draw();
    });
  }

  return { ready, draw };
}

/** A query with its names in order: the same filter reads the same. */
function canonical(query) {
  const values = new URLSearchParams(query);
  values.sort();
  return values.toString();
}
