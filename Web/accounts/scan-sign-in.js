// Signing in with another device: this page shows a code, a wallet that is paired scans it, and the session comes here.

import { api } from "../shell/api.js";
import { $, busy, describe } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { showCode } from "./code-view.js";
import { settle } from "./sessions.js";
import { firstContact } from "./trust.js";

/** These pass by themselves: the page goes on waiting. */
const passing = ["offline", "busy", "conflict", "too-many-requests", "request-timeout", "storage-unreachable"];
/** Milliseconds before it asks again after one of them, unless the server says when. */
const pause = 2000;

const old = t`This code is too old. Show a new one.`;

/** What is waited for: `{id, secret, over, isSeen}`, `over` an AbortController. */
let open = null;

/**
 * Makes the part of the page work.
 *
 * @param before stops what else waits for a person here; @param after lets it wait again; @param go gets the NewSession
 */
export function attach({ before, after, go }) {
  const part = $("#elsewhere");
  const begin = ({ currentTarget }) => busy(currentTarget, async () => {
    await end();
    // A server that is another one than before shows no code.
    await firstContact();
    const continuous = $("#elsewhere-stay").checked;
    // A locked session of the same person makes room for the new one.
    const replaces = new URLSearchParams(location.search).get("reason") === "locked";
    const { id, secret, code, expires } = await api.post("/api/pico/sign-ins", { continuous, replaces }, { allow401: true });
    const one = { id, secret, continuous, over: new AbortController() };
    open = one;
    say(t`Scan this code with your wallet.`);
    show({ isOpen: true });
    await showCode(part, { text: code, expires }, {
      label: t`The code to scan with your wallet`, signal: one.over.signal, over: () => tooOld(one),
    });
    $("#elsewhere-state").focus();
    wait(one, { before, after, go });
  });
  $("#elsewhere-show").addEventListener("click", begin);
  $("#elsewhere-again").addEventListener("click", begin);
  $("#elsewhere-cancel").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    await end();
    show({ isOpen: false });
    $("#elsewhere-show").focus();
  }));
  // A page that is left wants nobody to be signed in on it.
  addEventListener("pagehide", () => {
    end();
    show({ isOpen: false });
  });
}

/** Each answer takes up to half a minute. */
async function wait(one, acts) {
  const { signal } = one.over;
  while (!signal.aborted) {
    try {
      const path = `/api/pico/sign-ins/${encodeURIComponent(one.id)}`;
      const found = await api.post(path, { secret: one.secret }, { allow401: true, signal });
      if (signal.aborted) return;
      if (found.state === "signed-in") return await take(one, found.session, acts);
      if (found.state === "denied") return finish(one, t`The wallet said no, so nobody was signed in.`);
      if (found.state === "expired") return finish(one, old);
      if (found.state === "seen") seen(one);
    } catch (problem) {
      if (signal.aborted) return;
      if (problem.kind === "not-found" || problem.kind === "gone") return finish(one, old);
      if (!passing.includes(problem.kind)) return finish(one, describe(problem));
      say(describe(problem));
      await new Promise((done) => { setTimeout(done, (problem.retryAfter ?? 0) * 1000 || pause); });
    }
  }
}

/** The session is here: its cookie came with the answer. */
async function take(one, session, { before, after, go }) {
  one.over.abort();
  open = null;
  say(t`Signed in. One moment …`);
  try {
    await before();
    go(await settle(session, one.continuous ? one : undefined));
  } catch (error) {
    finish(one, describe(error));
    after();
  }
}

/** A wallet has the code: nobody needs to see it any more. */
function seen(one) {
  one.isSeen = true;
  say(t`Your wallet has read the code. Confirm it there.`);
  show({ isOpen: true, hasCode: false });
}

/** Nobody can begin with the code now. A wallet that has begun may still be at it: the server's word counts. */
function tooOld(one) {
  if (one.isSeen) return;
  say(old);
  show({ isOpen: true, hasCode: false, isOver: true });
}

/** This code is over, for the reason that `words` give. */
function finish(one, words) {
  one.over.abort();
  if (open === one) open = null;
  say(words);
  show({ isOpen: true, hasCode: false, isOver: true });
}

/** Takes the code back: nobody can sign in with it any more. */
async function end() {
  if (!open) return;
  const { id, secret, over } = open;
  open = null;
  over.abort();
  await api.post(`/api/pico/sign-ins/${encodeURIComponent(id)}/end`, { secret }, { allow401: true })
    .catch(() => { /* It ends by itself. */ });
}

function show({ isOpen, hasCode = true, isOver = false }) {
  $("#elsewhere-begin").hidden = isOpen;
  $("#elsewhere-open").hidden = !isOpen;
  $("#elsewhere-code").hidden = !hasCode;
  $("#elsewhere-again").hidden = !isOver;
}

/** A live region speaks whenever it is written to, changed or not. */
function say(words) {
  const place = $("#elsewhere-state");
  if (place.textContent !== words) place.textContent = words;
}
