// The history of a client: who did what, and which tries failed: rows as people read them.

import { list, time } from "../shell/dom.js";
import { newest } from "../shell/newest.js";
import { sideTools } from "../shell/side-tools.js";
import { series } from "../shell/text.js";
import { locale, plural, t } from "../shell/translate.js";
import { paperWords } from "./papers.js";

const kinds = {
  enrolled: t`Registered`, reenrolled: t`Enrolled again: a new template`, second_sitting: t`Signatures of a second visit taken`,
  renamed: t`Name changed`, fields_changed: t`Fields changed`,
};

const acts = {
  enrolment: t`Registering`, reenrolment: t`A new template`, sitting: t`A second visit`, signing: t`A signature on a document`,
  handover: t`A signature on a phone`,
};

const reasons = {
  unreadable: t`the signature could not be read`, unlike: t`the signatures were not alike`, recording: t`a recording was sent`,
  check_failed: t`the check signature was not like the five`, other_tool: t`written with another tool`,
  other_document: t`the document had changed`, other_template: t`the client was enrolled again while they signed`,
  other_capture: t`the phone had sent another signature`, too_many: t`too many were refused within an hour`,
  bad_ticket: t`the document had not been shown for it`,
};

/** Every row, then what `words` names. */
const kindsOf = (words) => [{ name: "all", word: t`All` }, ...Object.entries(words).map(([name, word]) => ({ name, word }))];

/** Fills a list with what was done with a client. It stands between `shell/side-tools` and `shell/more-rows`. */
export async function showActs(place, client) {
  const path = `/api/clients/${encodeURIComponent(client)}/acts`;
  const show = () => showActs(place, client);
  const tools = sideTools(place, {
    path, kinds: kindsOf(kinds), things: (number) => plural(number, "{0} entry", "{0} entries"), show,
  });
  drawActs(place, await newest(place, path, show, tools), tools);
}

/** Fills a list with failed attempts at all desks, or with those on a client. It stands between the same. */
export async function showAttempts(place, client) {
  const path = `/api/desk/attempts${client ? `?client=${encodeURIComponent(client)}` : ""}`;
  const show = () => showAttempts(place, client);
  const tools = sideTools(place, {
    path, kinds: kindsOf(acts), things: (number) => plural(number, "{0} failed try", "{0} failed tries"), isSearched: !client, show,
  });
  drawAttempts(place, await newest(place, path, show, tools), tools, { isNamed: !client });
}

/** What says that there is no row: the tools say it of a part. */
const emptied = (tools, template) => (tools.isNarrow() ? {} : { empty: template });

function drawActs(place, items, tools) {
  list(place, items, "act-row", (one) => ({
    title: kinds[one.kind] ?? one.kind, time: one.time,
    about: [
      t`by ${one.operator_name}`, paperWords(one.paper), one.device && apart(one.device), one.place && where(one.place), one.reason && t`“${one.reason}”`,
      one.fields?.length > 0 && series(one.fields.map(apart)),
      t`entry ${one.log_index} of the log`,
    ].filter(Boolean).join(" · "),
  }), emptied(tools, "no-acts"));
}

function drawAttempts(place, items, tools, { isNamed }) {
  list(place, items, "attempt-row", (one) => ({
    title: `${acts[one.act] ?? one.act}: ${reasons[one.why] ?? one.why}`, time: one.last,
    about: [
      isNamed && (one.client_name ?? t`nobody who is registered`), t`by ${one.operator_name}`,
      one.count > 1 && plural(one.count, "{0} time since {1}", "{0} times since {1}", time(one.time)),
    ].filter(Boolean).join(" · "),
  }), emptied(tools, "no-attempts"));
}

// The words of a browser or of the organisation, in any script: between others they stay together.
const apart = (text) => (document.dir === "rtl" ? `\u2068${text}\u2069` : text);

const where = ({ latitude, longitude, accuracy }) =>
  t`${(latitude / 1e6).toFixed(5)}, ${(longitude / 1e6).toFixed(5)}, within ${accuracy.toLocaleString(locale)} m`;
