// The wallets that sign this account in elsewhere: listed, added, renamed and removed.

import { showCode } from "../accounts/code-view.js";
import { device, use } from "../accounts/keys.js";
import { showList } from "../accounts/rows.js";
import { Problem, api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, busy, describe, notice } from "../shell/dom.js";
import { start } from "../shell/frame.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { commitmentOf, forget, kept, makeKey, markPaired, signer } from "./keeping.js";
import { fingerprintText, sameCommitment } from "./marks.js";
import { prove } from "./prover.js";
import { ends, readCode } from "./reading.js";

/** These pass by themselves: the page goes on waiting. */
const passing = ["offline", "busy", "conflict", "too-many-requests", "request-timeout", "storage-unreachable"];
const pause = 2000;

/** The keys of this browser, each with its `commitment`. */
let here = [];
/** What ends the code that is shown to another wallet, an AbortController. */
let open = null;

const run = start(load, []);
const state = { root: document, reload: run };

async function load() {
  // The keys first: one that is paired by now is in every later list.
  here = await Promise.all((await kept()).map(async (key) => ({ ...key, commitment: await commitmentOf(key) })));
  const items = await api.all("/api/pico/pairings");
  const isListed = (key) => items.some(({ commitment }) => sameCommitment(key.commitment, commitment));
  // Removed on another device: it opens nothing any more.
  for (const key of here.filter((one) => one.isOwn && !isListed(one))) await forget(key.name);
  const values = (one) => ({ ...one, isHere: Boolean(mine(one)), isUnused: !one.used });
  showList(state, "#wallets", items, "wallet-row", values, { rename, remove });
  $("#none").hidden = items.length > 0;
  // A browser without keys can pair others, and not itself.
  const isPaired = items.some(mine);
  const owner = await device();
  $("#pair-here").hidden = isPaired || !owner;
  $("#here").hidden = !owner;
  $("#scan").hidden = !isPaired;
}

const mine = ({ commitment }) => here.find((key) => sameCommitment(key.commitment, commitment));

async function rename({ id, name }) {
  const answer = await ask({ title: t`Rename the wallet`, confirm: t`Save`, input: { label: t`Name`, value: name, maximum: 100 } });
  if (!answer) return false;
  await api.patch(`/api/pico/pairings/${encodeURIComponent(id)}`, { name: answer.value });
}

async function remove(one) {
  const { id, name } = one;
  const answer = await ask({
    title: t`Remove ${name}?`, text: t`It can sign you in nowhere any more, and what it has opened is signed out. Wallets that were paired there go too. You can pair it again.`,
    confirm: t`Remove it`, cancel: t`Keep it{#wallet}`, danger: true,
  });
  if (!answer) return false;
  const path = `/api/pico/pairings/${encodeURIComponent(id)}`;
  await once(
    t`the wallet was removed`, () => api.delete(path, { reason: t`Remove ${name}, so that it signs you in nowhere` }),
    async () => ((await api.all("/api/pico/pairings")).some((other) => other.id === id) ? undefined : {}));
  const key = mine(one);
  if (key) await forget(key.name);
  notice("success", t`${name} signs you in nowhere any more.`);
}

$("#pair-here").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const { deviceName: name, username: account } = await device();
  await use(t`Pair this browser, so that it signs you in elsewhere`, async (k) => {
    const offer = await api.post("/api/pico/pairings", { name });
    const over = new AbortController();
    // The server goes on only while this page waits for it.
    const waiting = word(offer.id, over.signal);
    waiting.catch(() => { /* The run says what is wrong. */ });
    try {
      await pairWith(k, offer, account, over.signal);
      await waiting;
    } catch (error) {
      over.abort();
      await end(offer.id);
      throw ends[error.code] ? new Problem("refused", { detail: ends[error.code] }) : error;
    }
  });
  notice("success", t`This browser can sign you in on other computers: scan the code of a sign-in page there.`);
  await run();
  $("#scan").focus();
}));

