// One question: read, allowed with the code of the asking page or denied with a reason, and what came of it.

import { use } from "../accounts/keys.js";
import { api } from "../shell/api.js";
import { now } from "../shell/clock.js";
import { fromB64u, b64u } from "../shell/core.js";
import { $, $$, busy, describe, notice, time } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { showFacts } from "../shell/facts.js";
import { fragment, onFragment } from "../shell/fragment.js";
import { start } from "../shell/frame.js";
import { once } from "../shell/once.js";
import { drawQR } from "../shell/qr.js";
import { plural, t } from "../shell/translate.js";
import { save } from "../transparency/save.js";
import { keyFor } from "./keeping.js";
import { showCodes } from "./parts.js";
import { call } from "./protocol.js";
import { actions, factsOf } from "./words.js";

/** `{info, message, sender, key, question}` of the request in the address. */
let asked = null;
let step = null;
/** An answer that was signed without a network, and what shows it. */
let unsent = null;
let carrying = new AbortController();

const run = start(load, ["approval"]);
onFragment(() => { asked = null; step = null; unsent = null; run(); });

const path = () => `/api/approvals/challenges/${encodeURIComponent(asked.info.id)}`;

async function load() {
  if (unsent && await sendNow()) unsent = null;
  const { info, message, sender } = await received(fragment());
  const key = await keyFor(sender, sender.labels);
  // Without a key of its own the browser knows no key of the service's: the lines are then as its server says.
  const kept = { service: sender.service, server_key: key?.serverKey ?? sender.server_key };
  const { value: question } = await call("challenge", kept, message);
  asked = { info, message, kept, key, question };
  showQuestion();
  if (unsent) return showCarry();
  if (info.state === "pending" && info.is_allowed == null && !isOver()) {
    if (step !== "deny") show("read");
  } else showOutcome();
}

/** What is asked: fetched by its id, or read from the code that the address holds, which needs no network. */
async function received(given) {
  if (!/^(web\+)?authreq:/.test(given)) {
    const info = await api.get(`/api/approvals/challenges/${encodeURIComponent(given)}`);
    const message = fromB64u(info.message);
    return { info, message, sender: (await call("challenge_sender", {}, message)).value };
  }
  const { blobs: [message] } = await call("read_link", { text: given.replace(/^web\+/, "") });
  const { value: sender } = await call("challenge_sender", {}, message);
  const id = Array.from(fromB64u(sender.id), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const found = await api.get(`/api/approvals/challenges/${id}`).catch((problem) => {
    if (problem.kind === "offline") return null;
    throw problem;
  });
  return { info: found ?? { id, domain: sender.service, state: "pending" }, message, sender, isCarried: true };
}

const isOver = () => asked.question.expires < now();

function show(name) {
  const isMove = step !== null && step !== name;
  step = name;
  for (const part of $$("[data-step]")) part.hidden = part.dataset.step !== name;
  if (isMove) $(`[data-step=${name}] h2`).focus();
}

function showQuestion() {
  const { question, key, info } = asked;
  $("#question-title").textContent = t`${info.domain}: ${actions[question.action] ?? question.action}`;
  for (const list of ["#lines", "#over-lines"]) showFacts($(list), factsOf(question.lines));
  for (const value of $$("#lines dd, #over-lines dd")) value.dir = "auto";
  $("#code-field").hidden = !question.digits;
  $("#code").maxLength = question.digits ?? 12;
  $("#form").hidden = !key;
  $("#no-key").hidden = Boolean(key);
  $("#aside").textContent = info.discarded ? t`Bring it back` : t`Put it aside`;
  $("#aside-text").hidden = !info.discarded;
  showTime();
}

function showTime() {
  if (!asked) return;
  const left = Math.max(0, asked.question.expires - now());
  const minutes = Math.floor(left / 60);
  $("#left").textContent = minutes >= 2
    ? plural(minutes, "{0} minute", "{0} minutes") : plural(left, "{0} second", "{0} seconds");
  if (left === 0 && (step === "read" || step === "deny")) run();
}
setInterval(showTime, 1000);

$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#allow"), allow);
});
$("#aside").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const { info } = asked;
  const changed = info.discarded ? await api.delete(`${path()}/discard`) : await api.put(`${path()}/discard`);
  asked.info = { ...info, discarded: changed.discarded };
  showQuestion();
}));
$("#deny").addEventListener("click", () => show("deny"));
$("#back").addEventListener("click", () => show("read"));
$("#deny-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const { reason, scope } = Object.fromEntries(new FormData($("#deny-form")));
  busy($("#deny-now"), () => answer({ decision: "deny", reason, scope }, t`Sign that you deny this`));
});

