// The requests of all members, live.

import { person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { $, busy, describe, notice } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { inSentence } from "../shell/text.js";
import { plural, t } from "../shell/translate.js";
import { typeTitles } from "./catalogue.js";
import { start } from "./console.js";
import { showEndingCertificates } from "./ending-certificates.js";
import { showNextSteps } from "./next-steps.js";
import { perform, possibleActs } from "./request-acts.js";
import { showStatisticsSoon } from "./statistics.js";
import { requestStates } from "./words.js";

const kinds = [
  { name: "open", word: t`Open{#requests}`, has: (one) => one.state === "pending" || one.state === "accepted" },
  ...Object.entries(requestStates).map(([name, { word }]) => ({ name, word, has: (one) => one.state === name })),
  { name: "all", word: t`All` },
];

start(async (me) => {
  const titles = await typeTitles();
  let isCertified = false;
  let accepting = null;
  const title = (request) => t`${titles[request.type] ?? request.type} for ${person(request.member)}`;

  const view = listView({
    source: serverList("/api/requests"), kinds, things: (number) => plural(number, "{0} request", "{0} requests"),
    row: {
      template: "request-row", values: (request) => values(request, title), fill,
      // The certification decides over buttons, so it is part of what a row shows.
      present: (one) => ({ ...one, acts: possibleActs(one, me, isCertified) }),
    },
  });
  /** Refreshes the parts above the list, which also decide about its buttons. */
  const lookAround = latest(async () => {
    ({ isCertified } = await showNextSteps(me));
    showStatisticsSoon();
  });

  // Before the rows are drawn: a person may press a button while the page still waits for something else.
  $("#list").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-act]");
    const request = view.item(button?.closest("[data-key]")?.dataset.key);
    if (request) busy(button, () => act(button.dataset.act, request));
  });
  await lookAround();
  await view.load();
  // Beside the work, not before it.
  showEndingCertificates(me).catch((error) => notice("error", describe(error)));
  onChange(["request", "delegation"], async (event) => {
    if (event?.kind === "request") {
      // The answer to this page's own act says it all, and is on its way.
      if (event.id === accepting) return;
      const known = view.item(event.id);
      // The state is shown at once; who did it, and why, comes a moment later.
      if (known && known.state !== event.state) view.put({ ...known, state: event.state });
      take(await api.get(`/api/requests/${encodeURIComponent(event.id)}`), known);
      await Promise.all([view.refresh(), event.state === "issued" || event.state === "pending" ? lookAround() : showStatisticsSoon()]);
    } else {
      await Promise.all([lookAround(), view.follow(null)]);
      // A certificate that has come or gone changes the buttons of every row.
      view.draw();
    }
  });

  async function act(name, request) {
    accepting = name === "accept" ? request.id : null;
    try {
      const changed = await perform(name, request, title(request), me);
      if (!changed) return;
      take(changed);
      await view.refresh();
    } finally {
      accepting = null;
    }
  }

  /** Takes one request as it is now into the list, and says so to those who do not see it. */
  function take(request, old = view.item(request.id)) {
    // Two answers may overtake each other.
    if (request.changed < (view.item(request.id)?.changed ?? 0)) return;
    view.put(request);
    if (old?.state === request.state && old?.administrator?.id === request.administrator?.id) return;
    const word = inSentence(requestStates[request.state].word);
    $("#news").textContent = request.administrator
      ? t`${title(request)}: ${word}, ${person(request.administrator)}` : t`${title(request)}: ${word}`;
  }
});

function values(request, title) {
  const who = request.administrator;
  const isOver = request.state === "issued" || request.state === "cancelled";
  return {
    title: title(request),
    note: request.note && t`“${request.note}”`,
    created: request.created,
    handler: who ? ` · ${isOver ? t`handled by ${person(who)}` : t`in the hands of ${person(who)}`}` : "",
    reason: request.reason && t`Cancelled: ${request.reason}`,
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
