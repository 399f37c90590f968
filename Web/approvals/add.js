// A service's offer: read, answered with a new key for it, and compared with what the service's page shows.

import { device, use } from "../accounts/keys.js";
import { keepFilmed } from "../scanner/filmed.js";
import { scanButton } from "../scanner/scan-button.js";
import { Problem, api } from "../shell/api.js";
import { now } from "../shell/clock.js";
import { CoreError, b64u, fromB64u } from "../shell/core.js";
import { $, $$, busy, describe, make, notice, time } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { showFacts } from "../shell/facts.js";
import { fragment, takenFragment } from "../shell/fragment.js";
import { start } from "../shell/frame.js";
import { once } from "../shell/once.js";
import { byteLength } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { ask, otherDevices, sign, word } from "./handing-over.js";
import { forget, keyFor, makeKey, markEnrolled, rememberCode, underWay } from "./keeping.js";
import { collector, isPart, withoutCode } from "./parts.js";
import { call } from "./protocol.js";

/** Milliseconds between two looks at whether the service has confirmed. */
const interval = 2000;

let owner = null;
/** `{message, value}` of the offer that the page is about. */
let offer = null;
let step = null;
let isLeft = false;
/** Whether a code came with the address: then that is what the page is about. */
let isGiven = false;
/** `{made, names, word}`: what another device is asked, and its word. */
let waiting = null;
/** Ends the waiting for another device's word. */
let asking = new AbortController();

start(load, []);

async function load() {
  owner = await device();
  if (!owner) {
    // Somebody who is signed out signs in first, and comes back with the code.
    await api.get("/api/sessions/current");
    throw new Problem("no-keys", { detail: t`This browser has no keys for your account. Add it under Devices, or use the device that has them.` });
  }
  const given = await takenFragment().catch(withoutNetwork);
  if (given) {
    isGiven = true;
    if (!isPart(given)) return take(given);
    // The page is ready while it films.
    film(given).catch((error) => notice("error", describe(error)));
    return show("code");
  }
  // A page that was closed while it waited goes on.
  const open = await latestOpen();
  // A connection that comes back takes nothing away that the person is looking at, or will in a moment.
  if (isGiven || ["offer", "over"].includes(step)) return undefined;
  if (!open) return show("code");
  // The page is ready while it waits.
  (open.code ? wait(open) : waitForWord(open, await otherDevices(open.service))).catch((error) => notice("error", describe(error)));
  return undefined;
}

/** Reading a code needs no network, nor does carrying a question on. */
function withoutNetwork(problem) {
  if (problem.kind !== "offline") throw problem;
  const given = fragment();
  history.replaceState(history.state, "", location.pathname);
  return given;
}

function show(name) {
  const isMove = step !== null && step !== name;
  step = name;
  for (const part of $$("[data-step]")) part.hidden = part.dataset.step !== name;
  if (isMove) $(`[data-step=${name}] h2`).focus();
}

function over(mark, title, text) {
  $("#verdict").className = `verdict measure ${mark}`;
  $("#try-again").hidden = mark !== "no";
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  show("over");
}

/** Forgets what ran out, and gives what can still be confirmed, or agreed to: `{name, publicKey, offer, …, code, asks}`. */
async function latestOpen() {
  const all = (await underWay()).sort((a, b) => b.made - a.made);
  for (const one of all) if (one.expires + 60 < now()) await forget(one.name);
  return all.find((one) => one.expires + 60 >= now() && (one.code || one.asks)) ?? null;
}

$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#form button[type=submit]"), () => take($("#code").value.trim()));
});
scanButton($("#scan"), { title: t`Scan the code`, hint: t`The QR code that the service shows.`, more: collector }, (text, isFilmed) => {
  if (isFilmed) keepFilmed(text);
  return take(text);
});

/** Films the other codes of a message that does not fit into one. */
async function film(first) {
  const more = collector();
  await more(first);
  const { scan } = await import("../scanner/scan.js");
  const found = await scan({ title: t`Scan the codes`, hint: t`Hold them in front of the camera until all are read.`, more });
  return found ? take(found.text) : undefined;
}

