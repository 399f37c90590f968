// The rows of what is being added.

import { $, clone, describe } from "../shell/dom.js";
import { t } from "../shell/translate.js";

const rows = new WeakMap();

/** Draws a row for each of `list`, `{transfer}`; `again` and `drop` are for what has failed. */
export function drawTransfers(list, { again, drop }) {
  const place = $("#transfers");
  const elements = list.map((one) => {
    if (!rows.has(one)) rows.set(one, row(one, { again, drop }));
    update(rows.get(one), one.transfer);
    return rows.get(one);
  });
  for (const old of [...place.children]) if (!elements.includes(old)) old.remove();
  for (const element of elements) if (!element.isConnected) place.append(element);
}

function row(one, { again, drop }) {
  const element = clone("transfer-row", { name: one.transfer.name });
  $("progress", element).setAttribute("aria-label", one.transfer.name);
  $("[data-act=pause]", element).addEventListener("click", () => {
    const { transfer } = one;
    if (transfer.state === "failed") again(one);
    else if (transfer.state === "paused") transfer.resume();
    else transfer.pause();
  });
  $("[data-act=cancel]", element).addEventListener("click", () => {
    if (one.transfer.state === "failed") drop(one);
    else one.transfer.cancel();
  });
  return element;
}

function update(element, { state, progress, error }) {
  $("progress", element).value = progress;
  const words = {
    waiting: t`Waiting`, running: t`Being sealed and sent`, paused: t`Paused`, done: t`Done`, cancelled: t`Cancelled`,
    failed: error ? describe(error) : "",
  }[state];
  const place = $("[data-state]", element);
  if (place.textContent !== words) place.textContent = words;
  $("[data-act=pause]", element).textContent = { paused: t`Resume`, failed: t`Try again` }[state] ?? t`Pause`;
  $("[data-act=cancel]", element).textContent = state === "failed" ? t`Dismiss` : t`Cancel`;
}
