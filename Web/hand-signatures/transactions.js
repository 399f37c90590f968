// All transactions, filtered by client, operator, state and days; live.

import { matches, rows } from "../admin/rows.js";
import { count } from "../admin/words.js";
import { api } from "../shell/api.js";
import { $, clone, describe, make, notice } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { fragment, start } from "./start.js";
import { showState } from "./transaction-words.js";
import { signingStates } from "./words.js";

/** The server lists no more than these, the newest. */
const most = 1000;
const filters = ["client", "operator", "state", "from", "to"];

start(async () => {
  addEventListener("hashchange", () => location.reload());
  // A client's own page leads here with her id.
  const onlyClient = new URLSearchParams(fragment()).get("client");
  const operators = new Map();
  let items = [];
  const draw = rows($("#rows"), {
    template: "row", values, fill: (element, one) => showState($("[data-badge]", element), one.state),
  });
  $("#state").append(...Object.entries(signingStates).map(([value, { word }]) => make("option", { value }, word)));
  remembered();

  const load = latest(async () => {
    const query = new URLSearchParams({ ...(onlyClient && { client: onlyClient }), ...asked() });
    ({ items } = await api.get(`/api/signings?${query}`));
    for (const one of items) operators.set(one.operator_id, one.operator_name);
  });

  function show({ mark = true } = {}) {
    showOperators(operators);
    const [operator, state] = [$("#operator").value, $("#state").value];
    const found = items.filter((one) => matches($("#client").value, one.client_name)
      && (!operator || one.operator_id === operator) && (!state || one.state === state));
    draw(found, { mark });
    const isFiltered = filters.some((name) => $(`#${name}`).value !== "") || Boolean(onlyClient);
    $("#all").hidden = !isFiltered;
    $("#table").hidden = found.length === 0;
    $("#number").textContent = found.length === 0 ? "" : `${count(found.length, "transaction")}${items.length >= most ? "; only the newest 1,000 are looked at" : ""}`;
    $("#none").hidden = found.length > 0;
    $("#none").replaceChildren(...(found.length > 0 ? [] : [clone(isFiltered ? "nothing-found" : "none-yet")]));
  }

  // The address may ask for one operator's: the others are offered too.
  if ($("#operator").value) for (const one of (await api.get("/api/signings?limit=200")).items) operators.set(one.operator_id, one.operator_name);
  await load();
  show({ mark: false });
  $("#filters").addEventListener("input", async ({ target }) => {
    remember();
    try {
      // Names are looked through here; the rest the server knows better.
      if (["operator", "state", "from", "to"].includes(target.id)) await load();
      show({ mark: false });
    } catch (error) {
      notice("error", describe(error));
    }
  });
  $("#filters").addEventListener("submit", (event) => event.preventDefault());
  $("#all").addEventListener("click", all);
  $("#none").addEventListener("click", (event) => { if (event.target.closest("[data-act=show-all]")) all(); });
  onChange("signing", async () => {
    await load();
    show();
  });

  function all() {
    if (onlyClient) return location.replace("/desk/transactions");
    for (const name of filters) $(`#${name}`).value = "";
    remember();
    $("#client").focus();
    return load().then(() => show({ mark: false }), (error) => notice("error", describe(error)));
  }
});

/** What the server is asked for: a day begins and ends where the reader is. */
function asked() {
  const seconds = (text, time) => Math.floor(new Date(`${text}T${time}`).getTime() / 1000);
  const [operator, state, from, to] = ["operator", "state", "from", "to"].map((name) => $(`#${name}`).value);
  // What has lapsed was never decided: to the server it is pending, and only too old.
  return { ...(operator && { operator }), ...(state && { state: state === "lapsed" ? "pending" : state }), ...(from && { from: seconds(from, "00:00:00") }), ...(to && { to: seconds(to, "23:59:59") }) };
}

/** The address remembers the filters over reloads and the back button; a client's name stays out of it. */
function remember() {
  const address = new URL(location.href);
  address.search = new URLSearchParams(filters.filter((name) => name !== "client" && $(`#${name}`).value)
    .map((name) => [name, $(`#${name}`).value])).toString();
  history.replaceState(history.state, "", address);
}

function remembered() {
  const query = new URLSearchParams(location.search);
  const operator = query.get("operator");
  if (operator) $("#operator").append(make("option", { value: operator }, "One operator"));
  for (const name of filters) if (name !== "client") $(`#${name}`).value = query.get(name) ?? "";
}

function showOperators(operators) {
  const select = $("#operator");
  const { value } = select;
  const options = [...operators].sort(([, a], [, b]) => a.localeCompare(b)).map(([id, name]) => make("option", { value: id }, name));
  select.replaceChildren(make("option", { value: "" }, "All"), ...options);
  if (value && !operators.has(value)) select.append(make("option", { value }, "One operator"));
  select.value = value;
}

function values(one) {
  return {
    href: `/desk/transaction#${encodeURIComponent(one.id)}`, client: one.client_name, document: one.document_name, created: one.created,
    operator: one.operator_name, why: one.is_match ? "" : "does not match",
  };
}
