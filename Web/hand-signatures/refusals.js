// The server's English in the language of the page: refusals, faults of a signature, and the words beside a comparison.
// They are looked up by the English (`known`), so they stand here only to be translated.

import { known, t } from "../shell/translate.js";

/** Such sentences; a number in them is a value. */
export const sentences = [
  t`There is no such client.`, t`There is no such document.`, t`There is no such transaction.`,
  t`The code is unknown. Scan it again.`, t`This code was used or has expired. Ask the desk for a new one.`,
  t`There is already a client with this identity number.`,
  t`not like the others. Take it again.`, t`It cannot be read.`, t`Signature ${1} is not like those of the first visit. Take all of them again.`,
  t`The check signature is not like the five. Take it again, or start over.`,
  t`This movement was seen before, so it is a recording. Sign again.`,
  t`The signatures were written with different tools. Use the same one each time: the pen, or a finger.`,
  t`A mouse cannot be compared. Use a pen or a finger, or hand over to a phone.`,
  t`The root has not certified this server's key for hand signatures. The server's operator brings the root back for a moment and starts it: docs/keys.md.`,
  t`The second sitting is for another visit, ${12} hours after the first at the earliest: it is possible from ${2026}-${1}-${31} ${23}:${59}:${59} UTC on.`,
  t`The main administrator must first set a forensic key: desk settings say how it is made.`,
  t`Somebody else has changed the template: it has version ${1} now. Open it again.`,
  t`The document has changed since it was shown. Show it again, then sign.`,
  t`This client was re-enrolled while you were working. Have the document signed again.`,
  t`${20} signatures of this client were refused within an hour. The client can sign again in an hour.`,
  t`There are ${1} documents. Delete one first.`,
  t`The signatures of a second visit were taken already.`,
  t`The document must be shown again before it is signed: what was shown was signed already, is too old, or is for another page, client or document.`,
  t`The phone has sent another signature for this document. Show the document again, then sign.`,
  t`The client was erased, and with them the evidence of this transaction.`,
  t`The transaction has not been decided.`, t`Only operators and administrators can be blocked.`,
  t`The account is already blocked or unblocked. Load the list again.`,
  t`Only the operator who took the signature can decide.`, t`That was decided already.`,
  t`Nobody decided in time. Have the document signed again.`,
  t`The signature did not arrive in a form that is known. Sign again.`,
  t`The signature has more points than any signature. Sign again.`,
  t`That is a dot rather than a signature. Sign as you always do.`,
  t`The signature has a point outside the field. Sign again, inside the field.`,
  t`That was too quick for a signature. Sign as you always do.`,
  t`That took longer than a signature. Sign again, in one go.`,
  t`The device's clock gives no usable times. Sign again, or on another device.`,
  t`No match: the movement is not like this client's other signatures.`,
  t`Strong match: the movement is like this client's other signatures.`,
  t`Weak match: the movement is like this client's other signatures, but close to the threshold.`,
];

/** The server's words in the language of the page; words without a translation stay as they are. */
export const told = (text) => (text && known(text)) ?? text;

const recordings = {
  "pen with": (rate) => t`pen, ${rate} samples a second, with pressure`,
  "pen without": (rate) => t`pen, ${rate} samples a second, without pressure`,
  "finger with": (rate) => t`finger, ${rate} samples a second, with pressure`,
  "finger without": (rate) => t`finger, ${rate} samples a second, without pressure`,
};

const fits = {
  alike: (kind) => t`The model has learnt from devices like this one (${kind}), as far as a recording tells.`,
  other: (kind) => t`The model has not learnt from a device like this one (${kind}). Its threshold and its error rates come from other devices.`,
  unknown: (kind) => t`The model does not say which devices it has learnt from. This recording: ${kind}.`,
};

/** The words about a device: whether the model knows its kind, and what its recording holds. */
export function deviceWords(device) {
  const [, tool, rate, pressure] = /(pen|finger), ([^,]+) samples a second, (with|without) pressure/.exec(device?.sentence ?? "") ?? [];
  return tool && fits[device.fit] ? fits[device.fit](recordings[`${tool} ${pressure}`](rate)) : device?.sentence;
}
