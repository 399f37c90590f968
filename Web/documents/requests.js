// Asking for documents, and what became of what was asked.

import { device } from "../accounts/keys.js";
import { listed, myself } from "../accounts/mine.js";
import { nameOf } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, $$, busy, clearNotices, clone, notice } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { fragment } from "../shell/fragment.js";
import { showAge, start } from "../shell/frame.js";
import { localList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { once } from "../shell/once.js";
import { redraw } from "../shell/redraw.js";
import { inSentence, listing, typeTitle } from "../shell/text.js";
import { tooLong } from "../shell/too-long.js";
import { plural, t } from "../shell/translate.js";
import { knownTypes } from "../verification/types.js";
import { holdsDocuments, isOpen, requestStates } from "./words.js";

/** In bytes of UTF-8. */
const longestNote = 500;

let me = null;
let asked = [];
let view = null;
/** State by request, to say what changed. */
let known = null;

const run = start(load, ["request", "enrolment"]);

$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#form button[type=submit]"), send);
});
$("#note").addEventListener("input", () => checkNote());

async function load() {
  const [owner, account] = await Promise.all([device(), myself()]);
  me = account.value;
  // The server lists everybody's requests to administrators; those belong to the console.
  const [requests, catalogue] = holdsDocuments(me)
    ? await Promise.all([listed("/api/requests"), listed("/api/catalogue")]) : [{ items: [] }, { items: [] }];
  const { items } = requests;
  showAge([account, requests]);
  const first = whatFirst(owner);
  showFirst(first);
  $("#asked").hidden = !holdsDocuments(me);
  $("#asking").hidden = Boolean(first);
  if (!first) showTypes(await inWords(catalogue.items.filter((type) => type.id !== "identity")));
  await draw(items);
  tell(items);
}

/** The step that is needed before asking, or null. */
function whatFirst(owner) {
  if (!holdsDocuments(me)) {
    return {
      title: t`Administrators answer requests`, action: t`Open the office`, href: "/console",
      text: t`Your account signs documents for others and holds none itself.`,
    };
  }
  if (!me.is_verified) {
    return {
      title: t`First, meet an administrator`, action: t`Start the check`, href: "/wallet/identity",
      text: t`Documents are for people who were checked face to face. It takes two minutes, once.`,
    };
  }
  if (!owner) {
    return {
      title: t`Ask from a device of yours`, action: t`Add this device`, href: "/add-device",
      text: t`A document is sealed to the device that asks for it, and this browser holds none of your keys.`,
    };
  }
  return null;
}

function showFirst(first) {
  $("#first").hidden = !first;
  if (!first) return;
  $("#first-title").textContent = first.title;
  $("#first-text").textContent = first.text;
  $("#first-action").textContent = first.action;
  $("#first-action").href = first.href;
}

/** The server's types, called as people call them in the language of the page. */
async function inWords(types) {
  const known = await knownTypes();
  return types.map((type) => known.find(({ id }) => id === type.id) ?? type);
}

function showTypes(types) {
  redraw($("#types"), types, (type) => {
    const names = type.fields.map((field) => inSentence(field.label));
    const choice = clone("type-choice", { title: type.title, fields: t`Says ${listing(names)}.` });
    const input = $("input", choice);
    input.value = type.id;
    return choice;
  });
  // A link from elsewhere names the type: asking again for a document that another device holds.
  const wanted = fragment();
  if (!wanted) return;
  const input = $$("#types input").find((one) => one.value === wanted);
  if (input) input.checked = true;
  history.replaceState(history.state, "", location.pathname);
}

/** What is wrong with the note, if anything is. */
function mistake() {
  return tooLong($("#note").value.trim(), { bytes: longestNote });
}

/** While a person types, the words are beside the field; the summary waits until the form is sent. */
function checkNote() {
  $("#note-error").textContent = mistake();
  $("#note").setAttribute("aria-invalid", String(Boolean(mistake())));
}

async function send() {
  const type = $("#types input:checked")?.value;
  const errors = [[$("#note"), $("#note-error"), mistake()]];
  if (!type && $("#types input")) errors.unshift([$("#types input"), $("#type-error"), t`Choose which document.`]);
  if (!complain($("#form"), ...errors)) return;
  const note = $("#note").value.trim();
  const before = new Set((known ?? new Map()).keys());
  await once(
    t`your request was sent`, () => api.post("/api/requests", { type, note }),
    () => api.find("/api/requests", (request) => !before.has(request.id) && request.type === type && request.note === note));
  $("#form").reset();
  // What went wrong before it is settled.
  clearNotices();
  notice("success", t`${typeTitle(type)}: your request was sent.`);
  await run();
  $("#asked-title").scrollIntoView({ block: "nearest" });
}

/** Shows the requests as they are now: the rows that were shown stay, and more come as one scrolls. */
async function draw(items) {
  asked = items;
  if (view) return view.reload({ mark: false });
  view = listView({
    source: { ...localList(() => asked, [], () => []), csv: () => "/api/requests?format=csv" },
    things: (number) => plural(number, "{0} request", "{0} requests"), list: $("#requests"),
    row: { template: "request-row", values, fill },
  });
  return view.load();
}

function values(request) {
  const who = request.administrator && nameOf(request.administrator);
  return {
    title: typeTitle(request.type),
    created: request.created,
    means: request.state === "accepted" && who ? t`${who} has taken it.` : requestStates[request.state].means,
    note: request.note && t`Your note: “${request.note}”`,
    reason: request.reason && (who ? t`${who} says: “${request.reason}”` : t`The reason: “${request.reason}”`),
    document: request.document ? `/wallet/document#${encodeURIComponent(request.document)}` : "",
    isOpen: isOpen(request),
  };
}

function fill(row, request) {
  const { word, badge } = requestStates[request.state];
  const place = $("[data-badge]", row);
  place.textContent = word;
  place.classList.add(badge);
  const button = $("button", row);
  button.addEventListener("click", () => busy(button, () => withdraw(request)));
}

async function withdraw(request) {
  const answered = await ask({
    title: t`Withdraw the request for a ${inSentence(typeTitle(request.type))}?`,
    text: t`No administrator will work on it any more. You can ask again at any time.`,
    confirm: t`Withdraw`, cancel: t`Keep it{#document}`, danger: true, reason: true,
  });
  if (!answered) return;
  const path = `/api/requests/${encodeURIComponent(request.id)}`;
  await once(
    t`the request was cancelled`, () => api.post(`${path}/cancel`, { reason: answered.reason }),
    async () => {
      const found = await api.get(path);
      return found.state === "cancelled" ? found : undefined;
    });
  await run();
}

/** Says in words what changed since the list was last drawn. */
function tell(items) {
  if (known) {
    const changed = items.filter((request) => known.has(request.id) && known.get(request.id) !== request.state);
    const words = changed.map(({ type, state }) => t`${typeTitle(type)}: ${requestStates[state].word}.`);
    if (words.length > 0) $("#news").textContent = words.join(" ");
  }
  known = new Map(items.map((request) => [request.id, request.state]));
}
