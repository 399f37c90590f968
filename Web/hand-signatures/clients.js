// The clients: listed, filtered by name, and looked up by their identity number, which is in no address and no list.

import { listView } from "../admin/list-view.js";
import { count } from "../admin/words.js";
import { api } from "../shell/api.js";
import { $, busy } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { start } from "./start.js";
import { isSittingDue, nameOf, tools } from "./words.js";

const kinds = [
  { name: "all", word: "All", has: () => true },
  { name: "due", word: "Second sitting due", has: isSittingDue },
];

start(async (me) => {
  let clients = [];
  const load = latest(async () => { clients = (await api.get("/api/clients")).items; });
  // Whoever may not register anybody is not offered it in an empty list, either.
  if (!me.may("enrol_clients")) $(".button", $("#none-yet").content).remove();
  const draw = listView({ items: () => clients, kinds, texts: (one) => [nameOf(one)], row: { template: "client-row", values } });

  const show = (options) => {
    $("#lookup").hidden = clients.length === 0;
    draw(options);
  };

  $("#lookup").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#look"), look);
  });
  $("#number").addEventListener("input", () => complain(""));

  await load();
  show({ mark: false });
  onChange("signing", async () => {
    await load();
    show();
  });
});

async function look() {
  const number = $("#number").value.trim();
  if (number === "") return complain("Write the number that stands in the paper.");
  try {
    const { id } = await api.post("/api/clients/lookup", { number });
    location.assign(`/desk/client#${encodeURIComponent(id)}`);
  } catch (error) {
    if (error.kind !== "not-found") throw error;
    complain("No client has this number. Compare it with the paper once more.");
  }
}

function complain(words) {
  $("#number-error").textContent = words;
  $("#number").setAttribute("aria-invalid", String(words !== ""));
  if (words) $("#number").focus();
}

function values(client) {
  return {
    name: nameOf(client), address: `/desk/client#${encodeURIComponent(client.id)}`, created: client.created,
    tool: tools[client.tool], signings: count(client.signings, "signature"),
    isSittingDue: isSittingDue(client), due: client.has_changed_hand ? "Another visit is needed" : "Second sitting due",
  };
}
