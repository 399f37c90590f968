// Text that goes through the clipboard: what comes in is reduced to the model, what goes out has only its elements.

import { fromHTML, fromText } from "./text-pasted.js";
import { selectedRuns } from "./text-kinds.js";
import { toBlocks } from "./text-lines.js";
import { drawBlock } from "./text-view.js";

/** More than this is not searched for headings and tables, but put in as plain text. */
const longestMarkup = 2_000_000;

const written = (box) => [...box.children].map((one) => new XMLSerializer().serializeToString(one)).join("");
const withoutMarks = (text) => text.replaceAll("\u200b", "");

/** The blocks that the clipboard holds. */
export function blocksIn(data) {
  const html = data.getData("text/html");
  return html !== "" && html.length <= longestMarkup ? fromHTML(html) : fromText(data.getData("text/plain"));
}

/** Puts what is selected into the clipboard, without the marks that help the caret. */
export function putSelection(data, { lines, range }) {
  const parts = selectedRuns({ lines, range });
  const chosen = lines.slice(range.start.line, range.end.line + 1).map((line, index) => ({ ...line, runs: parts[index] }));
  const box = document.createElement("div");
  box.append(...toBlocks(chosen).map(drawBlock));
  const plain = [...box.querySelectorAll("p, h1, h2, h3, li, th, td")].map((one) => one.textContent);
  data.setData("text/html", withoutMarks(written(box)).replaceAll("\n", "<br>"));
  data.setData("text/plain", withoutMarks(plain.join("\n")));
}