/** Reads an offer from its link. */
async function take(text) {
  try {
    const { link } = withoutCode(text);
    const { value: { kind }, blobs: [message] } = await call("read_link", { text: link.replace(/^web\+/, "") });
    // The question travels along, and its code if there is one: this device may have no network.
    if (kind === "challenge") return location.replace(`/wallet/approval#${encodeURIComponent(text)}`);
    if (kind === "answer") return location.replace(`/hand-in#${encodeURIComponent(text)}`);
    if (kind !== "offer") throw new CoreError("not_a_link", "");
    const { value } = await call("offer", { time: now() }, message);
    // Only this server could take it.
    if (value.reply !== owner.trust.publicURL + path(value.id)) throw new CoreError("not_a_link", "");
    offer = { message, value };
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    show("code");
    const words = error.code === "expired"
      ? t`This code is too old. Let the service show another.` : t`This is not a code of a service that wants to ask you.`;
    complain($("#form"), [$("#code"), $("#code-error"), words]);
    return undefined;
  }
  showFacts($("#offer"), [
    [t`Service`, make("bdi", {}, offer.value.name)], [t`Domain`, make("bdi", {}, offer.value.service)],
    [t`This device`, make("bdi", {}, owner.deviceName)], [t`Works until`, time(offer.value.expires)]]);
  return show("offer");
}

$("#accept").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => accept()));
$("#lost-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const code = $("#recovery-code").value.trim();
  if (!complain($("#lost-form"), [$("#recovery-code"), $("#recovery-code-error"), code ? "" : t`Type a recovery code.`])) return;
  busy($("#recover"), () => accept(code));
});

const hex = (id) => Array.from(fromB64u(id), (byte) => byte.toString(16).padStart(2, "0")).join("");
const path = (id) => `/api/approvals/enrolments/${hex(id)}`;

/** The enrolment, if a device has taken the offer: one that is asked about is known, and still open. */
async function taken({ offer: id }) {
  const found = await api.get(path(id)).catch(() => null);
  return found && found.state !== "open" ? found : undefined;
}

/** Takes the offer; a recovery code stands for the word of a device that is lost. */
async function accept(code = null) {
  const { message, value } = offer;
  asking.abort();
  const old = code ? null : await voucher(value);
  const made = await use(t`Make a key for ${value.name}`, async (k) => {
    const { name, publicKey } = await makeKey(k, value);
    const about = { time: now(), name: deviceName(), key: publicKey, ...(old ? { by: old.publicKey } : {}) };
    const { value: { code: digits }, blobs: [bytes] } = await call("enrolment_bytes", about, message);
    const signature = b64u(await k.signFor(name, bytes));
    const handover = old ? { handover: b64u(await k.signFor(old.name, bytes)) } : {};
    const { blobs: [body] } = await call("enrolment", { ...about, signature, ...handover }, message);
    await rememberCode(name, digits);
    return { name, publicKey, code: digits, body: b64u(body), offer: value.id, service: value.service, serverKey: value.server_key, label: value.account, title: value.name };
  });
  try {
    await once(
      t`the service got your device's key`, () => api.post(path(made.offer), { message: made.body, ...(code ? { recovery_code: code } : {}) }),
      () => taken(made));
  } catch (problem) {
    if (problem.error === "unknown_device" && !code) return askOthers(made, { message: b64u(message), name: deviceName() });
    if (problem.error === "unknown_device") {
      await forget(made.name);
      return lost(made);
    }
    if (code && (problem.kind === "wrong-code" || problem.error === "too_early")) {
      const words = problem.kind === "wrong-code"
        ? t`That is none of your recovery codes.` : t`Recovery codes work three days after they were made.`;
      complain($("#lost-form"), [$("#recovery-code"), $("#recovery-code-error"), words]);
      // What the other devices were asked was about the key before.
      if (waiting) askOthers(made, { message: b64u(message), name: deviceName() }).catch((error) => notice("error", describe(error)));
      else await forget(made.name);
      return undefined;
    }
    await forget(made.name);
    throw problem;
  }
  return wait(made);
}

/** A key that this browser has for the same user vouches for the new one, unless it was removed elsewhere. */
async function voucher(value) {
  const old = await keyFor(value, [value.account]);
  const devices = old ? await api.all("/api/approvals/devices") : [];
  return devices.some((one) => one.public_key === old.publicKey) ? old : null;
}

