// Who a client is: the form that an operator fills in with the person and a paper in front of them.

import { api } from "../shell/api.js";
import { $, describe } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { areTouched, drawFields, fieldFaults, fieldValues } from "./client-fields.js";
import { circumstances, complain, isWhole, nameFaults, offerPapers, paper, text } from "./paper-fields.js";
import { nameOf } from "./words.js";

/**
 * Minds the form.
 *
 * @param client whose signatures are taken again; `null` for a new one
 * @param fields what the organisation asks of a new client
 * @returns `{read(), circumstances(device), isTouched(), lookUp()}`
 */
export function identityForm(client, fields = []) {
  offerPapers($("#person"));
  drawFields($("#own-fields"), fields);
  $("#number").addEventListener("input", () => { $("#number-state").textContent = ""; });
  $("#number").addEventListener("change", () => lookUp().catch(() => { /* It is looked up once more before anything is sent. */ }));

  /** Whether nobody has this number yet; says it beside the field. */
  async function lookUp() {
    const number = text("number");
    if (number === "") return true;
    try {
      const known = await api.post("/api/clients/lookup", { number });
      if (number === text("number")) complain("number", t`${nameOf(known)} is registered with this number.`);
      return false;
    } catch (error) {
      if (error.kind !== "not-found") throw error;
      if (number === text("number")) $("#number-state").textContent = t`Nobody is registered with this number.`;
      return true;
    }
  }

  /** The values, or `null` after saying what is missing. */
  async function read() {
    if (!isWhole($("#person"), client ? again : firstTime, [...(client ? [] : nameFaults()), ...fieldFaults(fields)])) return null;
    if (client) return { reason: text("reason"), paper: paper() };
    try {
      if (await lookUp()) return { number: text("number"), given_name: text("given"), family_name: text("family"), paper: paper(), ...(fields.length > 0 && { fields: fieldValues(fields) }) };
    } catch (error) {
      complain("number", describe(error));
    }
    $("#number").focus();
    return null;
  }

  return {
    read,
    circumstances,
    lookUp,
    isTouched: () => areTouched(fields) || ["number", "given", "family", "reason"].some((name) => text(name) !== ""),
  };
}

/** The required fields, and the words when one is empty. */
const firstTime = {
  number: t`Write the number that is on the ID document.`,
};
const again = { reason: t`Say why.` };
