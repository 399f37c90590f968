// Who a client is: the form that an operator fills in with the person and a paper before her.

import { papers } from "../admin/words.js";
import { api } from "../shell/api.js";
import { $, clone, describe } from "../shell/dom.js";
import { nameOf } from "./words.js";

const otherPaper = "other";

/**
 * Minds the form.
 *
 * @param client whose signatures are taken anew; `null` for somebody new
 * @returns `{read(), isTouched(), lookUp()}`
 */
export function identityForm(client) {
  const list = [...Object.entries(papers), [otherPaper, "Another paper"]];
  $("#paper-list").append(...list.map(([value, word]) => clone("paper", { value, word })));
  $("#person").addEventListener("input", ({ target }) => complain(target.name === "paper" ? "paper" : target.id, ""));
  $("#paper-list").addEventListener("change", () => { $("#other").hidden = chosen() !== otherPaper; });
  $("#number").addEventListener("input", () => { $("#number-state").textContent = ""; });
  $("#number").addEventListener("change", () => lookUp().catch(() => { /* It is looked up once more before anything is sent. */ }));

  /** Whether nobody has this number yet; says it beside the field. */
  async function lookUp() {
    const number = text("number");
    if (number === "") return true;
    try {
      const known = await api.post("/api/clients/lookup", { number });
      if (number === text("number")) complain("number", `${nameOf(known)} is registered with this number.`);
      return false;
    } catch (error) {
      if (error.kind !== "not-found") throw error;
      if (number === text("number")) $("#number-state").textContent = "Nobody is registered with this number.";
      return true;
    }
  }

  /** What was filled in, or `null` after saying what is missing. */
  async function read() {
    const faults = Object.entries(client ? again : anew).filter(([name, words]) => text(name) === "" && complain(name, words));
    if (paper() === "") faults.push(complain("paper", "Choose the paper that you see."));
    if (!$("#compared").checked) faults.push(complain("compared", "Compare the person with the paper first."));
    if (faults.length > 0) {
      $("#person [aria-invalid=true]")?.focus();
      return null;
    }
    if (client) return { reason: text("reason"), paper: paper() };
    try {
      if (await lookUp()) return { number: text("number"), given_name: text("given"), family_name: text("family"), paper: paper() };
    } catch (error) {
      complain("number", describe(error));
    }
    $("#number").focus();
    return null;
  }

  return {
    read,
    lookUp,
    isTouched: () => ["number", "given", "family", "reason"].some((name) => text(name) !== ""),
  };
}

/** What must be filled in, and what is said of it otherwise. */
const anew = {
  number: "Write the number that stands in the paper.",
  given: "Write the given name, as the paper has it.",
  family: "Write the family name, as the paper has it.",
};
const again = { reason: "Say why." };

const text = (name) => $(`#${name}`).value.trim();
const chosen = () => $("#paper-list :checked")?.value ?? "";

/** In words, as it stands in the record. */
function paper() {
  return chosen() === otherPaper ? text("other-paper") : papers[chosen()] ?? "";
}

/** Says beside a field what is wrong; `""` takes it back. */
function complain(name, words) {
  const place = $(`#${name}-error`);
  if (!place) return words;
  place.textContent = words;
  const field = name === "paper" ? $("#paper-list input") : $(`#${name}`);
  if (words) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  return words;
}