/** The protocol takes names of up to 100 bytes. */
function deviceName() {
  let name = owner.deviceName;
  while (byteLength(name) > 100) name = [...name].slice(0, -1).join("");
  return name;
}

/** The service knows a device of this person that would have to vouch, and none can. */
function lost({ title }) {
  $("#lost-title").textContent = t`Another device answers ${title}`;
  $("#lost-text").textContent = t`You had a device there, and only that one could have added this one.`;
  $("#lost-text").hidden = false;
  $("#word").hidden = true;
  $("#lost-form").closest("details").open = true;
  show("lost");
}

/** Another of this person's devices has to agree. */
async function askOthers(made, asks) {
  if (!await ask(path(made.offer), made, asks)) {
    await forget(made.name);
    return lost(made);
  }
  return waitForWord({ ...made, asks }, await otherDevices(made.service));
}

async function waitForWord(made, names) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  $("#lost-title").textContent = t`Another device has to agree`;
  $("#lost-text").hidden = true;
  $("#word").hidden = false;
  $("#word-where").textContent = t`Open Countersign on ${names}, and agree there.`;
  waiting = { made, names };
  if (!offer) {
    const message = fromB64u(made.asks.message);
    offer = { message, value: (await call("offer", { time: now() }, message)).value };
  }
  show("lost");
  const found = await word(path(made.offer), made, names, signal);
  if (!found) return undefined;
  if (found.outcome !== "agreed") return refused(made, found.outcome);
  waiting.word = found;
  $("#word-go").focus();
  return undefined;
}

$("#word-go").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const { made, word: given } = waiting;
  const { code, body } = await sign(made, given);
  await once(
    t`the service got your device's key`, () => api.post(path(made.offer), { message: body }),
    () => taken(made)).then(() => wait({ ...made, code }), (problem) => {
    // The device that agreed was removed since.
    if (problem.error === "unknown_device") return askOthers(made, made.asks);
    throw problem;
  });
}));
$("#word-again").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const { made } = waiting;
  await ask(path(made.offer), made, made.asks);
  notice("info", t`Your other devices were asked again.`);
}));

/** Shows the code until the service's page has confirmed it, or not. */
async function wait(made) {
  $("#digits").textContent = made.code;
  show("compare");
  while (!isLeft) {
    try {
      const found = await api.get(path(made.offer));
      if (found.state === "completed") return complete(made, found.device);
      if (["ended", "expired"].includes(found.state)) return refused(made, found.state);
      if (found.state === "open" && made.asks) return waitForWord(made, await otherDevices(made.service));
      $("#state").textContent = t`Waiting for the page of the service …`;
    } catch (problem) {
      if (problem.kind === "not-found") return refused(made, "expired");
      if (!["offline", "busy", "too-many-requests"].includes(problem.kind)) throw problem;
      $("#state").textContent = describe(problem);
    }
    await new Promise((resolve) => { setTimeout(resolve, interval); });
  }
  return undefined;
}

/** The key counts once the service's key has signed for it: what the server alone says would not do. */
async function complete(made, device) {
  const { value: { account } } = await call(
    "confirmation", { service: made.service, server_key: made.serverKey, key: made.publicKey },
    fromB64u(device.confirmation), fromB64u(device.signature));
  if (account !== made.label) throw new CoreError("other_device", t`The service confirmed another user. Begin there again.`);
  await markEnrolled(made.name);
  over("yes", t`${made.title} can ask you now`, t`Its questions come here, and nothing happens without your answer.`);
}

async function refused(made, state) {
  await forget(made.name);
  over("no", t`It was not added`, {
    ended: t`The page of the service refused it. Begin there again.`,
    denied: t`One of your other devices denied it. If that was a mistake, begin at the service again.`,
    replaced: t`Another device has asked instead of this one. If it is not yours, deny it on your other device, and begin at the service again.`,
  }[state] ?? t`Too much time went by. Begin at the service again.`);
}

for (const button of $$("#give-up, #word-give-up")) button.addEventListener("click", () => busy(button, async () => {
  isLeft = true;
  asking.abort();
  if (waiting) await api.delete(`${path(waiting.made.offer)}/handover`).catch(() => { /* It ends with the offer. */ });
  for (const one of await underWay()) await forget(one.name);
  location.assign("/wallet/approvals");
}));
