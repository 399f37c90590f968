// The permissions of the desk, and the forensic key, which is made away from the server.

import { api } from "../shell/api.js";
import { $, busy, notice } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { fieldSettings } from "./field-settings.js";
import { start } from "./start.js";

const path = "/api/desk/settings";
const names = ["learns", "takes_place", "takes_photographs"];

start(async (me) => {
  const form = $("#form");
  const mayChange = me.may("change_desk");
  let present = await api.get(path);
  show();
  form.hidden = false;
  await fieldSettings(me);
  $("#choices").disabled = !mayChange;
  form.addEventListener("change", () => {
    const isChanged = names.some((name) => form.elements[name].checked !== present[name]);
    $("#save").disabled = !isChanged;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#save"), save);
  });

  $("#key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#set-key"), setKey);
  });

  async function setKey() {
    const key = $("#forensic-key").value.trim();
    const fault = /^[A-Za-z0-9_-]{87}$/.test(key) ? "" : t`That is not what the command prints: 87 letters, digits, hyphens and underscores.`;
    if (!complain($("#key-form"), [$("#forensic-key"), $("#forensic-error"), fault])) return undefined;
    const { receipt } = await api.put("/api/desk/forensic-key", { key }, { reason: t`Set the forensic key` });
    if (me.record) await verifyReceipt(me.record.trust, receipt, "forensic_key.set");
    present = await api.get(path);
    show();
    $("#forensic-key").value = "";
    $("#key-command").open = false;
    notice("success", t`The key is set. Movements signed from now on are sealed to it.`);
    return undefined;
  }

  function show() {
    for (const name of names) form.elements[name].checked = present[name];
    $("#save").disabled = true;
    showKey(present.has_forensic_key === true);
  }

  async function save() {
    const wanted = Object.fromEntries(names.map((name) => [name, form.elements[name].checked]));
    const same = (one) => names.every((name) => one[name] === wanted[name]);
    present = await once(
      t`the settings were changed`, () => api.put(path, wanted, { reason: t`Change what the desk may do` }),
      async () => {
        const now = await api.get(path);
        return same(now) ? now : undefined;
      });
    show();
    if (present.receipt && me.record) await verifyReceipt(me.record.trust, present.receipt, "desk.changed");
    notice("success", t`Saved. Open pages of the desk follow when they are loaded again.`);
  }
});

function showKey(isThere) {
  $("#key").hidden = false;
  $("#key-badge").textContent = isThere ? t`There is one` : t`There is none`;
  $("#key-badge").className = `badge ${isThere ? "good" : "wait"}`;
  $("#key-text").textContent = isThere
    ? t`The movement of every signature is kept, sealed to this key. The server cannot open it. Only the holder of the key's other half can, for an expert or a court.`
    : t`Without it nobody can sign here: the movement of every signature is kept for an expert or a court, sealed to this key, so that the server itself cannot open it.`;
  $("#key-command").open = !isThere;
  $("#key-command summary").textContent = isThere ? t`Set another key` : t`Make a key and set it`;
}
