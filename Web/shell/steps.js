// A page that goes step by step: one part is shown, its heading has the focus, and the back button goes one step back.

import { $$, clearNotices } from "./dom.js";

/**
 * Minds the parts of the page marked with `data-step`.
 *
 * @param onBack called with the step that the back button leads to, before it is shown; it may return another
 * @returns `{show(name, {push}), current()}`
 */
export function stepper({ onBack = (name) => name } = {}) {
  const parts = new Map($$("[data-step]").map((part) => [part.dataset.step, part]));
  let current = null;

  function show(name, { push = false, focus = true } = {}) {
    for (const [key, part] of parts) part.hidden = key !== name;
    if (push) history.pushState({ step: name }, "", location.href);
    else history.replaceState({ step: name }, "", location.href);
    const isNew = current !== null && current !== name;
    current = name;
    if (!isNew) return;
    // Leaving a part settles what was said about it.
    clearNotices();
    scrollTo({ top: 0 });
    const heading = parts.get(name).querySelector("h1, h2");
    if (focus && heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
  }

  addEventListener("popstate", (event) => {
    const wanted = event.state?.step;
    if (wanted === undefined) return;
    show(parts.has(wanted) ? onBack(wanted) : current);
  });
  return { show, current: () => current };
}

/** Lets the browser paint: the work that follows keeps it from doing so. */
export function painted() {
  return new Promise((resolve) => { setTimeout(resolve, 30); });
}
