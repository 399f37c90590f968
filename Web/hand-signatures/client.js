// One client: facts, transactions, the second sitting, another name, a new template, and for the main administrator the end.

import { api } from "../shell/api.js";
import { $, busy, describe, fill, list, notice } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { once } from "../shell/once.js";
import { plural, t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { clientDetails } from "./client-details.js";
import { sentence } from "./enrolling.js";
import { eraseDialog } from "./erase-client.js";
import { showActs, showAttempts } from "./history.js";
import { identifyDialog } from "./identify-client.js";
import { paperWords } from "./papers.js";
import { secondSitting } from "./second-sitting.js";
import { fragment, start } from "./start.js";
import { isSittingDue, nameOf, signingStates, tools } from "./words.js";

/** How many transactions are shown here. */
const most = 10;
const hidden = "••••••••";

start(async (me) => {
  const id = fragment();
  addEventListener("hashchange", () => location.reload());
  const path = `/api/clients/${encodeURIComponent(id)}`;
  let client = null;
  const showFields = await clientDetails(me, path, () => load());
  const load = latest(async () => {
    client = await found(id === "" ? null : path);
    if (!client) return showMissing();
    const [{ items }] = await Promise.all([
      api.get(`/api/signings?client=${encodeURIComponent(id)}&limit=${most + 1}`),
      showActs($("#history"), id), showAttempts($("#attempts"), id),
    ]);
    show(client, items, me);
    showFields(client);
    return undefined;
  });
  await load();
  if (!client) return;

  $("#show-number").addEventListener("click", () => showNumber($("#show-number").getAttribute("aria-expanded") !== "true"));
  const identify = identifyDialog();
  $("#rename").addEventListener("click", () => identify(client, rename));
  $("#take-three").addEventListener("click", () => busy($("#take-three"), takeThree));
  const erase = eraseDialog(me, path);
  $("#erase").addEventListener("click", () => busy($("#erase"), async () => { if (await erase(client)) await load(); }));
  onChange("signing", load);

  function showNumber(isShown) {
    $("#number").textContent = isShown ? client.number : hidden;
    $("#show-number").textContent = isShown ? t`Hide` : t`Show`;
    $("#show-number").setAttribute("aria-expanded", String(isShown));
  }

  async function takeThree() {
    $("#due-error").textContent = "";
    const person = await identify(client);
    if (!person) return;
    let receipt;
    try {
      receipt = await secondSitting(client, person.paper);
      if (receipt?.proof && me.record) await verifyReceipt(me.record.trust, receipt, "client.second_sitting");
    } catch (error) {
      // It stays where the button is: they are to be taken again.
      $("#due-error").textContent = t`${sentence(error)} None of these signatures counts.`;
      return;
    }
    if (!receipt) return;
    notice("success", t`The second visit's signatures are taken. New signatures are compared with both visits from now on.`);
    await load();
  }

  async function rename(wanted) {
    const { receipt } = await once(
      t`the name was changed`, () => api.patch(path, wanted),
      async () => {
        const now = await api.get(path);
        return ["given_name", "family_name", "paper"].every((name) => now[name] === wanted[name]) ? { receipt: null } : undefined;
      });
    // It is changed, even if the next step fails: the dialog must not ask for it again.
    try {
      if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, "client.changed");
      notice("success", t`The name is changed. Earlier records keep the earlier name.`);
      await load();
    } catch (error) {
      notice("error", describe(error));
    }
  }
});

/** The client; `null` when there is none, or none any more. */
async function found(path) {
  if (!path) return null;
  return api.get(path).catch((error) => {
    if (error.kind !== "not-found") throw error;
    return null;
  });
}

function showMissing() {
  $("#known").hidden = $("#sign").hidden = true;
  $("#lead").textContent = "";
  $("#name").textContent = t`Client`;
  $("#missing").hidden = false;
}

function show(client, signings, me) {
  const id = encodeURIComponent(client.id);
  $("#name").textContent = nameOf(client);
  $("#lead").textContent = client.signings === 0 ? t`Has signed nothing yet.`
    : plural(client.signings, "Has signed once.", "Has signed {0} times.");
  fill($("#facts"), {
    paper: paperWords(client.paper), tool: tools[client.tool], created: client.created, enrolled: client.enrolled,
    sittings: client.has_changed_hand ? t`another visit is needed` : client.needs_second_sitting ? t`in one sitting` : t`in two sittings`,
  });
  const isDue = isSittingDue(client);
  $("#due").hidden = !client.needs_second_sitting || !me.may("enrol_clients");
  const hasChanged = client.has_changed_hand;
  $("#due-title").textContent = hasChanged ? t`Another visit is needed` : isDue ? t`Second sitting due` : t`A second sitting at the next visit`;
  fill($("#due"), { from: client.second_sitting_from, isDue, isEarly: !isDue, hasChanged, isSecond: !hasChanged });
  $("#acts").hidden = !me.may("enrol_clients") && !me.may("erase_clients");
  $("#sign").href = `/desk/sign#client=${id}`;
  $("#sign").hidden = false;
  $("#again").href = `/desk/enrol#${id}`;
  list($("#signings"), signings.slice(0, most), "signing-row", (one) => ({
    document: one.document_name, address: `/desk/transaction#${encodeURIComponent(one.id)}`, created: one.created, operator: one.operator_name,
  }), { empty: "no-signings", each: badge });
  $("#more").hidden = signings.length <= most;
  $("#more-link").href = `/desk/transactions#client=${id}`;
  $("#known").hidden = false;
}

function badge(element, { state }) {
  const { word, badge: kind } = signingStates[state];
  const place = $("[data-badge]", element);
  place.textContent = word;
  if (kind) place.classList.add(kind);
}
