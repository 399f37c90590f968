// A dialog for something that takes long: a form, then how far it is with a way to stop it, then what came of it.

import { describe, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { Transfer } from "./transfers.js";

/** A labelled field. */
export const field = (id, label, control, hint) => make("div", { class: "field" }, make("label", { for: id }, label), control,
  ...(hint ? [make("p", { class: "hint" }, hint)] : []));

/** How many of these dialogs are at work: the vault stays open for them. */
let working = 0;

/** Whether one is at work. */
export const isCarrying = () => working > 0;

/**
 * Shows the dialog until it is closed.
 *
 * @param heading its title; @param body the elements of the form; @param confirm the words of its button
 * @param act does the work: `act(transfer, say)`, where `say` tells what is being done now. Gives the elements to show at the end;
 *   null goes back to the form. What it throws is said in the form.
 */
export function carryDialog({ heading, body, confirm, act }) {
  const title = make("h2", { id: "carry-title" }, heading);
  const error = make("p", { class: "error-text", role: "alert" });
  const [bar, state] = [make("progress", { max: 1, value: 0, "aria-label": heading }), make("p", { class: "hint", role: "status" })];
  const progress = make("div", { class: "stack tight", hidden: true }, bar, state);
  const fields = make("div", { class: "stack" }, ...body);
  const cancel = make("button", { type: "button", class: "button", onclick: () => stop() }, t`Cancel`);
  const go = make("button", { class: "button primary" }, confirm);
  const form = make("form", { class: "stack", novalidate: true }, title, fields, progress, error, make("div", { class: "actions" }, cancel, go));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id, class: "carry" }, form));
  let transfer = null;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (transfer) return;
    error.textContent = "";
    transfer = new Transfer(heading);
    transfer.addEventListener("change", () => { bar.value = transfer.progress; });
    working += 1;
    show(true);
    const shown = await transfer.run((one) => act(one, (words) => { state.textContent = words; }));
    working -= 1;
    const { state: end, error: why } = transfer;
    transfer = null;
    show(false);
    if (end === "done" && shown) return finish(shown);
    if (end !== "done" && !isQuiet(why)) error.textContent = describe(why);
    return undefined;
  });
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    stop();
  });
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      // It was locked while it worked.
      transfer?.cancel();
      dialog.remove();
      done();
    });
  });

  function stop() {
    if (transfer) transfer.cancel();
    else dialog.close();
  }

  function show(isBusy) {
    [progress.hidden, fields.hidden, go.hidden] = [!isBusy, isBusy, isBusy];
    bar.value = 0;
    state.textContent = "";
    cancel.textContent = isBusy ? t`Stop` : t`Cancel`;
    if (isBusy) cancel.focus();
  }

  function finish(elements) {
    fields.hidden = false;
    fields.replaceChildren(...elements);
    go.hidden = true;
    cancel.textContent = t`Close`;
    cancel.focus();
  }
}

/** The person has stopped it, or closed the browser's own dialog: they know. */
const isQuiet = (error) => error?.kind === "cancelled" || error?.name === "AbortError";
