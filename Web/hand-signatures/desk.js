// The desk at a glance: what can be done, how many there are of everything, and what was signed last; live.

import { greeted } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { $, list } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { rows } from "../shell/rows.js";
import { locale, t } from "../shell/translate.js";
import { drawDays } from "./days-chart.js";
import { showFirstSteps } from "./first-steps.js";
import { showAttempts } from "./history.js";
import { start } from "./start.js";
import { showState } from "./transaction-words.js";
import { clientName, signingStates } from "./words.js";

start(async (me) => {
  $("#greeting").textContent = t`Hello, ${greeted(me.account)}`;
  let overview = null;
  const draw = rows($("#latest"), {
    template: "latest-row", values, fill: (element, one) => showState($("[data-badge]", element), one.state),
  });
  const load = latest(async () => { overview = await api.get("/api/desk"); });

  async function show({ mark = true } = {}) {
    $("#today").textContent = t`${me.account.name}, ${new Date().toLocaleDateString(locale, { dateStyle: "full" })}`;
    list($("#numbers"), numbers(overview), "tile", (one) => one);
    draw(overview.latest, { mark });
    $("#no-latest").hidden = overview.latest.length > 0;
    $("#chart-part").hidden = !me.may("read_reports") || overview.signings === 0;
    drawDays($("#chart"), overview.days);
    await showFirstSteps(me, overview);
  }

  $("#attempts-part").addEventListener("toggle", async ({ currentTarget }) => {
    if (currentTarget.open) await showAttempts($("#attempts"));
  });
  await load();
  await show({ mark: false });
  $("#content").hidden = false;
  onChange("signing", async (event) => {
    await load();
    await show();
    const changed = event && overview.latest.find(({ id }) => id === event.id);
    if (changed) $("#news").textContent = `${title(changed)}: ${signingStates[changed.state].word.toLowerCase()}`;
  });
});

const title = (one) => `${clientName(one)}: ${one.document_name}`;

function values(one) {
  return {
    title: title(one), href: `/desk/transaction#${encodeURIComponent(one.id)}`, created: one.created,
    rest: ` · ${one.operator_name}${one.is_match ? "" : ` · ${t`signature does not match`}`}`,
  };
}

function numbers({ today, signings, clients, documents }) {
  return [[t`Transactions today`, today], [t`Transactions`, signings], [t`Clients`, clients], [t`Templates`, documents]]
    .map(([label, value]) => ({ label, value: value.toLocaleString(locale) }));
}
