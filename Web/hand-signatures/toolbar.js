// The toolbar of the editor: one stop for Tab, arrows from tool to tool (ARIA's toolbar pattern), keyboard shortcuts,
// and the state of each tool at the caret.

import { $$, clone } from "../shell/dom.js";
import { fields } from "./text-model.js";

const shortcuts = {
  b: ["bold"], i: ["italic"], z: ["undo"], y: ["redo"],
};
const withShift = { Digit7: ["list", true], Digit8: ["list", false], KeyZ: ["redo"] };
const withAlt = { Digit0: ["level", 0], Digit1: ["level", 1], Digit2: ["level", 2], Digit3: ["level", 3] };

/**
 * Minds the toolbar `bar` for the text `root`.
 *
 * @param run called as `run(command, value)`
 * @returns `show(state)`, to be called when the caret has moved
 */
export function toolbar(bar, root, { run }) {
  const menus = $$("details", bar);
  const level = bar.querySelector("select");
  bar.querySelector("#fields").replaceChildren(...Object.entries(fields).map(([name, label]) => {
    const item = clone("field-item", { label });
    item.querySelector("button").dataset.value = name;
    return item;
  }));
  const stops = () => [level, ...$$(":scope > .tool, :scope > details > summary", bar)].filter((one) => !one.disabled);
  stop(level);

  // The text keeps its selection while a tool is pressed.
  bar.addEventListener("mousedown", (event) => { if (event.target.closest("button")) event.preventDefault(); });
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-command]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    close();
    act(button.dataset.command, button.dataset.value);
  });
  level.addEventListener("change", () => act("level", level.value));
  bar.addEventListener("focusin", ({ target }) => { if (stops().includes(target)) stop(target); });
  bar.addEventListener("keydown", keyed);
  root.addEventListener("keydown", shortcut);

  function act(command, text) {
    const value = command === "level" ? Number(text) : command === "list" ? text === "true" : text;
    run(command, value);
  }

  function keyed(event) {
    const { key, target } = event;
    const menu = target.closest(".menu");
    if (key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (menu) menu.parentElement.querySelector("summary").focus();
      else root.focus();
      return close();
    }
    if (menu && (key === "ArrowDown" || key === "ArrowUp")) return move(event, $$("button", menu).filter((one) => one.getAttribute("aria-disabled") !== "true"), key === "ArrowDown" ? 1 : -1);
    if (target.localName === "summary" && key === "ArrowDown") {
      event.preventDefault();
      target.parentElement.open = true;
      return target.parentElement.querySelector("button:not([aria-disabled=true])").focus();
    }
    if (key === "ArrowRight" || key === "ArrowLeft") {
      close();
      return move(event, stops(), key === "ArrowRight" ? 1 : -1, menu?.parentElement.querySelector("summary"));
    }
    if (key === "Home" || key === "End") return move(event, stops(), 0, key === "Home" ? stops().at(0) : stops().at(-1));
    return undefined;
  }

  function move(event, places, step, from = event.target) {
    event.preventDefault();
    const index = places.indexOf(from) + step;
    places.at(index % places.length)?.focus();
  }

  function stop(element) {
    for (const one of stops()) one.tabIndex = one === element ? 0 : -1;
  }

  function close() {
    for (const menu of menus) menu.open = false;
  }

  function shortcut(event) {
    if (event.altKey && event.key === "F10") {
      event.preventDefault();
      return stops().find((one) => one.tabIndex === 0)?.focus();
    }
    if (!event.ctrlKey && !event.metaKey) return undefined;
    const found = event.altKey ? withAlt[event.code] : event.shiftKey ? withShift[event.code] : shortcuts[event.key.toLowerCase()];
    if (!found) return undefined;
    event.preventDefault();
    return run(...found);
  }

  return function show(state) {
    if (document.activeElement !== level) level.value = String(state.level);
    level.disabled = state.isCell;
    const isOn = { bold: state.bold, italic: state.italic };
    for (const button of $$("[data-command]", bar)) {
      const { command, value } = button.dataset;
      if (command in isOn) button.setAttribute("aria-pressed", String(isOn[command]));
      if (command === "align") button.setAttribute("aria-pressed", String(state.isPlain && state.align === value));
      if (command === "list") button.setAttribute("aria-pressed", String(state.list === (value === "true")));
      const isOut = (command === "table" && !state.isInTable) || (["insert-table", "list", "page-break", "signature"].includes(command) && state.isCell)
        || (command === "align" && !state.isPlain)
        || (command === "undo" && !state.canUndo) || (command === "redo" && !state.canRedo);
      button.setAttribute("aria-disabled", String(isOut));
    }
  };
}
