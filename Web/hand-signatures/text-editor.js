// The editor: a part of the page in which one writes. The browser handles typing letter by letter, because it knows
// keyboards and languages. Everything else is a function on the model, and the page is drawn from its result.

import { blocksIn, putSelection } from "./text-clipboard.js";
import { history } from "./text-history.js";
import { backward, breakLine, caret, forward, goBelow, insert, isCollapsed, lookAt, remove, toBlocks, toLines } from "./text-lines.js";
import { has, paste, setLevel, toggle, toggleList } from "./text-kinds.js";
import { makeRun } from "./text-model.js";
import { breakPage, placeSignature, setAlignment, settled } from "./text-layout.js";
import { changeTable, insertTable, neighbourCell, tableAt } from "./text-tables.js";
import { draw, isForeign, rangeIn, readBlocks, remember, select, selectionIn } from "./text-view.js";

/** The commands of the toolbar and the keyboard, by name: `(state, value) => state`. */
const commands = {
  level: setLevel,
  list: toggleList,
  bold: (state) => toggle(state, "bold"),
  italic: (state) => toggle(state, "italic"),
  field: (state, field) => insert(state, [makeRun({ field }, lookAt(state))]),
  "insert-table": (state) => insertTable(state),
  table: changeTable,
  align: setAlignment,
  "page-break": breakPage,
  signature: placeSignature,
};

/**
 * Makes `root` an editor.
 *
 * @param onChange called after every change of the text
 * @param onMove called when the caret has moved, or something that the toolbar shows has changed
 * @returns `{load(blocks), blocks(), run(command, value), undo(), redo(), state(), focus()}`
 */
