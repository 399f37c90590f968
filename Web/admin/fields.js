// The form of a type of document. The core finds the faults, and all of them are shown at once.

import { call } from "../shell/core.js";
import { make } from "../shell/dom.js";
import { showSummary } from "../shell/error-summary.js";
import { listing } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { fieldInput } from "./field-input.js";
import { fieldList } from "./field-list.js";
import { totalsOf } from "./totals.js";
import { fieldProblem } from "./words.js";

/**
 * Draws the fields of `type` into `container`.
 *
 * @param skip names of fields that the program fills in itself
 * @param onChange called after everything that a person changes
 * @returns `{raw, setRaw, read}`: raw texts for a draft, and `read(more)`, see there
 */
export function fieldsForm(container, type, { skip = [], onChange = () => {} } = {}) {
  const shown = type.fields.filter(({ name }) => !skip.includes(name));
  let addUp = async () => {};
  const changed = () => {
    addUp().then(onChange, console.error);
  };
  const parts = new Map(shown.map((field) => {
    const id = `field-${field.name}`;
    return [field.name, field.kind === "list" ? fieldList(field, id, changed) : fieldInput(field, id)];
  }));
  addUp = totalsOf(type, parts, () => collect(parts).fields);
  container.replaceChildren(...arranged([...parts.values()]));
  container.addEventListener("input", changed);

  /**
   * Reads the form, together with the fields in `more`, which the program fills in.
   *
   * @param others what the page itself finds wrong in the same form, as `showSummary` takes it
   * @returns the fields, in the type's order, or `null` after showing what is wrong beside each of them
   */
  async function read(more = {}, others = []) {
    const { fields, places, problems } = collect(parts);
    const ordered = Object.fromEntries(
      type.fields.map(({ name }) => [name, fields[name] ?? more[name]]).filter(([, value]) => value !== undefined));
    const { value } = await call("validate", { type: type.id, fields: ordered });
    const found = [...problems, ...value.problems.filter(({ field }) => !problems.some((one) => one.field === field))];
    return showProblems(container.closest("form"), parts, places, found, others) ? null : ordered;
  }

  return {
    read,
    raw: () => Object.fromEntries([...parts].map(([name, part]) => [name, part.raw()])),
    setRaw(saved) {
      for (const [name, part] of parts) if (name in saved) part.setRaw(saved[name]);
      addUp().catch(console.error);
    },
  };
}

/** Fields that follow one another stand side by side where there is room; a table takes the whole width. */
function arranged(parts) {
  const elements = [];
  for (const part of parts) {
    if (part.rows) elements.push(part.element);
    else if (elements.at(-1)?.className === "grid") elements.at(-1).append(part.element);
    else elements.push(make("div", { class: "grid" }, part.element));
  }
  return elements;
}

/** Values, which input each path such as `courses[2].credits` means, and what the browser itself could not read. */
function collect(parts) {
  const fields = {};
  const places = new Map();
  const problems = [];
  const take = (input, path, into, name) => {
    places.set(path, input);
    if (input.hasBadInput()) problems.push({ field: path, reason: "not_date" });
    const value = input.value();
    if (value !== undefined) into[name] = value;
  };
  for (const [name, part] of parts) {
    if (!part.rows) {
      take(part, name, fields, name);
      continue;
    }
    places.set(name, part);
    // A row in which nothing was written is no row.
    const written = part.rows().filter((row) => [...row.inputs.values()].some((one) => one.raw().trim() || one.hasBadInput()));
    written.forEach((row, index) => {
      const values = {};
      for (const [column, input] of row.inputs) take(input, `${name}[${index}].${column}`, values, column);
      (fields[name] ??= []).push(values);
    });
  }
  return { fields, places, problems };
}

/** Shows problems beside their fields and all of them at the top of the form; answers whether there are any. */
function showProblems(form, parts, places, problems, others) {
  for (const part of parts.values()) {
    part.showProblem(null);
    for (const row of part.rows?.() ?? []) for (const input of row.inputs.values()) input.showProblem(null);
  }
  const known = [];
  const unknown = [];
  for (const { field, reason } of problems) {
    const place = places.get(field) ?? places.get(field.replace(/\[.*$/, ""));
    if (!place) {
      unknown.push(field);
      continue;
    }
    place.showProblem(reason);
    known.push({
      control: place.input ?? place.focusTarget(), words: `${place.label}: ${fieldProblem(reason)}`,
      clear: () => place.showProblem(null), isMissing: reason === "missing",
    });
  }
  if (unknown.length > 0) {
    // The page is older than the server: nothing in it is the place for these.
    throw new Error(t`This page does not know the fields ${listing(unknown)}. Reload it and try again.`);
  }
  showSummary(form, [...known, ...others]);
  return known.length + others.length > 0;
}
