// The clients: listed, filtered by name, and looked up by their identity number, which is in no address and no list.

import { api } from "../shell/api.js";
import { $, busy } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { onChange } from "../shell/events.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { plural, t } from "../shell/translate.js";
import { start } from "./start.js";
import { isSittingDue, nameOf, tools } from "./words.js";

const kinds = [
  { name: "all", word: t`All` },
  { name: "due", word: t`Second sitting due`, has: isSittingDue },
];

start(async (me) => {
  // A person who may not register clients is not offered it in an empty list, either.
  if (!me.may("enrol_clients")) $(".button", $("#none-yet").content).remove();
  const view = listView({
    source: serverList("/api/clients"), kinds, things: (number) => plural(number, "{0} client", "{0} clients"), row: { template: "client-row", values },
    onPage: ({ items, isNarrow }) => { $("#lookup").hidden = items.length === 0 && !isNarrow; },
  });

  $("#lookup").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#look"), look);
  });

  await view.load();
  onChange("signing", view.follow);
});

async function look() {
  const number = $("#number").value.trim();
  if (number === "") return say(t`Write the number that is on the ID document.`);
  try {
    const { id } = await api.post("/api/clients/lookup", { number });
    location.assign(`/desk/client#${encodeURIComponent(id)}`);
  } catch (error) {
    if (error.kind !== "not-found") throw error;
    say(t`No client has this number. Compare it with the ID document again.`);
  }
}

const say = (words) => complain($("#lookup"), [$("#number"), $("#number-error"), words]);

function values(client) {
  return {
    name: nameOf(client), address: `/desk/client#${encodeURIComponent(client.id)}`, created: client.created,
    tool: tools[client.tool], signings: plural(client.signings, "{0} signature", "{0} signatures"),
    isSittingDue: isSittingDue(client), due: client.has_changed_hand ? t`Another visit is needed` : t`Second sitting due`,
  };
}
