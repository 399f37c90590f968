// The fields that the organisation asks of its clients beyond name and number: the main administrator adds, changes,
// moves and removes them. Each change is stored at once; what was removed can be taken back.

import { api } from "../shell/api.js";
import { $, busy, clone, describe, undoable } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";

const path = "/api/desk/fields";
const most = 10;
const kinds = { text: t`A line of text`, number: t`A number`, date: t`A date`, choice: t`A choice` };

/** Minds the section. */
export async function fieldSettings(me) {
  const mayChange = me.may("change_desk");
  const dialog = $("#field-dialog");
  const form = $("#field-form");
  let fields = (await api.get(path)).fields;
  /** The field that the dialog changes; `null` for a new one. */
  let changed = null;

  $("#add-field").addEventListener("click", () => open(null));
  $("#field-no").addEventListener("click", () => dialog.close());
  $("#field-kind").addEventListener("change", showChoices);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#field-yes"), save);
  });
  show();
  $("#fields").hidden = false;

  function open(field) {
    changed = field;
    $("#field-title").textContent = field ? t`Change the field` : t`Add a field`;
    $("#field-yes").textContent = field ? t`Save the field` : t`Add the field`;
    $("#field-label").value = field?.label ?? "";
    $("#field-kind").value = field?.kind ?? "text";
    $("#field-kind").disabled = Boolean(field);
    $("#field-choices").value = field?.choices?.join("\n") ?? "";
    $("#field-required").checked = field?.is_required ?? false;
    $("#field-error").textContent = "";
    complain(form, [$("#field-label"), $("#field-label-error"), ""], [$("#field-choices"), $("#field-choices-error"), ""]);
    showChoices();
    dialog.showModal();
  }

  function showChoices() {
    $("#field-choices-part").hidden = $("#field-kind").value !== "choice";
  }

  async function save() {
    const [label, kind] = [$("#field-label").value.trim(), $("#field-kind").value];
    const choices = kind === "choice" ? [...new Set($("#field-choices").value.split("\n").map((one) => one.trim()).filter(Boolean))] : null;
    const isTaken = fields.some((one) => one.id !== changed?.id && one.label === label);
    const labelFault = label === "" ? t`Say what the field is called.` : isTaken ? t`Another field is called so.` : "";
    const choiceFault = choices && (choices.length < 2 || choices.length > 20) ? t`Write 2 to 20 choices, each in a line of its own.` : "";
    if (!complain(form, [$("#field-label"), $("#field-label-error"), labelFault], [$("#field-choices"), $("#field-choices-error"), choiceFault])) return;
    const field = { ...(changed && { id: changed.id }), label, kind, is_required: $("#field-required").checked, ...(choices && { choices }) };
    try {
      await store(changed ? fields.map((one) => (one.id === changed.id ? field : one)) : [...fields, field]);
    } catch (error) {
      $("#field-error").textContent = describe(error);
      return;
    }
    dialog.close();
  }

  async function store(wanted) {
    const now = await api.put(path, { fields: wanted }, { reason: t`Change what is asked of clients` });
    fields = now.fields;
    show();
    if (now.receipt && me.record) await verifyReceipt(me.record.trust, now.receipt, "desk.changed");
  }

  async function remove(field) {
    const before = fields;
    await store(fields.filter(({ id }) => id !== field.id));
    undoable(t`“${field.label}” is no longer asked. Values that clients have in it are hidden, and go when they are erased.`, () => store(before));
  }

  async function raise(field) {
    const place = fields.indexOf(field);
    await store(fields.toSpliced(place, 1).toSpliced(place - 1, 0, field));
    $(`[data-id="${CSS.escape(field.id)}"] [data-act=change]`)?.focus();
  }

  function show() {
    $("#add-field").hidden = !mayChange || fields.length >= most;
    $("#no-fields").hidden = fields.length > 0;
    $("#field-list").replaceChildren(...fields.map((field, place) => {
      const about = [kinds[field.kind], field.choices?.join(", "), field.is_required ? t`required` : ""].filter(Boolean).join(" · ");
      const row = clone("field-row", { id: field.id, label: field.label, about, mayChange });
      const on = (act, name, run) => {
        const button = $(`[data-act=${act}]`, row);
        button.setAttribute("aria-label", name);
        button.addEventListener("click", () => busy(button, run));
      };
      on("change", t`Change “${field.label}”`, async () => open(field));
      on("raise", t`Move “${field.label}” up`, () => raise(field));
      on("remove", t`Remove “${field.label}”`, () => remove(field));
      $("[data-act=raise]", row).hidden = place === 0;
      return row;
    }));
  }
}
