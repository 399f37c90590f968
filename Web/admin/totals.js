// Fields for the total of a column, such as the credits of all courses: filled in while a person types, until they
// write another number themselves. Then it says what the rows add up to. The core adds up, exactly.

import { call } from "../shell/core.js";
import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/**
 * Keeps the totals among `parts`, the fields of a form by name.
 *
 * @param read the values that the form has now
 * @returns what to call after each change
 */
export function totalsOf(type, parts, read) {
  const filled = new Map();
  const hints = new Map();
  let newest = 0;

  function show(name, part, sum) {
    const raw = part.raw().trim();
    const isOurs = raw === "" || raw === filled.get(name);
    if (isOurs && raw !== sum) part.setRaw(sum);
    filled.set(name, sum);
    if (!hints.has(name)) {
      hints.set(name, make("p", { class: "meta", role: "status" }));
      part.element.append(hints.get(name));
    }
    const isOther = sum !== "" && !isOurs && Number(raw.replace(",", ".")) !== Number(sum);
    hints.get(name).textContent = isOther ? t`The rows add up to ${sum}.` : "";
  }

  return async function refresh() {
    const mine = (newest += 1);
    const { value: { totals } } = await call("totals", { type: type.id, fields: read() });
    if (mine !== newest) return;
    for (const name of new Set([...Object.keys(totals), ...filled.keys()])) {
      const part = parts.get(name);
      if (part) show(name, part, String(totals[name] ?? ""));
    }
  };
}
