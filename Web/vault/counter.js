// Showing one file and nothing else, to hand the device over: the vault is locked already.

import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { seenOf } from "./file-element.js";

/** What the history says of the step that Back takes first. */
const step = "counter";

/** Shows a file over the whole screen until it is closed; Back closes it too, before it leads anywhere. */
export async function present(item, blob) {
  const { element, address } = await seenOf(item, blob);
  const close = make("button", { type: "button", class: "button", onclick: () => dialog.close() }, t`Close`);
  const dialog = document.body.appendChild(make("dialog", { class: "counter", "aria-label": item.name }, element, make("div", { class: "actions" }, close)));
  const onBack = () => dialog.close();
  history.pushState({ ...history.state, [step]: true }, "");
  addEventListener("popstate", onBack);
  dialog.addEventListener("close", () => {
    removeEventListener("popstate", onBack);
    if (history.state?.[step]) history.back();
    if (address) URL.revokeObjectURL(address);
    dialog.remove();
  });
  dialog.showModal();
  close.focus();
}