export function textEditor(root, { onChange = () => {}, onMove = () => {} }) {
  let lines = toLines([{ kind: "paragraph", runs: [] }]);
  let range = caret(0, 0);
  let steps = history({ lines, range });
  /** Looks that were chosen without a selection, for what is typed next: `{bold, italic}`, or nothing. */
  let pending = null;
  let isComposing = false;

  const now = () => ({ lines, range });

  function show() {
    draw(root, toBlocks(lines));
    select(root, range);
  }

  /** Takes a state that a function has made. */
  function become(state, options) {
    if (state.lines !== lines) {
      lines = state.lines;
      range = settled(lines, state.range);
      steps.push(now(), options);
      show();
      onChange();
    } else {
      range = state.range;
      show();
    }
    pending = null;
    onMove();
  }

  /** Takes what the browser has made of the page. */
  function adopt() {
    const blocks = readBlocks(root);
    if (blocks.every(({ kind }) => kind === "page-break")) blocks.push({ kind: "paragraph", runs: [] });
    lines = toLines(blocks);
    range = selected() ?? caret(0, 0);
    steps.push(now(), { isTyping: true });
    if (isForeign(root) || blocks.length !== root.children.length) show();
    else remember(root, blocks);
    onChange();
    onMove();
  }

  const selected = () => settled(lines, selectionIn(root));

  function beforeInput(event) {
    const type = event.inputType;
    if (isComposing || type === "insertCompositionText") return;
    range = selected() ?? range;
    if (type === "insertText" && isCollapsed(range) && !pending) return;
    event.preventDefault();
    const [target] = event.getTargetRanges?.() ?? [];
    const aim = (target && rangeIn(root, target)) ?? range;
    if (type === "insertText" || type === "insertReplacementText") {
      const text = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
      const state = { lines, range: type === "insertText" ? range : aim };
      if (text) become(insert(state, [makeRun({ text }, pending ?? lookAt(state))]), { isTyping: true });
    } else if (type === "insertParagraph" || type === "insertLineBreak") {
      become((type === "insertParagraph" ? breakLine : goBelow)(now()));
    } else if (type === "deleteByDrag" || type === "insertFromDrop") {
      // Dragging is ignored: the text would land beside the caret that the person sees.
    } else if (type.startsWith("delete")) {
      erase(type, isCollapsed(range) ? aim : range);
    } else if (type === "formatBold" || type === "formatItalic") {
      run(type === "formatBold" ? "bold" : "italic");
    } else if (type === "historyUndo" || type === "historyRedo") {
      travel(type === "historyUndo" ? "undo" : "redo");
    }
  }

  /** Characters go one after another into one step of undo; everything else is a step of its own. */
  function erase(type, aim) {
    const isBackward = type.endsWith("Backward");
    const isLine = aim.start.line === aim.end.line;
    if (!isCollapsed(range) || (isLine && !isCollapsed(aim))) become(remove({ lines, range: aim }), { isTyping: isCollapsed(range) });
    else become((isBackward ? backward : forward)(now()), { isTyping: isLine });
  }

  function pasted(event) {
    event.preventDefault();
    if (!isEditable()) return;
    range = selected() ?? range;
    become(paste(now(), blocksIn(event.clipboardData)));
  }

  function copied(event) {
    const chosen = selected();
    if (!chosen || isCollapsed(chosen)) return;
    event.preventDefault();
    putSelection(event.clipboardData, { lines, range: chosen });
    if (event.type === "cut" && isEditable()) become(remove({ lines, range: chosen }));
  }

  function keyed(event) {
    if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey || !isEditable()) return;
    range = selected() ?? range;
    const next = neighbourCell(now(), event.shiftKey ? -1 : 1);
    if (!next) return;
    event.preventDefault();
    become({ lines, range: next });
  }

  function run(name, value) {
    if (!isEditable()) return;
    // The event that tells of a new selection may still be on its way.
    range = selected() ?? range;
    root.focus({ preventScroll: true });
    steps.rest();
    const isLook = name === "bold" || name === "italic";
    if (isLook && isCollapsed(range)) {
      const looks = pending ?? lookAt(now());
      pending = { bold: Boolean(looks.bold), italic: Boolean(looks.italic), [name]: !looks[name] };
      show();
      onMove();
    } else {
      become(commands[name](now(), value));
    }
  }

  function travel(direction) {
    const state = steps[direction]();
    if (!state) return;
    ({ lines, range } = state);
    pending = null;
    root.focus({ preventScroll: true });
    show();
    onChange();
    onMove();
  }

  const isEditable = () => root.isContentEditable;

  root.addEventListener("beforeinput", beforeInput);
  root.addEventListener("input", () => (isComposing ? onChange() : adopt()));
  root.addEventListener("compositionstart", () => { isComposing = true; });
  root.addEventListener("compositionend", () => {
    isComposing = false;
    adopt();
  });
  root.addEventListener("paste", pasted);
  root.addEventListener("copy", copied);
  root.addEventListener("cut", copied);
  root.addEventListener("keydown", keyed);
  for (const name of ["dragover", "drop"]) root.addEventListener(name, (event) => event.preventDefault());
  document.addEventListener("selectionchange", () => {
    const next = isComposing ? null : selected();
    // While a tool has the focus, what was selected last counts.
    if (!next || JSON.stringify(next) === JSON.stringify(range)) return;
    range = next;
    pending = null;
    steps.at(range);
    onMove();
  });

  return {
    load(blocks) {
      lines = toLines(blocks.some(({ kind }) => kind !== "page-break") ? blocks : [...blocks, { kind: "paragraph", runs: [] }]);
      range = settled(lines, caret(0, 0));
      steps = history(now());
      draw(root, toBlocks(lines));
      onMove();
    },
    // A word that is still being composed is in the page, and not yet in the lines.
    blocks: () => (isComposing ? readBlocks(root) : toBlocks(lines)),
    run,
    undo: () => travel("undo"),
    redo: () => travel("redo"),
    focus: () => {
      root.focus();
      show();
    },
    /** What the toolbar shows. */
    state() {
      const line = lines[range.start.line] ?? lines[0];
      const look = (mark) => (pending ? pending[mark] : has(now(), mark));
      return {
        align: line.align ?? "start", isPlain: line.kind === "paragraph" || line.kind === "heading", level: line.kind === "heading" ? line.level : 0, isCell: line.kind === "cell", list: line.kind === "item" ? line.ordered : null,
        bold: look("bold"), italic: look("italic"), isInTable: tableAt(now()) !== null, canUndo: steps.canUndo(), canRedo: steps.canRedo(),
      };
    },
  };
}
