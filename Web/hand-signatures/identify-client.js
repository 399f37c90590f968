// Whether it is this client: the operator compares the person with a paper before a second sitting, or before another name.

import { $, busy, describe } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { deviceText } from "./device-text.js";
import { circumstances, empty, isWhole, nameFaults, offerPapers, paper, text } from "./paper-fields.js";
import { nameOf } from "./words.js";

/** The required fields for another name, and the words when one is empty. */
const naming = {
  reason: t`Say why.`,
};

/**
 * Minds the dialog.
 *
 * @returns `identify(client, act)`, which resolves when the dialog has closed: to `{paper}`, or `null` when it was given
 *   up. With `act` it asks for another name as well; `act({given_name, family_name, paper, reason, circumstances})` changes it while the
 *   dialog is open, and what it throws is said there.
 */
export function identifyDialog() {
  const dialog = $("#identifying");
  const form = $("#identify-form");
  let act = null;
  let filledIn = null;
  let isChanging = false;

  offerPapers(form);
  // An act under way is not given up: the dialog's end says how it went.
  $("#identify-no").addEventListener("click", () => { if (!isChanging) dialog.close(); });
  dialog.addEventListener("cancel", (event) => { if (isChanging) event.preventDefault(); });
  form.addEventListener("input", () => { $("#identify-error").textContent = ""; });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#identify-yes"), go);
  });

  async function go() {
    $("#identify-error").textContent = "";
    if (!isWhole(form, act ? naming : {}, act ? nameFaults() : [])) return;
    const values = { paper: paper() };
    isChanging = true;
    try {
      await act?.({
        ...values, given_name: text("given"), family_name: text("family"), reason: text("reason"),
        circumstances: await circumstances(deviceText()),
      });
    } catch (error) {
      $("#identify-error").textContent = describe(error);
      return;
    } finally {
      isChanging = false;
    }
    filledIn = values;
    dialog.close();
  }

  return async (client, change = null) => {
    act = change;
    filledIn = null;
    empty(form);
    $("#identify-title").textContent = act ? t`Another name` : t`Is it the same person?`;
    $("#identify-text").textContent = act
      ? t`Until now: ${nameOf(client)}. Write the name as the ID document has it.`
      : t`Compare the person with an ID document of ${nameOf(client)} again.`;
    $("#identify-yes").textContent = act ? t`Change the name` : t`Go on to the signatures`;
    for (const id of ["#identify-names", "#identify-reason"]) $(id).hidden = !act;
    if (act) {
      $("#given").value = client.given_name;
      $("#family").value = client.family_name;
    }
    dialog.showModal();
    await new Promise((resolve) => { dialog.addEventListener("close", resolve, { once: true }); });
    return filledIn;
  };
}
