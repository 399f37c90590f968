// One question: read, allowed with the code of the asking page or denied with a reason, and what came of it.

import { use } from "../accounts/keys.js";
import { wasFilmed } from "../scanner/filmed.js";
import { api } from "../shell/api.js";
import { now } from "../shell/clock.js";
import { fromB64u, b64u } from "../shell/core.js";
import { $, $$, busy, describe, make, notice, time } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { showFacts } from "../shell/facts.js";
import { fragment, onFragment } from "../shell/fragment.js";
import { start } from "../shell/frame.js";
import { NotDone, Unknown, once } from "../shell/once.js";
import { drawQR } from "../shell/qr.js";
import { plural, t } from "../shell/translate.js";
import { save } from "../transparency/save.js";
import { keyFor } from "./keeping.js";
import { showCodes, withoutCode } from "./parts.js";
import { call } from "./protocol.js";
import { factsOf, headline } from "./words.js";

/** `{info, message, sender, key, question}` of the request in the address. */
let asked = null;
let step = null;
/** An answer that was signed and that the server does not have, as far as is known, and what shows it. */
let unsent = null;
let unsentIsDenial = false;
let carrying = new AbortController();
/** With these the server does not have the answer yet, and may take it later, or from another device. */
const passing = new Set(["offline", "request-timeout", "busy", "too-many-requests", "storage-unreachable", "internal"]);
const isPassing = (problem) => problem instanceof NotDone || problem instanceof Unknown || passing.has(problem.kind);
/** The code that the camera has read with a question, and the link: the person has seen the page, and types nothing. */
let filmed = { link: "", code: "" };

const run = start(load, ["approval"]);
onFragment(() => {
  asked = null;
  step = null;
  unsent = null;
  // A code is for one question alone.
  $("#code").value = "";
  run();
});

const path = () => `/api/approvals/challenges/${encodeURIComponent(asked.info.id)}`;

async function load() {
  if (!fragment()) return location.replace("/wallet/approvals");
  if (unsent && await sendNow()) unsent = null;
  const got = await received(fragment()).catch((problem) => {
    if (problem.kind !== "not-found") throw problem;
  });
  if (!got) return showMissing();
  const { info, message, sender } = got;
  const key = await keyFor(sender, sender.labels);
  // Without a key of its own the browser knows no key of the service's: the lines are then as its server says.
  const kept = { service: sender.service, server_key: key?.serverKey ?? sender.server_key };
  const { value: question } = await call("challenge", kept, message);
  asked = { info, message, kept, key, question };
  showQuestion();
  if (filmed.link === fragment()) $("#code").value = filmed.code;
  filmed = { link: "", code: "" };
  if (unsent) return showCarry();
  if (info.state === "pending" && info.is_allowed == null && !isOver()) {
    if (step !== "deny") show("read");
  } else showOutcome();
}

/** The address is whole, and asks nothing of this account. */
function showMissing() {
  asked = null;
  show("missing");
}

