// All transactions, filtered by client, operator, state and days; live.

import { api } from "../shell/api.js";
import { $, make } from "../shell/dom.js";
import { onChange } from "../shell/events.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { plural, t } from "../shell/translate.js";
import { fragment, start } from "./start.js";
import { showState } from "./transaction-words.js";
import { clientName, signingStates } from "./words.js";

const filters = ["operator", "state", "from", "to"];

start(async () => {
  addEventListener("hashchange", () => location.reload());
  // A client's own page leads here with the client's id.
  const onlyClient = new URLSearchParams(fragment()).get("client");
  const operators = new Map();
  $("#state").append(...Object.entries(signingStates).map(([value, { word }]) => make("option", { value }, word)));
  remembered();
  const isFiltered = () => Boolean(onlyClient) || filters.some((name) => $(`#${name}`).value !== "");
  const view = listView({
    source: serverList("/api/signings", () => ({ ...(onlyClient && { client: onlyClient }), ...asked() })),
    things: (number) => plural(number, "{0} transaction", "{0} transactions"), list: $("#rows"), isFiltered, clear,
    part: () => $("#state").value || "all",
    // A client's name stays out of the address.
    remembers: false,
    row: { template: "row", values, fill: (element, one) => showState($("[data-badge]", element), one.state) },
    onPage({ items }) {
      $("#table").hidden = items.length === 0;
      $("#all").hidden = !isFiltered() && $("#search").value.trim() === "";
      for (const one of items) operators.set(one.operator_id, one.operator_name);
      showOperators(operators);
    },
  });

  // Before anything is fetched: a person may choose a filter while the page still waits.
  $("#filters").addEventListener("change", ({ target }) => {
    if (!filters.includes(target.id)) return;
    remember();
    view.look();
  });
  $("#filters").addEventListener("submit", (event) => event.preventDefault());
  $("#all").addEventListener("click", () => {
    clear();
    $("#search").value = "";
    view.look({ q: "" });
    $("#search").focus();
  });
  // The address may ask for one operator's: the others are offered too.
  if ($("#operator").value) {
    for (const one of (await api.get("/api/signings?limit=200")).items) operators.set(one.operator_id, one.operator_name);
  }
  await view.load();
  onChange("signing", view.follow);

  function clear() {
    if (onlyClient) return location.replace("/desk/transactions");
    for (const name of filters) $(`#${name}`).value = "";
    remember();
    return undefined;
  }
});

/** The query to the server: a day begins and ends in the reader's time zone. */
function asked() {
  const seconds = (text, time) => Math.floor(new Date(`${text}T${time}`).getTime() / 1000);
  const [operator, show, from, to] = filters.map((name) => $(`#${name}`).value);
  return { operator, show, from: from && seconds(from, "00:00:00"), to: to && seconds(to, "23:59:59") };
}

/** The address remembers the filters over reloads and the back button. */
function remember() {
  const address = new URL(location.href);
  address.search = new URLSearchParams(
    filters.filter((name) => $(`#${name}`).value).map((name) => [name, $(`#${name}`).value])).toString();
  history.replaceState(history.state, "", address);
}

function remembered() {
  const query = new URLSearchParams(location.search);
  const operator = query.get("operator");
  if (operator) $("#operator").append(make("option", { value: operator }, t`One operator`));
  for (const name of filters) $(`#${name}`).value = query.get(name) ?? "";
}

function showOperators(operators) {
  const select = $("#operator");
  const { value } = select;
  // A person who has it open goes on choosing.
  if (select.options.length === operators.size + 1 && (!value || operators.has(value))) return;
  const options = [...operators].sort(([, a], [, b]) => a.localeCompare(b)).map(([id, name]) => make("option", { value: id }, name));
  select.replaceChildren(make("option", { value: "" }, t`All`), ...options);
  if (value && !operators.has(value)) select.append(make("option", { value }, t`One operator`));
  select.value = value;
}

function values(one) {
  return {
    href: `/desk/transaction#${encodeURIComponent(one.id)}`, client: clientName(one), document: one.document_name, created: one.created,
    operator: one.operator_name, why: one.is_match ? "" : t`does not match`,
  };
}