/** Pairs this browser with what its own page is offered. */
async function pairWith(k, { code }, account, signal) {
  const read = await readCode(code);
  if (read.refusal) throw new Problem("refused", { detail: read.refusal });
  const key = await makeKey(k, read);
  const { name } = key;
  try {
    const outcome = await prove({ code, address: read.address, key, sign: signer(k, key), signal });
    await markPaired(name, { ...outcome, account: outcome.account ?? account, isOwn: true });
  } catch (error) {
    await forget(name);
    throw error;
  }
}

/** The server shows the code no more. */
const end = (id) => api.post(`/api/pico/pairings/${encodeURIComponent(id)}/end`, {}).catch(() => { /* It ends by itself. */ });

$("#pair-other").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const answer = await ask({
    title: t`Pair another wallet`, text: t`Then it can sign you in as you, until you remove it. Pair only a wallet that is yours.`,
    confirm: t`Show the code`, input: { label: t`Name of the wallet`, hint: t`For example “My laptop”. You see it in this list.`, maximum: 100 },
  });
  if (answer) await offer(answer.value);
}));

/** Shows a code for a wallet to pair with, and waits until one has. */
async function offer(name) {
  open?.abort();
  const over = new AbortController();
  open = over;
  over.signal.addEventListener("abort", () => { if (open === over) open = null; });
  const made = await api.post("/api/pico/pairings", { name }, { reason: t`Pair another wallet with your account` });
  $("#offer-title").textContent = t`Scan this with ${name}`;
  $("#offer-fingerprint").textContent = await fingerprintText(made);
  say(t`Waiting for the wallet …`);
  showOffer({ isOver: false });
  await showCode($("#offer"), { text: made.code, expires: made.expires }, {
    label: t`The code to scan with the other wallet`, signal: over.signal, over: () => finish(over, t`This code is too old. Show a new one.`),
  });
  $("#offer-title").focus();
  $("#offer-again").onclick = ({ currentTarget }) => busy(currentTarget, () => offer(name));
  word(made.id, over.signal).then(async (wallet) => {
    if (!wallet) return void await end(made.id);
    over.abort();
    // Somebody who has seen the code may have been quicker: only the person can tell.
    $("#offer-title").textContent = t`${wallet.name} can sign you in now`;
    say(t`If your wallet does not say that it is paired, somebody else has scanned this code. Then remove it from the list.`);
    showOffer({ isOver: true, isPaired: true });
    $("#offer-title").focus();
    return run();
  }).catch((error) => finish(over, describe(error)));
}

/** The wallet that was paired; undefined once `signal` is aborted. Throws what ended the offer. */
async function word(id, signal) {
  while (!signal.aborted) {
    try {
      const found = await api.post(`/api/pico/pairings/${encodeURIComponent(id)}/wait`, {}, { signal });
      if (found.state === "paired") return found.wallet;
      if (found.state !== "waiting") throw new Problem("expired", { detail: t`This code is too old. Show a new one.` });
    } catch (problem) {
      if (signal.aborted) return undefined;
      if (!passing.includes(problem.kind)) throw problem;
      say(describe(problem));
      await new Promise((done) => { setTimeout(done, (problem.retryAfter ?? 0) * 1000 || pause); });
    }
  }
  return undefined;
}

function finish(over, words) {
  if (over.signal.aborted) return;
  over.abort();
  say(words);
  showOffer({ isOver: true });
}

function showOffer({ isOver, isPaired = false }) {
  $("#offer").hidden = false;
  $("#offer-code").hidden = isOver;
  $("#offer-again").hidden = !isOver || isPaired;
}

$("#offer-close").addEventListener("click", () => {
  open?.abort();
  $("#offer").hidden = true;
  $("#pair-other").focus();
});

function say(words) {
  const place = $("#offer-state");
  if (place.textContent !== words) place.textContent = words;
}
