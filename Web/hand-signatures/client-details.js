// A client's values in the organisation's own fields: shown among the facts, and changed in a dialog.

import { api } from "../shell/api.js";
import { $, $$, busy, describe, make, notice } from "../shell/dom.js";
import { showSummary } from "../shell/error-summary.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { askedFields, drawFields, fieldFaults, fieldValues, shownValue } from "./client-fields.js";

/**
 * Minds facts and dialog of the client at `path`.
 *
 * @param changed called when the fields were changed
 * @returns `show(client)`, to be called whenever the client was read
 */
export async function clientDetails(me, path, changed) {
  const fields = await askedFields();
  const dialog = $("#fields-dialog");
  const form = $("#fields-form");
  let client = null;

  $("#fields-part").hidden = fields.length === 0;
  $("#change-fields").addEventListener("click", () => {
    drawFields($("#fields-place"), fields, client.fields);
    showSummary(form, []);
    $("#fields-error").textContent = "";
    dialog.showModal();
  });
  $("#fields-no").addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#fields-yes"), save);
  });

  async function save() {
    $("#fields-error").textContent = "";
    const faults = fieldFaults(fields).map(([id, words]) => ({ place: $(`#${id}-error`), control: $(`#${id}`), words }));
    for (const { place, control, words } of faults) {
      place.textContent = words;
      control.setAttribute("aria-invalid", "true");
    }
    showSummary(form, faults.map(({ place, control, words }) => ({ control, words, clear: () => {
      place.textContent = "";
      control.removeAttribute("aria-invalid");
    } })));
    if (faults.length > 0) return;
    const wanted = fieldValues(fields);
    try {
      const { client: now, receipt } = await once(
        t`the fields were changed`, () => api.put(`${path}/fields`, { fields: wanted }),
        async () => {
          const found = await api.get(path);
          const isDone = found.fields.length === wanted.length && wanted.every((one) => found.fields.some(({ field, value }) => field === one.field && value === one.value));
          return isDone ? { client: found, receipt: null } : undefined;
        });
      if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, "client.changed");
      show(now);
    } catch (error) {
      $("#fields-error").textContent = describe(error);
      return;
    }
    dialog.close();
    notice("success", t`The fields are changed. Documents that were signed stay as they are.`);
    // The history has one act more.
    await changed().catch((error) => notice("error", describe(error)));
  }

  function show(now) {
    client = now;
    for (const row of $$("[data-own-field]", $("#facts"))) row.remove();
    $("#facts").append(...fields.map((field) => {
      const value = client.fields?.find((one) => one.field === field.id)?.value;
      return make("div", { "data-own-field": field.id }, make("dt", {}, field.label), make("dd", {}, value === undefined ? "—" : shownValue(field, value)));
    }));
  }

  return show;
}
