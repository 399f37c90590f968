// What this browser keeps of the services that it answers: a key for each, and the service's own key since the
// enrolment. The keys lie beside the device's, wrapped like them (accounts/wrap.js).

import { now } from "../shell/clock.js";
import { ofService } from "../accounts/key-names.js";
import { changeServiceKey, makeServiceKey, serviceKeys } from "../accounts/keys.js";

/** The keys that are enrolled, the newest first: `{name, publicKey, service, title, serverKey, label, made}`. */
export const enrolled = async () => (await serviceKeys()).filter(({ isEnrolled }) => isEnrolled)
  .sort((a, b) => b.made - a.made);

/** The keys whose enrolment is under way: what `enrolled` gives, and `offer`. */
export const underWay = async () => (await serviceKeys()).filter(({ isEnrolled }) => !isEnrolled);

/**
 * The key to answer a service with, or undefined. A person may be several users of one service, each with a key.
 *
 * @param sender `{service, server_key}`; @param labels what the service calls the users who may answer
 */
export const keyFor = async ({ service, server_key: serverKey }, labels) => (await enrolled())
  .find((one) => one.service === service && one.serverKey === serverKey && labels.includes(one.label));

/**
 * Makes a key for the service of an offer.
 *
 * @param k what `use` handed out; @param offer what Core read of it
 * @returns `{name, publicKey}`
 */
export async function makeKey(k, offer) {
  const name = ofService + offer.id;
  const publicKey = await makeServiceKey(k, name, {
    offer: offer.id, service: offer.service, title: offer.name, serverKey: offer.server_key, label: offer.account, expires: offer.expires,
    made: now(), isEnrolled: false,
  });
  return { name, publicKey };
}

/** The six digits to compare: a page that was closed while it waited shows them again. */
export const rememberCode = (name, code) => changeServiceKey(name, { code });

/** What another device is asked: `{message, name}`. A page that was closed while it waited goes on. */
export const rememberQuestion = (name, asks) => changeServiceKey(name, { asks, code: null });

/** The server has confirmed the device. */
export const markEnrolled = (name) => changeServiceKey(name, { isEnrolled: true });

/** Forgets a key for ever. */
export const forget = (name) => changeServiceKey(name, null);
