// What a scanned code leads to: who asks, and the answer; a pairing; and staying signed in while this page is seen.

import { device, use } from "../accounts/keys.js";
import { Problem, api } from "../shell/api.js";
import { now } from "../shell/clock.js";
import { CoreError } from "../shell/core.js";
import { $, $$, busy, describe, make, notice, time } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { codeValue, showFacts } from "../shell/facts.js";
import { fragment, takenFragment } from "../shell/fragment.js";
import { start } from "../shell/frame.js";
import { t } from "../shell/translate.js";
import { browserWords } from "./browsers.js";
import { curveName, oldWords, unmarkedWords } from "./curve-words.js";
import { forget, keptFor, makeKey, markPaired, signer } from "./keeping.js";
import { sameCommitment } from "./marks.js";
import { prove } from "./prover.js";
import { ends, readCode } from "./reading.js";
import { stay } from "./staying.js";

/** What is answered: `{text}` and what Core read of it, and of a sign-in the `keys` that can answer. */
let asked = null;
let step = null;
/** The session that this page keeps open. */
let staying = null;

start(load, []);
// A code that is opened on this very page, unless it is busy with another.
addEventListener("hashchange", () => { if (fragment() && !staying) busy($("#use"), async () => take(await takenFragment())); });

async function load() {
  if (!await device()) {
    // Somebody who is signed out signs in first, and comes back with the code.
    await api.get("/api/sessions/current");
    throw new Problem("no-keys", { detail: t`This browser has no keys for your account. Add it under Devices, or use the device that has them.` });
  }
  // A connection that comes back does not take the question away.
  if (step) return undefined;
  return fragment() ? take(await takenFragment()) : show("code");
}

/** What each step is about, as the page's heading. */
const headings = {
  code: t`Sign in elsewhere`, ask: t`Are you signing in there?`, pair: t`Pair with this service?`, unpaired: t`Not paired yet`,
  stay: t`You are signed in there`, over: t`What came of it`,
};

function show(name) {
  const isMove = step !== null && step !== name;
  step = name;
  $("#heading").textContent = headings[name];
  $("#lead").hidden = name !== "code";
  for (const part of $$("[data-step]")) part.hidden = part.dataset.step !== name;
  if (isMove) $(`[data-step=${name}] h2`).focus();
}

function over(mark, title, text) {
  $("#verdict").className = `verdict measure ${mark}`;
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  show("over");
}

$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#use"), () => take($("#code").value.trim()));
});

async function take(text) {
  const read = await readCode(text, { old: true });
  if (read.refusal) {
    show("code");
    complain($("#form"), [$("#code"), $("#code-error"), read.refusal]);
    return undefined;
  }
  asked = { ...read, text };
  return read.type === "KP" ? showPairing() : showQuestion();
}

// Signing in

async function showQuestion() {
  asked.keys = await keptFor(asked.commitment);
  if (asked.keys.length === 0) return show("unpaired");
  const who = isHere() ? await api.get(path()).catch((problem) => {
    if (!["not-found", "gone"].includes(problem.kind)) throw problem;
    return null;
  }) : null;
  // The server knows everybody who asks to come into it. Others may meet at its channels too. Somebody who passes messages
  // on would show a channel of their own, and nothing would be known of the browser behind it.
  if (!who && sameCommitment(asked.commitment, (await api.get("/api/pico/service")).commitment)) {
    return tooLate();
  }
  asked.isKnown = Boolean(who);
  asked.expires = who?.expires ?? Infinity;
  const [{ title, account: only }] = asked.keys;
  $("#ask-title").textContent = t`Sign in to ${title}`;
  showFacts($("#facts"), [
    [t`Sign in as`, asked.keys.length === 1 && only ? make("bdi", {}, only) : null], [t`Server`, make("bdi", {}, asked.host)],
    [t`Browser there`, who && make("bdi", {}, browserWords(who.browser))], [t`Network address`, who && make("bdi", {}, who.address)],
    [t`Asked`, who && time(who.created)]]);
  $("#nobody").hidden = Boolean(who);
  $("#as").hidden = asked.keys.length < 2;
  $("#as-keys").replaceChildren(...asked.keys.map(({ name, account, made }, index) => make("label", { class: "choice" },
    make("input", { type: "radio", name: "key", value: name, checked: index === 0 }),
    make("span", {}, make("bdi", {}, account || t`No name`), make("span", { class: "meta" }, t`Paired on ${time(made)}`)))));
  return show("ask");
}

const tooLate = () => over(
  "unsure", t`This code is over`, t`It was used already, or it is too old. Let the page show a new one, and scan that.`);

