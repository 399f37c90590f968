// Whose keys a document will be sealed for, in words: the administrator sees it before signing.

import { day, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { keyLine } from "./fingerprints.js";

/** A notice about what `holders.judge` found, for the page. */
export function judgementNotice(judgement, holder) {
  const { kind, text } = inWords(judgement, holder);
  return make("div", { class: `notice ${kind}` }, make("p", {}, text));
}

function inWords(judgement, holder) {
  switch (judgement.kind) {
    case "checked":
      return {
        kind: "success",
        text: t`The keys are the ones that ${holder.name} showed you face to face on ${day(judgement.checked)}.`,
      };
    case "endorsed":
      return {
        kind: "success",
        text: t`The keys are those of a later device, which the device that you checked on ${day(judgement.checked)}
          has added.`,
      };
    default:
      return {
        kind: "warning",
        text: t`${holder.name} was checked by a colleague, or by you in another browser. That these keys belong to
          ${holder.name}, you have only from the server.`,
      };
  }
}

/** The holder's device as a line of what is signed. */
export function deviceLine(device, judgement) {
  return make("span", {}, t`${device.name}, key`, " ", keyLine(judgement.signing));
}
