// How one is told that something waits: this browser, e-mail, SMS, and which kinds go where.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { b64u, fromB64u, sha256, utf8 } from "../shell/core.js";
import { $, $$, busy, clone, list, notice } from "../shell/dom.js";
import { start } from "../shell/frame.js";
import { t } from "../shell/translate.js";
import "./mine.js"; // Every page asks it what the account may do (session.js).

/** What each kind of notice is about. */
const titles = {
  approval: t`A service asks for your approval`,
  request: t`One of your requests was accepted or cancelled`,
  document: t`A document has come`,
  session: t`One of your sessions was ended`,
  device: t`A device was added or removed`,
  access: t`The ways to sign in or to be told have changed`,
  protection: t`The protection of your approvals has changed`,
};

let settings = null;
/** The subscription of this browser, and its place in the list; null without one. */
let here = { subscription: null, way: null };

const run = start(load, []);

async function load() {
  settings = await api.get("/api/notifications");
  here = await find();
  showHere();
  showWays();
  showKinds();
}

/** Whether this browser has what push needs. */
const canPush = () => Boolean(navigator.serviceWorker && globalThis.PushManager && globalThis.Notification);

async function find() {
  if (!canPush()) return { subscription: null, way: null };
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager.getSubscription() ?? null;
  if (!subscription) return { subscription: null, way: null };
  const mark = await sha256(utf8(subscription.endpoint));
  return { subscription, way: settings.ways.find((way) => way.mark === mark) ?? null };
}

function showHere() {
  const isBlocked = canPush() && Notification.permission === "denied";
  $("#turn-on").hidden = !canPush() || isBlocked || Boolean(here.way);
  $("#turn-off").hidden = !here.way;
  $("#here-text").textContent = here.way ? t`This browser tells you, even while no page is open.`
    : isBlocked ? t`This browser does not allow notifications from this site. Allow them in its settings.`
      : canPush() ? t`This browser does not tell you yet.`
        : t`This browser cannot do it. On an iPhone or iPad, first add Countersign to the home screen.`;
}

function showWays() {
  $("#add-email").hidden = !settings.has_email;
  $("#add-phone").hidden = !settings.has_sms;
  list($("#ways"), settings.ways, "way-row", (way) => ({
    ...way, isHere: way.id === here.way?.id, isOpen: !way.is_confirmed,
    title: way.kind === "push" ? t`A browser, through ${way.address}` : way.address,
    isSMS: way.kind === "sms",
  }), {
    empty: "no-ways",
    each: (element, way) => {
      const content = $("[data-content]", element);
      content.checked = way.says_content;
      content.addEventListener("change", () => busy(content, () => sayContent(content, way)));
      const acts = { confirm, remove };
      for (const button of $$("[data-act]", element)) {
        button.hidden = button.dataset.act === "confirm" && way.is_confirmed;
        button.setAttribute("aria-label", `${button.textContent}: ${$(".title", element).textContent}`);
        button.addEventListener("click", () => busy(button, () => acts[button.dataset.act](way)));
      }
    },
  });
}

function showKinds() {
  const isOff = (way, kind) => settings.off.some((one) => one.way === way && one.kind === kind.name);
  // A choice about a way that the person does not have would change nothing.
  const there = new Set(settings.ways.filter((way) => way.is_confirmed).map(({ kind }) => kind));
  $("#kinds-part").hidden = there.size === 0;
  $("#kinds").replaceChildren(...settings.kinds.map((kind) => {
    const element = clone("kind-row", { title: titles[kind.name] ?? kind.name, isAlways: kind.is_security });
    for (const box of $$("input", element)) {
      const { way } = box.dataset;
      box.checked = !isOff(way, kind);
      box.closest("label").hidden = kind.is_security || !there.has(way);
      box.addEventListener("change", () => busy(box, () => choose(box, way, kind.name)));
    }
    return element;
  }));
}

async function choose(box, way, kind) {
  try {
    settings = await api.put("/api/notifications/choices", { way, kind, is_on: box.checked });
  } catch (problem) {
    box.checked = !box.checked;
    throw problem;
  }
}

