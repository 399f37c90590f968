// Forgetting a client, for ever: the main administrator, who types the name to be sure.

import { api } from "../shell/api.js";
import { $, busy, describe, fill, notice } from "../shell/dom.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";

/**
 * Minds the dialog.
 *
 * @param path of the client
 * @returns `erase(client)`, which resolves when the dialog has closed: whether it was done
 */
export function eraseDialog(me, path) {
  const dialog = $("#erasing");
  let client = null;

  $("#erase-no").addEventListener("click", () => dialog.close());
  $("#erase-form").addEventListener("input", () => complain(""));
  $("#erase-form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#erase-yes"), go);
  });

  async function go() {
    const reason = $("#erase-reason").value.trim();
    if (reason === "") return complain(t`Say why. Nothing was erased.`, "#erase-reason");
    if ($("#erase-name").value.trim() !== client.family_name) return complain(t`That is not the family name. Nothing was erased.`, "#erase-name");
    try {
      const { receipt } = await once(
        t`the client was erased`,
        () => api.post(`${path}/erasure`, { reason }, { reason: t`Erase a client for ever` }),
        () => api.get(path).then(() => undefined, (error) => {
          if (error.kind !== "not-found") throw error;
          return {};
        }));
      if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, "client.erased");
    } catch (error) {
      return complain(describe(error));
    }
    dialog.close("erased");
    notice("success", t`The client is erased. Signed documents stay sealed.`);
    return undefined;
  }

  function complain(words, field) {
    $("#erase-error").textContent = words;
    for (const id of ["#erase-reason", "#erase-name"]) {
      if (id === field) $(id).setAttribute("aria-invalid", "true");
      else $(id).removeAttribute("aria-invalid");
    }
    if (field) $(field).focus();
  }

  return async (one) => {
    client = one;
    $("#erase-form").reset();
    complain("");
    fill(dialog, { family: client.family_name });
    dialog.returnValue = "";
    dialog.showModal();
    // The safe answer: one key pressed too often erases nobody.
    $("#erase-no").focus();
    await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
    return dialog.returnValue === "erased";
  };
}
