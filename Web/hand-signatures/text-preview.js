// A text as a client will read it: with made-up values in its places. Nothing is saved or sent.

import { $, make } from "../shell/dom.js";
import { locale, t } from "../shell/translate.js";
import { drawBlock } from "./text-view.js";

/** Values that can be told from real ones at a glance. */
const samples = () => ({
  given_name: "Ada", family_name: t`Sample`, number: "00000000", date: new Date().toLocaleDateString(locale, { dateStyle: "long" }),
  organisation: $(".brand span span").textContent,
});

/** Shows it until it is closed. */
export function previewText(name, blocks, header) {
  const values = samples();
  const paper = make("div", { class: "paper", tabindex: "0", "aria-label": t`The document with made-up values` }, ...header, ...blocks.map(drawBlock));
  for (const chip of paper.querySelectorAll("[data-field]")) {
    chip.replaceWith(make("mark", {}, values[chip.dataset.field] ?? chip.textContent));
  }
  const close = make("button", { class: "button primary", value: "close" }, t`Close`);
  const dialog = document.body.appendChild(make("dialog", { class: "preview", "aria-labelledby": "preview-title" },
    make("form", { method: "dialog" },
      make("h2", { id: "preview-title" }, name || t`New text`),
      make("p", { class: "meta" }, t`With made-up values. The real ones come from the client's registration when it is signed.`),
      paper, make("div", { class: "actions" }, close))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  close.focus();
}
