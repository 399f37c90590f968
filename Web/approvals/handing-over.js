// A new device asks the person's other devices for their word, and waits until one of them has signed.

import { use } from "../accounts/keys.js";
import { api } from "../shell/api.js";
import { now } from "../shell/clock.js";
import { b64u, fromB64u } from "../shell/core.js";
import { $, describe } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { rememberCode, rememberQuestion } from "./keeping.js";
import { call } from "./protocol.js";

/** Milliseconds between two looks. */
const interval = 2000;

const isolated = (text) => `\u2068${text}\u2069`;

/** The names of this person's devices that answer a service. */
export async function otherDevices(service) {
  const devices = await api.all("/api/approvals/devices").catch(() => []);
  return devices.filter(({ domain }) => domain === service).map(({ name }) => isolated(name)).join(", ");
}

/**
 * Asks for another device's word.
 *
 * @param path of the enrolment; @param made `{name, publicKey}` of the new key; @param asks `{message, name}`: the offer in
 *   base64url, and what this device calls itself
 * @returns whether any device could give it
 */
export async function ask(path, made, asks) {
  try {
    await api.put(`${path}/handover`, { name: asks.name, key: made.publicKey });
  } catch (problem) {
    if (problem.error !== "unknown_device") throw problem;
    return false;
  }
  await rememberQuestion(made.name, asks);
  return true;
}

/**
 * Waits for the word, and shows how far it is.
 *
 * @param signal ends it
 * @returns "agreed" with `{by, handover}`, or why it is over: "denied", "replaced", "ended", "expired"; undefined once
 *   `signal` is aborted
 */
export async function word(path, made, names, signal) {
  while (!signal.aborted) {
    try {
      const found = await api.get(path);
      if (signal.aborted) return undefined;
      if (found.state !== "open") return { outcome: found.state === "expired" ? "expired" : "ended" };
      if (!found.handover) return { outcome: "replaced" };
      const { state, by, handover } = found.handover;
      await showState(found.handover, made, names);
      if (state === "agreed") return { outcome: "agreed", by, handover };
      if (state === "denied") return { outcome: "denied" };
    } catch (problem) {
      if (problem.kind === "not-found") return { outcome: "replaced" };
      if (!["offline", "busy", "too-many-requests"].includes(problem.kind)) throw problem;
      $("#word-state").textContent = describe(problem);
    }
    await new Promise((resolve) => { setTimeout(resolve, interval); });
  }
  return undefined;
}

async function showState({ state, by, device }, made, names) {
  const older = isolated(device ?? "");
  const isKnown = Boolean(by && device);
  $("#word-digits").textContent = isKnown ? await digits(made, by) : "";
  $("#word-compare").hidden = !isKnown;
  $("#word-where").hidden = isKnown;
  $("#word-where").textContent = t`Open Countersign on ${names}, and agree there.`;
  $("#word-compare-text").textContent = t`${older} shows six digits now. Are they these? If they are, agree there. If they are not, deny there.`;
  $("#word-state").textContent = state === "agreed"
    ? t`${older} has agreed.` : isKnown ? t`Waiting for ${older} …` : t`Waiting for your other device …`;
  $("#word-go").hidden = state !== "agreed";
  $("#word-again").hidden = state === "agreed" || !isKnown;
}

const about = (made, by) => ({ time: now(), name: made.asks.name, key: made.publicKey, by });

async function digits(made, by) {
  return (await call("enrolment_bytes", about(made, by), fromB64u(made.asks.message))).value.code;
}

/**
 * Signs what the older device has signed.
 *
 * @returns `{code, body}`: the digits, and the message that takes the offer, in base64url
 */
export const sign = (made, { by, handover }) => use(t`Sign with the key for ${made.title}`, async (k) => {
  const offer = fromB64u(made.asks.message);
  const { value: { code }, blobs: [bytes] } = await call("enrolment_bytes", about(made, by), offer);
  const signature = b64u(await k.signFor(made.name, bytes));
  // It is refused here if the older device's signature covers anything else.
  const { blobs: [body] } = await call("enrolment", { ...about(made, by), signature, handover }, offer);
  await rememberCode(made.name, code);
  return { code, body: b64u(body) };
});