async function sayContent(box, way) {
  try {
    await api.put(`/api/notifications/ways/${encodeURIComponent(way.id)}/content`, { is_on: box.checked });
  } catch (problem) {
    box.checked = !box.checked;
    throw problem;
  }
}

$("#turn-on").addEventListener("click", ({ currentTarget }) => busy(currentTarget, turnOn));
$("#turn-off").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => remove(here.way)));
$("#add-email").addEventListener("click", ({ currentTarget }) => busy(currentTarget, addEmail));
$("#add-phone").addEventListener("click", ({ currentTarget }) => busy(currentTarget, addPhone));

async function turnOn() {
  if (await Notification.requestPermission() !== "granted") return showHere();
  const worker = await navigator.serviceWorker.ready;
  const key = fromB64u(settings.push_key);
  const old = await worker.pushManager.getSubscription();
  // One that was made for another key of the server is of no use to it.
  if (old && b64u(new Uint8Array(old.options.applicationServerKey ?? [])) !== settings.push_key) await old.unsubscribe();
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const part = (name) => b64u(new Uint8Array(made.getKey(name)));
  await api.put("/api/notifications/push", { endpoint: made.endpoint, key: part("p256dh"), auth: part("auth") });
  notice("success", t`This browser tells you from now on.`);
  return run();
}

/**
 * Asks until the server takes the answer, or the person gives up. Why it does not is said where one types.
 *
 * @param refusals the words for each kind of problem that another answer may repair
 * @returns what `act` does with the answer, or null
 */
async function askUntilTaken(question, act, refusals) {
  let { text } = question, value = "";
  while (true) {
    const answer = await ask({ ...question, text, input: { ...question.input, value } });
    if (!answer) return null;
    try {
      return await act(answer.value);
    } catch (problem) {
      if (!refusals[problem.kind]) throw problem;
      [text, value] = [refusals[problem.kind], answer.value];
    }
  }
}

async function addEmail() {
  const way = await askUntilTaken({
    title: t`Add an e-mail address`, text: t`A code is sent there. Enter it here, and the address gets your notices.`,
    confirm: t`Send the code`, input: { label: t`E-mail address`, type: "email", maximum: 254 },
  }, (address) => api.post("/api/notifications/email", { address }, { reason: t`Add an e-mail address` }), {
    "invalid-member": t`This is not an e-mail address. Write one such as name@example.org.`,
  });
  await added(way);
}

async function addPhone() {
  const way = await askUntilTaken({
    title: t`Add a phone number`,
    text: t`A code is sent there by SMS. Enter it here, and the number gets your notices. Begin with a plus sign and the code of the country.`,
    confirm: t`Send the code`, input: { label: t`Phone number`, type: "tel", maximum: 40 },
  }, (number) => api.post("/api/notifications/phone", { number }, { reason: t`Add a phone number` }), {
    "invalid-member": t`This server cannot send there. Begin with a plus sign and the code of the country, such as +49 30 901820.`,
  });
  await added(way);
}

async function added(way) {
  if (!way) return;
  await run();
  await confirm(way);
}

async function confirm(way) {
  const isSMS = way.kind === "sms";
  const path = `/api/notifications/${isSMS ? "phone" : "email"}/${encodeURIComponent(way.id)}/confirm`;
  try {
    const confirmed = await askUntilTaken({
      title: t`Enter the code`, text: t`It was sent to ${way.address}.`,
      confirm: isSMS ? t`Confirm the number` : t`Confirm the address`,
      input: { label: t`Code`, maximum: 40 },
    }, (code) => api.post(path, { code }), {
      "wrong-code": t`This code is wrong. Compare it with the message to ${way.address}. After five wrong codes you need a new one.`,
    });
    if (confirmed) notice("success", t`${way.address} gets your notices from now on.`);
  } finally {
    await run();
  }
}

async function remove(way) {
  await api.delete(`/api/notifications/ways/${encodeURIComponent(way.id)}`, { reason: t`Remove a way to be told` });
  if (way.id === here.way?.id) await here.subscription.unsubscribe();
  await run();
}
