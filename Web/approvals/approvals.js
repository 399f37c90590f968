// What services ask, and what became of what they asked.

import { listed } from "../accounts/mine.js";
import { api } from "../shell/api.js";
import { now } from "../shell/clock.js";
import { fromB64u } from "../shell/core.js";
import { $, clone, time } from "../shell/dom.js";
import { showAge, start } from "../shell/frame.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { redraw } from "../shell/redraw.js";
import { plural, t } from "../shell/translate.js";
import { enrolled, keyFor } from "./keeping.js";
import { call } from "./protocol.js";
import { headline, states } from "./words.js";

let view = null;
/** What waited when the list was last drawn, to say what is new. */
let known = null;

start(load, ["approval"]);

async function load() {
  const [waiting, settings, recovery, keys, handovers] = await Promise.all([
    listed("/api/approvals/challenges"), api.get("/api/approvals/settings").catch(() => null),
    api.get("/api/approvals/recovery").catch(() => null), enrolled(), drawHandovers()]);
  showAge([waiting]);
  const items = waiting.items.filter(({ expires }) => expires > now()).sort((a, b) => a.expires - b.expires);
  $("#frozen").hidden = !settings?.frozen;
  $("#alarm").hidden = !recovery?.wait;
  if (recovery?.wait) {
    $("#alarm-text").textContent = t`Somebody with your account said that all your devices are lost. From ${time(recovery.wait.opens)} another device could answer for you.`;
  }
  redraw($("#waiting"), items, row);
  showNothing(items.length > 0, keys.length > 0, Boolean(settings?.frozen));
  await drawHistory();
  tell(items, handovers);
}

/** New devices that ask this one, or another, for its word. */
async function drawHandovers() {
  const items = (await api.all("/api/approvals/handovers").catch(() => [])).filter(({ expires }) => expires > now());
  const keys = await Promise.all(items.map(answering));
  $("#handovers-part").hidden = items.length === 0;
  redraw($("#handovers"), items.map((one, index) => ({ ...one, isHere: Boolean(keys[index]) })), handoverRow);
  return items;
}

/** This browser's key for the same user of the service. */
async function answering({ message }) {
  const { value } = await call("offer", { time: now() }, fromB64u(message));
  return keyFor(value, [value.account]);
}

function handoverRow({ id, name, service, devices, isHere, expires }) {
  const [device, asking] = [name, service].map((text) => `\u2068${text}\u2069`);
  return clone("handover-row", {
    href: `/wallet/approvals/handover#${encodeURIComponent(id)}`, title: t`Let ${device} answer ${asking} too?`, expires,
    where: isHere ? t`You can agree on this device.` : t`You can agree on: ${devices.join(", ")}.`,
  });
}

function showNothing(isSomething, isEnrolled, isFrozen) {
  $("#nothing").hidden = isSomething;
  if (isFrozen) $("#nothing-text").textContent = t`Nothing can come while approvals are frozen.`;
  else $("#nothing-text").textContent = isEnrolled
    ? t`When a service asks you something, it is here at once.`
    : t`No service can ask you yet. A service that you use shows a code or a link for this.`;
  $("#nothing-action").textContent = t`Add a service`;
  $("#nothing-action").hidden = isEnrolled;
}

function row(one) {
  // Its title comes to be what is asked; in the list of all it stays who asks.
  const element = clone("approval-row", { ...values(one), from: one.domain });
  fill(element, one);
  // What is asked is in the signed question. Until it is read, the row says who asks.
  asks(one).then((words) => { $(".title", element).textContent = words; }).catch(() => {});
  return element;
}

async function asks({ id, domain }) {
  const message = fromB64u((await api.get(`/api/approvals/challenges/${encodeURIComponent(id)}`)).message);
  const { value: sender } = await call("challenge_sender", {}, message);
  const key = await keyFor(sender, sender.labels);
  const kept = { service: sender.service, server_key: key?.serverKey ?? sender.server_key };
  return headline(domain, (await call("challenge", kept, message)).value);
}

function looks({ state, is_allowed: isAllowed, discarded }) {
  if (state === "pending" && isAllowed === true) return { word: t`Allowed by you`, badge: "wait" };
  if (state === "pending" && discarded) return { word: t`Hidden`, badge: "" };
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
    // A search that finds nothing stays in sight, or nobody could clear it.
    onPage: ({ items, isNarrow }) => { $("#past").hidden = items.length === 0 && !isNarrow; },
  });
  return view.load();
}

/** Says it when something new waits. */
function tell(waiting, handovers) {
  const fresh = known ? waiting.filter(({ id }) => !known.has(id)) : [];
  if (fresh.length > 0) $("#news").textContent = t`${fresh[0].domain} asks you something.`;
  const asking = known ? handovers.filter(({ id }) => !known.has(id)) : [];
  if (asking.length > 0) $("#news").textContent = t`A new device asks to answer ${asking[0].service}.`;
  known = new Set([...waiting, ...handovers].map(({ id }) => id));
}
