// The client who signs: found by the identity number on the paper, or chosen from the list.

import { api } from "../shell/api.js";
import { $, busy, time } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { t } from "../shell/translate.js";
import { chooser } from "./chooser.js";
import { nameOf, tools } from "./words.js";

/** One client, with number and paper. */
const clientOf = (id) => api.get(`/api/clients/${encodeURIComponent(id)}`);

/** Minds the form and the list; `onFound` is called with the client. */
export async function clientStep(onFound) {
  const show = chooser({
    list: $("#clients"), search: $("#client-search"), empty: $("#no-clients"), none: t`Nobody is registered yet.`,
    values: (one) => ({ title: nameOf(one), about: t`Registered ${time(one.created)} · signs with ${tools[one.tool]}` }),
    path: "/api/clients", onChoose: async (one) => onFound(await clientOf(one.id)),
  });
  $("#lookup").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#find"), find);
  });
  await show();

  async function find() {
    const input = $("#number");
    const number = input.value.trim();
    say("");
    if (!number) return say(t`Write the number that is on the ID document.`);
    try {
      const found = await api.post("/api/clients/lookup", { number });
      // The next one at this screen need not read it.
      input.value = "";
      onFound(found);
    } catch (error) {
      if (error.kind !== "not-found") throw error;
      say(t`No client has this number. Look at the ID document again, or register the client first.`);
    }
    return undefined;
  }
}

function say(text) {
  complain($("#number").form, [$("#number"), $("#number-error"), text]);
}
