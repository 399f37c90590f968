// A list that stays in place while it changes: rows keep their element, their focus and their open parts, and the one
// that changed is marked for a moment.

import { clone } from "./dom.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** How long a row that has changed is marked, and then fades, in milliseconds. */
const [flashTime, fadeTime] = [2000, 400];

/**
 * Makes a keyed list in `container`.
 *
 * @param template id of the template of a row
 * @param key of an item, such as its id
 * @param values of an item, for `clone`
 * @param fill called as `fill(element, item)` for a row that is new or has changed
 * @returns `draw(items, {mark})`: mark is false the first time and after filters, when nothing has changed
 */
export function rows(container, { template, key = (item) => item.id, values = () => ({}), fill = () => {} }) {
  const drawn = new Map();
  return function draw(items, { mark = true } = {}) {
    const kept = new Set();
    let previous = null;
    for (const item of items) {
      const id = String(key(item));
      kept.add(id);
      const text = JSON.stringify(item);
      const old = drawn.get(id);
      let element = old?.element;
      if (!old || old.text !== text) {
        element = clone(template, values(item));
        element.dataset.key = id;
        fill(element, item);
        if (old) replace(old.element, element);
        if (mark) flash(element);
        drawn.set(id, { element, text });
      }
      const place = previous ? previous.nextElementSibling : container.firstElementChild;
      if (place !== element) container.insertBefore(element, place);
      previous = element;
    }
    for (const [id, { element }] of drawn) {
      if (kept.has(id)) continue;
      const neighbour = element.contains(document.activeElement) && (element.nextElementSibling ?? element.previousElementSibling);
      element.remove();
      drawn.delete(id);
      if (neighbour) focusIn(neighbour);
    }
  };
}

/** Puts a row's new self in its place; the focus stays on the same action, or on the row. */
function replace(old, element) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  for (const fold of old.querySelectorAll("details[open][data-fold]")) {
    const same = element.querySelector(`details[data-fold="${CSS.escape(fold.dataset.fold)}"]`);
    if (same) same.open = true;
  }
  old.replaceWith(element);
  if (!focused) return;
  const act = focused.dataset.act;
  const same = act && element.querySelector(`[data-act="${CSS.escape(act)}"]:not([hidden])`);
  if (same) same.focus();
  else focusIn(element);
}

/** Puts the focus on the first action of a row, or on the row when it has none. */
export function focusIn(element) {
  const action = [...element.querySelectorAll("button, a[href]")].find((one) => one.checkVisibility());
  if (!action) element.tabIndex = -1;
  (action ?? element).focus();
}

/** Marks a row that has just changed, gently: a wash of the seal's colour that stays a moment and fades. */
function flash(element) {
  const wash = { backgroundColor: "var(--seal-wash)" };
  element.dataset.changed = "";
  Object.assign(element.style, wash);
  // By the clock and not by an animation's end: that never comes in a page which is not painted.
  setTimeout(() => {
    element.style.backgroundColor = "";
    if (!calm.matches) element.animate?.([wash, { backgroundColor: "transparent" }], { duration: fadeTime, easing: "ease-out" });
    delete element.dataset.changed;
  }, flashTime);
}