/** Whether the code leads to this server, which knows who asks. */
const isHere = () => new URL(asked.address).origin === location.origin;
const path = () => `/api/pico/asking/${encodeURIComponent(asked.channel)}`;

$("#allow").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  // Who looked at a code is known as long as it counts. Afterwards its messages could be handed on to another one.
  if (asked.expires < now()) return tooLate();
  const chosen = new FormData($("#as-form")).get("key");
  const key = asked.keys.find(({ name }) => name === chosen) ?? asked.keys[0];
  const { outcome, error } = await use(t`Sign in to ${key.title} on the other screen`, (k) => attempted(
    prove({ code: asked.text, address: asked.address, key, sign: signer(k, key) })));
  if (error) return over("no", t`You are not signed in there`, words(error));
  if (outcome.session) return keepOpen(key, outcome.session);
  return over("yes", t`You are signed in there`, t`The other screen goes on by itself.`);
}));

$("#deny").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  try {
    if (isHere()) await api.post(`${path()}/deny`, {});
  } catch (problem) {
    // Codes of other services are not known here. One that was is over, and another wallet may have signed in with it.
    if (problem.kind !== "not-found") throw problem;
    if (asked.isKnown) return tooLate();
  }
  return over("no", t`You said no`, t`Nobody was signed in. If you were not in front of that screen, somebody showed you their own code: do not scan it again.`);
}));

/** The end of a run, good or bad. Keys that were not opened are no end of it. */
const attempted = (run) => run.then((outcome) => ({ outcome }), (error) => ({ error }));

function words(error) {
  return error instanceof CoreError && ends[error.code] ? ends[error.code] : describe(error);
}

// Pairing

function showPairing() {
  $("#pair-title").textContent = t`Pair with ${asked.name}`;
  showFacts($("#pair-facts"), [
    [t`Server`, make("bdi", {}, asked.host)], [t`Fingerprint`, codeValue(asked.fingerprint)],
    [t`Curve`, asked.isOld ? make("bdi", {}, curveName(asked.curve)) : null]]);
  $("#old").hidden = !asked.isOld;
  $("#old-what").textContent = asked.isOld ? oldWords(asked.curve) : "";
  $("#old-mark").checked = false;
  complain($("#pair-form"), [$("#old-mark"), $("#old-error"), ""]);
  show("pair");
}

/** Whether nothing is wrong: an old service was marked as one. The key is then on its curve, and that is the mark. */
const isMarked = () => complain(
  $("#pair-form"), [$("#old-mark"), $("#old-error"), asked.isOld && !$("#old-mark").checked ? unmarkedWords() : ""]);

$("#pair").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  if (!isMarked()) return undefined;
  const { name: title, address, text: code } = asked;
  const { outcome, error } = await use(t`Make a key for ${title}`, async (k) => {
    const key = await makeKey(k, asked);
    const end = await attempted(prove({ code, address, key, sign: signer(k, key) }));
    await (end.outcome ? markPaired(key.name, end.outcome) : forget(key.name));
    return end;
  });
  if (error) return over("no", t`It was not paired`, words(error));
  return over("yes", t`Paired with ${title}`, outcome.account
    ? t`This browser can sign you in there as ${outcome.account}: scan the code of its sign-in page.`
    : t`This browser can sign you in there: scan the code of its sign-in page.`);
}));
$("#pair-not").addEventListener("click", () => over("no", t`It was not paired`, t`Nothing was told to the service.`));

// Staying signed in

function keepOpen({ title }, session) {
  $("#stay-title").textContent = t`You stay signed in to ${title}`;
  sayState(null);
  show("stay");
  staying = stay({ session, address: asked.address, changed: sayState });
  staying.over.then(
    (isOurs) => over("yes", isOurs ? t`You have ended it` : t`It was ended there`, t`The other screen is locked, or signed out.`),
    (error) => over("unsure", t`The connection to the other screen is lost`, `${words(error)} ${t`That screen locks. Sign in there again to go on.`}`),
  ).finally(() => { staying = null; }).catch((error) => notice("error", describe(error)));
}

function sayState(state) {
  const isPaused = state === "paused";
  $("#stay-state").textContent = state === null ? t`One moment …` : isPaused
    ? t`Paused. The other screen is locked until you go on.` : t`The other screen stays open while you can see this page.`;
  $("#pause").hidden = isPaused;
  $("#resume").hidden = !isPaused;
}

$("#pause").addEventListener("click", () => staying?.pause());
$("#resume").addEventListener("click", () => staying?.resume());
$("#end").addEventListener("click", () => staying?.end());
addEventListener("beforeunload", (event) => { if (staying) event.preventDefault(); });
