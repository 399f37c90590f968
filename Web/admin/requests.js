// The requests of all members, live.

import { api } from "../shell/api.js";
import { $, busy, describe, notice } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { typeTitles } from "./catalogue.js";
import { start } from "./console.js";
import { showEndingCertificates } from "./ending-certificates.js";
import { listView } from "./list-view.js";
import { showNextSteps } from "./next-steps.js";
import { perform, possibleActs } from "./request-acts.js";
import { showStatisticsSoon } from "./statistics.js";
import { person, requestStates } from "./words.js";

const kinds = [
  { name: "open", word: "Open", has: (one) => one.state === "pending" || one.state === "accepted" },
  ...Object.entries(requestStates).map(([name, { word }]) => ({ name, word, has: (one) => one.state === name })),
  { name: "all", word: "All", has: () => true },
];

start(async (me) => {
  const titles = await typeTitles();
  const requests = new Map();
  let isCertified = false;
  let accepting = null;
  const title = (request) => `${titles[request.type] ?? request.type} for ${person(request.member)}`;

  const show = listView({
    items: () => [...requests.values()].sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1)),
    kinds,
    texts: (one) => [title(one), one.note, one.reason, one.administrator?.name, one.administrator?.username],
    row: {
      template: "request-row", values: (request) => values(request, title), fill,
      // The certification decides over buttons, so it is part of what a row shows.
      present: (one) => ({ ...one, acts: possibleActs(one, me, isCertified) }),
    },
  });
  const load = latest(async () => {
    const items = await api.all("/api/requests");
    requests.clear();
    for (const item of items) requests.set(item.id, item);
    ({ isCertified } = await showNextSteps(me, items));
    showStatisticsSoon();
  });

  await load();
  show({ mark: false });
  // Beside the work, not before it.
  showEndingCertificates(me).catch((error) => notice("error", describe(error)));
  $("#list").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-act]");
    const request = requests.get(button?.closest("[data-key]")?.dataset.key);
    if (request) busy(button, () => act(button.dataset.act, request));
  });
  onChange(["request", "delegation"], async (event) => {
    if (event?.kind === "request") {
      // The answer to one's own act says it all, and is on its way.
      if (event.id === accepting) return;
      const known = requests.get(event.id);
      // The state is shown at once; who did it, and why, comes a moment later.
      if (known && known.state !== event.state) {
        requests.set(event.id, { ...known, state: event.state });
        show();
      }
      take(await api.get(`/api/requests/${encodeURIComponent(event.id)}`), known);
      showStatisticsSoon();
    } else {
      await load();
      show();
    }
  });

  async function act(name, request) {
    accepting = name === "accept" ? request.id : null;
    try {
      const changed = await perform(name, request, title(request), me);
      if (changed) take(changed);
    } finally {
      accepting = null;
    }
  }

  /** Takes one request as it is now into the list, and says so to those who do not see it. */
  function take(request, old = requests.get(request.id)) {
    // Two answers may overtake each other.
    if (request.changed < (requests.get(request.id)?.changed ?? 0)) return;
    requests.set(request.id, request);
    show();
    if (old?.state === request.state && old?.administrator?.id === request.administrator?.id) return;
    const who = request.administrator ? `, ${person(request.administrator)}` : "";
    $("#news").textContent = `${title(request)}: ${requestStates[request.state].word.toLowerCase()}${who}`;
  }
});

function values(request, title) {
  const who = request.administrator;
  const isOver = request.state === "issued" || request.state === "cancelled";
  return {
    title: title(request),
    note: request.note && `“${request.note}”`,
    created: request.created,
    handler: who ? ` · ${isOver ? "handled by" : "in the hands of"} ${person(who)}` : "",
    reason: request.reason && `Cancelled: ${request.reason}`,
    signing: `/console/issue#${encodeURIComponent(request.id)}`,
  };
}

function fill(element, request) {
  const { word, badge } = requestStates[request.state];
  const mark = $("[data-badge]", element);
  mark.textContent = word;
  mark.classList.add(badge);
  for (const [act, isPossible] of Object.entries(request.acts)) $(`[data-act=${act}]`, element).hidden = !isPossible;
  $(".actions", element).hidden = !Object.values(request.acts).some(Boolean);
}
