// Signing in. By passkey: from the button, from the list of accounts here, or from the list that the browser opens
// under the username. By the passphrase of keys that are in this browser. Or with another device that scans a code.

import { $, busy, clearNotices, describe, list } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { finishEnding } from "./ending.js";
import { check, revealable, rules, show } from "./form.js";
import { sayWhoIsHere } from "./here.js";
import * as passkeys from "./passkeys.js";
import { allRecords, kindOf } from "./records.js";
import "./refusals.js";
import * as elsewhere from "./scan-sign-in.js";
import { destination, signInWithPasskey, signInWithPassphrase } from "./sessions.js";

const reasons = {
  locked: t`Your wallet no longer answered, so the session was locked. Scan again, or sign in another way.`,
  ended: t`Two attempts in a row failed, so the session has ended. Nothing else happened; your keys are unharmed.`,
};

/** In milliseconds: the server's challenge lives a little longer. */
const longestWait = 240_000;

const form = $("#form");
let waiting = null;

$("#passkey").addEventListener("click", ({ currentTarget }) => withPasskey(currentTarget));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#go"), withPassphrase);
});
revealable(form);
elsewhere.attach({ before: stopWaiting, after: autofill, go });
await start();

async function start() {
  const reason = reasons[new URLSearchParams(location.search).get("reason")];
  if (reason) {
    $("#reason p").textContent = reason;
    $("#reason").hidden = false;
  }
  await finishEnding();
  await Promise.all([showKnown(), sayWhoIsHere()]);
  if (passkeys.isSupported()) return autofill();
  $("#passkey-part").hidden = $("#username-hint").hidden = true;
  $("#passphrase-part").open = true;
  $("#no-passkeys").hidden = false;
}

async function showKnown() {
  const records = (await allRecords()).filter(({ state }) => state !== "revoked");
  const values = (record) => {
    const isWeak = kindOf(record) !== "prf";
    const isDraft = record.state === "draft";
    return {
      username: record.username,
      isWeak,
      how: isDraft ? t`Begun here; nobody knows yet whether it worked` : isWeak ? t`Keys behind a passphrase` : t`Passkey`,
      action: isDraft ? t`Check whether it worked` : t`Sign in`,
    };
  };
  list($("#accounts"), records, "known-account", values, {
    each: (element, record) => {
      const button = $("button", element);
      button.setAttribute("aria-label", `${button.textContent}: ${record.username}`);
      button.addEventListener("click", () => choose(record, button));
    },
  });
  $("#known").hidden = records.length === 0;
  if (records.some((record) => record.passkeys.length === 0)) $("#passphrase-part").open = true;
}

async function choose(record, button) {
  if (record.passkeys.length > 0 && passkeys.isSupported()) return withPasskey(button, record);
  form.elements.username.value = record.username;
  $("#passphrase-part").open = true;
  form.elements.passphrase.focus();
}

async function withPasskey(button, record) {
  await stopWaiting();
  await busy(button, async () => {
    clearNotices();
    try {
      go(await signInWithPasskey({ record }));
    } finally {
      autofill();
    }
  });
}

async function withPassphrase() {
  clearNotices();
  const given = check(form, {
    username: rules.username, passphrase: (text) => (text ? "" : t`Type the passphrase.`),
  });
  if (!given) return;
  const username = given.username.toLowerCase();
  const record = (await allRecords()).find((record) => record.username === username
    && record.state !== "revoked" && record.slots.some(({ kind }) => kind === "passphrase"));
  if (!record) {
    return show(form, {
      username: t`No keys of this account are in this browser behind a passphrase. Use a passkey, or add this browser
        from a device that you have.`,
    });
  }
  await stopWaiting();
  try {
    go(await signInWithPassphrase(record, given.passphrase, { former: given.former }));
  } catch (problem) {
    if (!["failed", "sign-in-failed"].includes(problem.kind)) throw problem;
    show(form, { passphrase: problem.kind === "failed" ? problem.detail : describe(problem) });
    // The one reason for which a right passphrase does not do.
    $("#former-part").hidden = false;
  }
}

/** Offers passkeys in the list under the username, as long as nothing else is asked for. */
function autofill() {
  if (waiting) return;
  const controller = new AbortController();
  // From its first step on: what is pressed while it begins has to stop it, too.
  waiting = { controller, ended: offer(controller.signal) };
}

async function offer(signal) {
  const isPossible = await passkeys.canAutofill();
  if (signal.aborted) return undefined;
  if (!isPossible) {
    waiting = null;
    return undefined;
  }
  const renewal = setTimeout(async () => { await stopWaiting(); autofill(); }, longestWait);
  return signInWithPasskey({ isAutofill: true, signal }).then(go, async (problem) => {
    // Stopped, or no network: the button still works and says what is wrong.
    if (signal.aborted || problem.kind === "offline") return;
    waiting = null;
    await busy($("#passkey"), () => Promise.reject(problem));
  }).finally(() => clearTimeout(renewal));
}

/** A browser has one question at a time. */
async function stopWaiting() {
  waiting?.controller.abort();
  await waiting?.ended;
  waiting = null;
}

function go(session) {
  location.replace(destination(session.account));
}
