// The words for transactions at the desk, and their figures as people read them.

import { fromB64u } from "../shell/core.js";
import { group } from "../shell/dom.js";
import { locale, t } from "../shell/translate.js";
import { hex } from "../transparency/checkpoint.js";
import { signingStates } from "./words.js";

/** What a state means. */
export const meanings = {
  pending: t`The operator has not decided yet.`,
  confirmed: t`The operator has confirmed it.`,
  refused: t`It was refused, and stays on record.`,
  lapsed: t`Nobody decided in time: the signature counts for nothing.`,
};

/** A figure that the server gives in millionths. */
export function figure(millionths) {
  const text = (Math.abs(millionths) / 1_000_000).toLocaleString(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  return millionths < 0 ? `−${text}` : text;
}

/** The same with its sign: how far from the threshold. */
export function difference(millionths) {
  return `${millionths > 0 ? "+" : ""}${figure(millionths)}`;
}

/** A digest as people compare it. */
export const digestWords = (digest) => group(hex(fromB64u(digest)));

/** Whether the movement was like the client's, and yet refused: because it was seen before. */
export const isRecording = ({ is_match: isMatch, comparison }) => !isMatch && comparison?.is_match === true;

/** The verdict on a signature: how it looks, and its title. */
export function verdict({ state, is_match: isMatch, comparison }) {
  if (state === "confirmed") return { kind: "yes", title: t`Confirmed` };
  if (state === "lapsed") return { kind: "unsure", title: t`Expired` };
  if (isRecording({ is_match: isMatch, comparison })) return { kind: "no", title: t`A recording, not a signature` };
  if (!isMatch) return { kind: "no", title: t`The signature does not match` };
  return state === "refused" ? { kind: "no", title: t`Refused` } : { kind: "yes", title: t`The signature matches` };
}

/** Puts the state's word, sign and colour on a badge. */
export function showState(badge, state) {
  const { word, badge: look } = signingStates[state] ?? { word: state, badge: "" };
  badge.textContent = word;
  if (look) badge.classList.add(look);
}
