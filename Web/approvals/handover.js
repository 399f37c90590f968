// A new device of the account asks this one for its word: compared by six digits, and signed or denied.

import { use } from "../accounts/keys.js";
import { api } from "../shell/api.js";
import { now } from "../shell/clock.js";
import { b64u, fromB64u } from "../shell/core.js";
import { $, $$, busy, make, notice, time } from "../shell/dom.js";
import { showFacts } from "../shell/facts.js";
import { fragment, onFragment } from "../shell/fragment.js";
import { start } from "../shell/frame.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { enrolled } from "./keeping.js";
import { call } from "./protocol.js";

/** `{info, message, offer, key}` of the request in the address. */
let asked = null;
let step = null;
/** What was decided here stays on the screen. */
let isDecided = false;

const run = start(load, ["approval"]);
onFragment(() => { asked = null; step = null; isDecided = false; run(); });

const path = () => `/api/approvals/handovers/${encodeURIComponent(fragment())}`;
const isolated = (text) => `\u2068${text}\u2069`;

async function load() {
  if (!fragment()) return location.replace("/wallet/approvals");
  const info = (await api.all("/api/approvals/handovers")).find(({ id }) => id === fragment());
  // The event of what is decided here may come before the answer.
  if (isDecided) return undefined;
  if (!info) return over("unsure", t`Nothing waits here`, t`The new device asks no more, another of your devices has answered, or too much time went by.`);
  const message = fromB64u(info.message);
  const { value: offer } = await call("offer", { time: now() }, message);
  // A key that was removed may still lie here.
  const key = (await enrolled()).find((one) => one.serverKey === offer.server_key && info.own.includes(one.publicKey));
  const isChanged = step === "compare" && !isOurs(info, key);
  asked = { info, message, offer, key };
  if (isChanged) notice("warning", t`The new device has asked again. Compare the digits again.`);
  return isOurs(info, key) ? compare() : read();
}

/** Whether this device looks at the request already. */
const isOurs = ({ by, key: theirs }, key) => Boolean(key && theirs && by === key.publicKey);

function show(name) {
  const isMove = step !== null && step !== name;
  step = name;
  for (const part of $$("[data-step]")) part.hidden = part.dataset.step !== name;
  if (isMove) $(`[data-step=${name}] h2`).focus();
}

function over(mark, title, text) {
  asked = null;
  $("#verdict").className = `verdict measure ${mark}`;
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  $("#look").hidden = mark !== "no";
  show("over");
}

function read() {
  const { info, offer, key } = asked;
  const [name, service] = [isolated(info.name), isolated(offer.name)];
  $("#read-title").textContent = t`Let ${name} answer ${service} too?`;
  showFacts($("#facts"), [
    [t`Domain`, make("bdi", {}, offer.service)], [t`Begun there`, time(info.created)], [t`Works until`, time(info.expires)]]);
  const other = info.state === "claimed" && info.by !== key?.publicKey;
  $("#claim").hidden = !key || other;
  $("#elsewhere").hidden = Boolean(key) && !other;
  const names = info.devices.map(isolated).join(", ");
  $("#elsewhere-text").textContent = other
    ? t`Another of your devices looks at it now. Agree there, or let ${name} ask again.`
    : t`This browser has no key for ${service}. To agree, open Countersign on: ${names}. You can deny here.`;
  show("read");
}

/** What both devices are to sign, and its digits. */
const bytes = ({ info, message, key }) => call(
  "enrolment_bytes", { time: now(), name: info.name, key: info.key, by: key.publicKey }, message);

async function compare() {
  const { value: { code } } = await bytes(asked);
  $("#compare-text").textContent = t`${isolated(asked.info.name)} shows six digits now. Are they these?`;
  $("#digits").textContent = code;
  show("compare");
}

$("#claim").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const { key } = asked;
  try {
    asked.info = await api.post(`${path()}/claim`, { by: key.publicKey });
  } catch (problem) {
    await run();
    throw problem;
  }
  return compare();
}));

$("#agree").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  // Exactly what the digits on the screen are of, whatever the server says by now.
  const { info, message, offer, key } = asked;
  const { blobs: [signed], value: { code } } = await bytes({ info, message, key });
  if (code !== $("#digits").textContent) return run();
  const [name, service] = [isolated(info.name), isolated(offer.name)];
  const handover = await use(t`Let ${name} answer ${service}`, async (k) => b64u(await k.signFor(key.name, signed)));
  const send = () => api.post(`${path()}/agree`, { by: key.publicKey, handover });
  isDecided = true;
  try {
    // The same word again changes nothing, so looking whether it arrived is sending it again.
    await once(t`the new device got your word`, send, send);
  } catch (problem) {
    isDecided = false;
    await run();
    throw problem;
  }
  return over("yes", t`You agreed`, t`Go on with ${name}: it signs too, and then you compare the digits with the page of ${service}.`);
}));

for (const button of $$("[data-act=deny]")) {
  button.addEventListener("click", () => busy(button, async () => {
    const { info, offer } = asked;
    isDecided = true;
    try {
      await api.post(`${path()}/deny`);
    } catch (problem) {
      isDecided = false;
      await run();
      throw problem;
    }
    over("no", t`Denied`, t`${isolated(info.name)} cannot answer ${isolated(offer.name)}. If you did not begin this, somebody else may be signed in as you: look at your devices, and tell the service.`);
  }));
}