/** What is asked: fetched by its id, or read from the code that the address holds, which needs no network. */
async function received(given) {
  if (!/^(web\+)?authreq:/.test(given)) {
    const info = await api.get(`/api/approvals/challenges/${encodeURIComponent(given)}`);
    const message = fromB64u(info.message);
    return { info, message, sender: (await call("challenge_sender", {}, message)).value };
  }
  const { link, code } = withoutCode(given);
  // A code in a link that somebody has sent says nothing: then the person types it.
  if (code && wasFilmed(given)) filmed = { link: given, code };
  const { blobs: [message] } = await call("read_link", { text: link.replace(/^web\+/, "") });
  const { value: sender } = await call("challenge_sender", {}, message);
  const id = Array.from(fromB64u(sender.id), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const found = await api.get(`/api/approvals/challenges/${id}`).catch((problem) => {
    if (problem.kind === "offline") return null;
    throw problem;
  });
  return { info: found ?? { id, domain: sender.service, state: "pending" }, message, sender, isCarried: true };
}

const isOver = () => asked.question.expires < now();

/** What each step is about, as the page's heading. */
const headings = {
  missing: t`There is no such request`, deny: t`Deny this request`, carry: t`Hand in your answer`, over: t`What came of it`,
};

function show(name) {
  const isMove = step !== null && step !== name;
  step = name;
  $("#heading").textContent = headings[name]
    ?? (asked.question.action === "sign-in" ? t`Are you signing in?` : t`Do you allow this?`);
  $("#lead").textContent = name === "read"
    ? [t`Read every line. Your device signs exactly these.`, t`Asked on ${time(asked.question.created)}.`].join(" ") : "";
  for (const part of $$("[data-step]")) part.hidden = part.dataset.step !== name;
  if (isMove) $(`[data-step=${name}] h2`).focus();
}

function showQuestion() {
  const { question, key, info } = asked;
  for (const title of ["#question-title", "#carry-what"]) $(title).textContent = headline(info.domain, question);
  for (const list of ["#lines", "#over-lines"]) {
    showFacts($(list), factsOf(question.lines).map(([label, text]) => [label, make("bdi", {}, text)]));
  }
  $("#code-field").hidden = !question.digits;
  $("#code").maxLength = question.digits ?? 12;
  $("#form").hidden = !key;
  $("#no-key").hidden = Boolean(key);
  $("#aside").textContent = info.discarded ? t`Bring it back` : t`Hide it from my list`;
  $("#aside-text").hidden = !info.discarded;
  showTime();
}

function showTime() {
  if (!asked) return;
  const left = Math.max(0, asked.question.expires - now());
  $("#left").textContent = lasting(left);
  $("#until").textContent = t`until ${time(asked.question.expires)} here`;
  if (left === 0 && (step === "read" || step === "deny")) run();
}
setInterval(showTime, 1000);

/** A time in the largest unit of which there are two. */
function lasting(seconds) {
  const [minutes, hours, days] = [60, 3_600, 86_400].map((unit) => Math.floor(seconds / unit));
  if (days >= 2) return plural(days, "{0} day", "{0} days");
  if (hours >= 2) return plural(hours, "{0} hour", "{0} hours");
  return minutes >= 2 ? plural(minutes, "{0} minute", "{0} minutes") : plural(seconds, "{0} second", "{0} seconds");
}

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
  if (!complain($("#deny-form"), [$("#not-me"), $("#reason-error"), reason ? "" : t`Choose a reason.`])) return;
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
  const carry = () => {
    unsent = signed.blobs[0];
    unsentIsDenial = decision.decision === "deny";
    showCarry();
  };
  if (!navigator.onLine) return carry();
  try {
    // The same answer again changes nothing, so looking whether it arrived is sending it again.
    await once(t`your answer arrived`, send, send);
  } catch (problem) {
    // There may be a network that does not lead to the server.
    if (isPassing(problem)) return carry();
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
  $("#carry-title").textContent = unsentIsDenial ? t`Denied, not sent yet` : t`Allowed, not sent yet`;
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
    if (isPassing(problem)) return false;
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
  if (unsent) notice("info", t`It still cannot be sent.`);
}));

function wrongCode() {
  $("#code").value = "";
  complain($("#form"), [$("#code"), $("#code-error"), t`That is not the code. Look again at the page that asks: the third wrong code ends the request.`]);
}

const outcomes = {
  approved: { mark: "yes", title: t`Allowed`, text: t`Your device has signed what you read.` },
  denied: { mark: "no", title: t`Denied`, text: t`The service was told, and nothing happens.` },
  expired: { mark: "unsure", title: t`Too late`, text: t`The time to answer is over. Nothing happens; the service can ask again.` },
  cancelled: { mark: "unsure", title: t`Cancelled`, text: t`The service took it back, or you let no service ask for a while. Nothing happens.` },
  codes: { mark: "no", title: t`Ended after wrong codes`, text: t`Three wrong codes were typed. Nothing happens; the service can ask again. If you did not type them, look at your devices.` },
};
/** The same when somebody else, or too few, have decided. */
const ofOthers = {
  approved: { mark: "yes", title: t`Allowed by others`, text: t`Enough others have allowed it. Your devices have signed nothing.` },
  denied: { mark: "no", title: t`Denied by somebody else`, text: t`The service was told, and nothing happens.` },
  pending: { mark: "unsure", title: t`You allowed it`, text: t`Others have to allow it too. Nothing happens before.` },
};

function showOutcome() {
  const { info } = asked;
  const state = info.state === "pending" && isOver() ? "expired" : info.state;
  const isOwn = info.is_allowed === { approved: true, denied: false }[state];
  const name = state === "cancelled" && info.ended_by_codes ? "codes" : state;
  const { mark, title, text } = (isOwn ? outcomes[name] : null) ?? ofOthers[state] ?? outcomes[name];
  $("#verdict").className = `verdict measure ${mark}`;
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  $("#shown").hidden = false;
  $("#save").hidden = !["approved", "denied"].includes(state);
  show("over");
  $("#lead").textContent = t`Asked on ${time(asked.question.created)}.`;
}

$("#save").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const { receipt } = await api.get(`${path()}/receipt`);
  save(fromB64u(receipt), `${asked.info.domain}-${asked.info.id.slice(0, 8)}.approval`);
  notice("success", t`The receipt is saved. Anybody can check it without this server.`);
}));
