// What services ask, and what became of what they asked.

import { listed } from "../accounts/mine.js";
import { api } from "../shell/api.js";
import { now } from "../shell/clock.js";
import { $, clone } from "../shell/dom.js";
import { showAge, start } from "../shell/frame.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { redraw } from "../shell/redraw.js";
import { plural, t } from "../shell/translate.js";
import { enrolled } from "./keeping.js";
import { states } from "./words.js";

let view = null;
/** What waited when the list was last drawn, to say what is new. */
let known = null;

start(load, ["approval"]);

async function load() {
  const [waiting, settings, keys] = await Promise.all([
    listed("/api/approvals/challenges"), api.get("/api/approvals/settings").catch(() => null), enrolled()]);
  showAge([waiting]);
  const items = waiting.items.filter(({ expires }) => expires > now());
  $("#frozen").hidden = !settings?.frozen;
  redraw($("#waiting"), items, row);
  showNothing(items.length > 0, keys.length > 0);
  await drawHistory();
  tell(items);
}

function showNothing(isSomething, isEnrolled) {
  $("#nothing").hidden = isSomething;
  $("#nothing-text").textContent = isEnrolled
    ? t`When a service asks you something, it is here at once.`
    : t`No service can ask you yet. A service that you use shows a code or a link for this.`;
  $("#nothing-action").textContent = t`Add a service`;
  $("#nothing-action").hidden = isEnrolled;
}

function row(one) {
  const element = clone("approval-row", values(one));
  fill(element, one);
  return element;
}

function looks({ state, is_allowed: isAllowed, discarded }) {
  if (state === "pending" && isAllowed === true) return { word: t`Allowed by you`, badge: "wait" };
  if (state === "pending" && discarded) return { word: t`Put aside`, badge: "" };
  return states[state];
}

const values = (one) => ({
  service: one.domain, href: `/wallet/approval#${encodeURIComponent(one.id)}`, created: one.created,
  until: one.state === "pending" ? one.expires : null,
});

function fill(element, one) {
  const { word, badge } = looks(one);
  const place = $("[data-badge]", element);
  place.textContent = word;
  if (badge) place.classList.add(badge);
}

async function drawHistory() {
  if (view) return view.reload({ mark: false });
  view = listView({
    source: serverList("/api/approvals/history"), things: (number) => plural(number, "{0} request", "{0} requests"),
    list: $("#earlier"), row: { template: "approval-row", values, fill },
    onPage: ({ items }) => { $("#past").hidden = items.length === 0; },
  });
  return view.load();
}

/** Says it when something new waits. */
function tell(waiting) {
  const fresh = known ? waiting.filter(({ id }) => !known.has(id)) : [];
  if (fresh.length > 0) $("#news").textContent = t`${fresh[0].domain} asks you something.`;
  known = new Set(waiting.map(({ id }) => id));
}
