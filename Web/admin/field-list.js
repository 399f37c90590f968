// A field that is a list: a table of inputs with rows to add and to remove. A part of a spreadsheet can be pasted in.

import { make } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { fieldInput, fieldLabel } from "./field-input.js";
import { fieldProblem } from "./words.js";

const mostRows = 500;

/** Makes the table of a list field: `{element, label, rows(), raw, setRaw, showProblem, focusTarget}`. */
export function fieldList(field, id, onChange) {
  const rows = [];
  let made = 0;
  const body = make("tbody");
  const error = make("p", { class: "error-text", id: `${id}-error` });
  const news = make("p", { class: "visually-hidden", role: "status" });
  const add = make("button", { type: "button", class: "button", onclick: () => addMore() }, t`Add a row`);
  const head = make("tr", {}, ...field.fields.map((column) => fieldLabel("th", { scope: "col" }, column)),
    make("th", {}, make("span", { class: "visually-hidden" }, t`Remove`)));
  const element = make("fieldset", { class: "stack", "aria-describedby": error.id },
    fieldLabel("legend", {}, field), make("table", { class: "data" }, make("thead", {}, head), body),
    error, make("p", { class: "row" }, add, make("span", { class: "meta" }, t`Or paste cells from a spreadsheet.`)), news);

  function addMore() {
    addRow()?.inputs.values().next().value.input.focus();
    onChange();
  }

  function addRow(raw = {}) {
    if (rows.length >= mostRows) return undefined;
    const number = (made += 1);
    const inputs = new Map(field.fields.map((column) =>
      [column.name, fieldInput(column, `${id}-${number}-${column.name}`, { row: rows.length + 1 })]));
    const remove = make("button", { type: "button", class: "button quiet danger", onclick: () => removeRow(row) }, t`Remove`);
    const cells = field.fields.map((column) => make("td", { "data-label": column.label }, inputs.get(column.name).element));
    const row = { inputs, remove, element: make("tr", {}, ...cells, make("td", {}, remove)) };
    for (const [name, input] of inputs) input.setRaw(raw[name]);
    rows.push(row);
    body.append(row.element);
    renumber();
    return row;
  }

  function removeRow(row) {
    const index = rows.indexOf(row);
    rows.splice(index, 1);
    row.element.remove();
    renumber();
    news.textContent = plural(rows.length, "Row {1} removed, {0} left.", "Row {1} removed, {0} left.", index + 1);
    (rows[Math.min(index, rows.length - 1)]?.remove ?? add).focus();
    onChange();
  }

  function renumber() {
    rows.forEach((row, index) => {
      row.remove.setAttribute("aria-label", t`Remove row ${index + 1}`);
      field.fields.forEach((column) =>
        row.inputs.get(column.name).input.setAttribute("aria-label", t`${column.label}, row ${index + 1}`));
    });
    add.disabled = rows.length >= mostRows;
  }

  body.addEventListener("input", () => { error.textContent = ""; });
  body.addEventListener("paste", (event) => {
    const cells = (event.clipboardData?.getData("text/plain") ?? "").replace(/\r?\n$/, "").split(/\r?\n/)
      .map((line) => line.split("\t"));
    if (cells.length === 1 && cells[0].length === 1) return;
    event.preventDefault();
    const place = rows.findIndex((row) => row.element.contains(event.target));
    const column = field.fields.findIndex(({ name }) => rows[place].inputs.get(name).input === event.target);
    paste(cells, place, column);
  });

  function paste(lines, place, column) {
    lines.forEach((cells, offset) => {
      const row = rows[place + offset] ?? addRow();
      cells.forEach((text, index) => {
        const name = field.fields[column + index]?.name;
        if (row && name) row.inputs.get(name).setRaw(text.trim());
      });
    });
    error.textContent = "";
    news.textContent = plural(lines.length, "{0} rows pasted.", "{0} rows pasted.");
    onChange();
  }

  addRow();
  return {
    element,
    label: field.label,
    rows: () => rows,
    raw: () => rows.map((row) => Object.fromEntries([...row.inputs].map(([name, input]) => [name, input.raw()]))),
    setRaw(saved) {
      for (const row of rows.splice(0)) row.element.remove();
      for (const raw of Array.isArray(saved) && saved.length > 0 ? saved : [{}]) addRow(raw);
    },
    showProblem: (reason) => { error.textContent = reason ? fieldProblem(reason) : ""; },
    focusTarget: () => rows[0]?.inputs.values().next().value.input ?? add,
  };
}
