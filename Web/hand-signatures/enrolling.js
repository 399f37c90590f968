// Sending a template's signatures, and what came of it: done, one of them to be written again, or another try.

import { api } from "../shell/api.js";
import { describe } from "../shell/dom.js";
import { once } from "../shell/once.js";
import { known, t } from "../shell/translate.js";
import { nameOf } from "./words.js";

/**
 * Registers a client.
 *
 * @param person `{number, given_name, family_name, paper, circumstances}`
 * @returns `{client, comparison, receipt}`; the last two are null when the answer was lost
 */
export function register(person, signatures) {
  return once(
    t`the client was registered`,
    () => api.post("/api/clients", { ...person, signatures }),
    async () => {
      // Nobody had the number before: who has it now, under this name, is the one.
      const client = await api.post("/api/clients/lookup", { number: person.number }).catch(unlessUnknown);
      return client && nameOf(client) === nameOf(person) ? { client, comparison: null, receipt: null } : undefined;
    });
}

/** Makes a new template of a client in place of the old one. @param act `{paper, reason, circumstances}` */
export function enrolAgain(client, act, signatures) {
  const path = `/api/clients/${encodeURIComponent(client.id)}`;
  return once(
    t`the new template was made`,
    () => api.post(`${path}/enrolment`, { ...act, signatures }, { reason: t`Make a new template of a client` }),
    async () => {
      const now = await api.get(path);
      return now.enrolled === client.enrolled ? undefined : { client: now, comparison: null, receipt: null };
    });
}

function unlessUnknown(error) {
  if (error.kind !== "not-found") throw error;
}

/** The place of the check signature, from 1, in what the server says. */
const check = 6;

/**
 * The subject of a refusal: `{place}` of a signature among the five, from 0; `{check: true}` for the check signature;
 * `{person: true}` for the form; `null` for anything else.
 */
export function faultOf({ kind, detail = "" }) {
  const place = Number(/^signature (\d+)/.exec(detail)?.[1]);
  if (kind === "invalid-member" && place) return place === check ? { check: true } : { place: place - 1 };
  if (kind === "conflict" && /number/.test(detail)) return { person: true };
  if (kind === "conflict") return { check: true };
  return kind === "invalid-member" && /^(number|given_name|family_name|paper|reason|fields):/.test(detail) ? { person: true } : null;
}

/** The fault as a sentence: the server begins with the name of its subject. */
export function sentence(error) {
  const words = known((error.detail ?? "").replace(/^signature [\d, ]+: /, "")) ?? describe(error);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