async function allow() {
  const { digits } = asked.question;
  const code = $("#code").value.replace(/\s/g, "");
  const wrong = digits && !(code.length === digits && /^[0-9]+$/.test(code))
    ? plural(digits, "Type the {0} digit that the page shows.", "Type the {0} digits that the page shows.") : "";
  if (!complain($("#form"), [$("#code"), $("#code-error"), wrong])) return;
  await answer({ decision: "allow", ...(digits ? { code } : {}) }, t`Sign exactly what you read`);
}

async function answer(decision, reason) {
  const { message, kept, key } = asked;
  const signed = await use(reason, async (k) => {
    const { blobs: [bytes] } = await call("answer_bytes", { ...kept, ...decision }, message);
    const signature = b64u(await k.signFor(key.name, bytes));
    return call("answer", { ...kept, ...decision, key: key.publicKey, signature }, message);
  });
  const body = { message: b64u(signed.blobs[0]) };
  const send = () => api.post("/api/approvals/answers", body);
  if (!navigator.onLine) {
    unsent = signed.blobs[0];
    return showCarry();
  }
  try {
    // The same answer again changes nothing, so looking whether it arrived is sending it again.
    await once(t`your answer arrived`, send, send);
  } catch (problem) {
    if (problem.kind === "wrong-code") return wrongCode();
    // Somebody has answered on another device, or it was cancelled: the page shows what came of it.
    await run();
    throw problem;
  }
  return run();
}

/** Shows the signed answer as a code: a device with a network hands it in. */
function showCarry() {
  if (step === "carry") return;
  show("carry");
  $("#carry-where").textContent = `${location.host}/hand-in`;
  carrying.abort();
  carrying = new AbortController();
  showCodes(unsent, {
    draw: (text) => drawQR($("#carry-code"), text, { label: t`Your answer as a QR code`, level: "L" }),
    say: (words) => { $("#carry-count").textContent = words; }, signal: carrying.signal,
  }).catch((error) => notice("error", describe(error)));
}

/** Whether the server has the answer now. */
async function sendNow() {
  try {
    await api.post("/api/approvals/answers", { message: b64u(unsent) });
  } catch (problem) {
    if (problem.kind === "offline") return false;
    unsent = null;
    if (problem.kind !== "wrong-code") throw problem;
    wrongCode();
  }
  carrying.abort();
  step = null;
  return true;
}

$("#send").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  await run();
  if (unsent) notice("info", t`There is still no network.`);
}));

function wrongCode() {
  $("#code").value = "";
  complain($("#form"), [$("#code"), $("#code-error"), t`That is not the code. Look again at the page that asks.`]);
}

const outcomes = {
  approved: { mark: "yes", title: t`Allowed`, text: t`Your device has signed what you read.` },
  denied: { mark: "no", title: t`Denied`, text: t`The service was told, and nothing happens.` },
  expired: { mark: "unsure", title: t`Too late`, text: t`The time to answer is over. Nothing happens; the service can ask again.` },
  cancelled: { mark: "unsure", title: t`Cancelled`, text: t`The service does not ask any more. Nothing happens.` },
};

function showOutcome() {
  const { info } = asked;
  const state = info.state === "pending" && isOver() ? "expired" : info.state;
  const { mark, title, text } = outcomes[state]
    ?? { mark: "yes", title: t`You allowed it`, text: t`Others have to allow it too. Nothing happens before.` };
  $("#verdict").className = `verdict measure ${mark}`;
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  $("#shown").hidden = false;
  $("#save").hidden = !["approved", "denied"].includes(state);
  $("#lead").textContent = t`Asked on ${time(asked.question.created)}.`;
  show("over");
}

$("#save").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const { receipt } = await api.get(`${path()}/receipt`);
  save(fromB64u(receipt), `${asked.info.domain}-${asked.info.id.slice(0, 8)}.approval`);
  notice("success", t`The receipt is saved. Anybody can check it without this server.`);
}));
