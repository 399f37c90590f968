// The history of a client: who did what, and which tries failed: rows as people read them.

import { list, time } from "../shell/dom.js";

const kinds = {
  enrolled: "Registered", reenrolled: "Enrolled again: a new template", second_sitting: "Signatures of a second visit taken",
  renamed: "Name changed",
};

const acts = {
  enrolment: "Registering", reenrolment: "A new template", sitting: "A second visit", signing: "A signature on a document",
  handover: "A signature on a phone",
};

const reasons = {
  unreadable: "the signature could not be read", unlike: "the signatures were not alike", recording: "a recording was sent",
  check_failed: "the check signature was not like the five", other_tool: "written with another tool",
  other_document: "the document had changed", other_template: "the client was enrolled again meanwhile",
  other_capture: "the phone had sent another signature", too_many: "too many were refused within an hour",
  bad_ticket: "the document had not been shown for it",
};

/** Fills a list with a client's history. */
export function drawActs(place, items) {
  list(place, items, "act-row", (one) => ({
    title: kinds[one.kind] ?? one.kind, time: one.time,
    about: [
      `by ${one.operator_name}`, one.paper, one.device, one.place && where(one.place), one.reason && `“${one.reason}”`,
      `entry ${one.log_index} of the log`,
    ].filter(Boolean).join(" · "),
  }), { empty: "no-acts" });
}

/** Fills a list with what was tried in vain. @param isNamed whether each says whom it was about */
export function drawAttempts(place, items, { isNamed = false } = {}) {
  list(place, items, "attempt-row", (one) => ({
    title: `${acts[one.act] ?? one.act}: ${reasons[one.why] ?? one.why}`, time: one.last,
    about: [
      isNamed && (one.client_name ?? "nobody who is registered"), `by ${one.operator_name}`,
      one.count > 1 && `${one.count.toLocaleString()} times since ${time(one.time)}`,
    ].filter(Boolean).join(" · "),
  }), { empty: "no-attempts" });
}

const where = ({ latitude, longitude, accuracy }) =>
  `${(latitude / 1e6).toFixed(5)}, ${(longitude / 1e6).toFixed(5)}, within ${accuracy.toLocaleString()} m`;
