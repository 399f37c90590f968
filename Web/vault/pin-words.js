// Why a PIN did not open something, and how many wrong ones there were, for people.

import { plural, t } from "../shell/translate.js";

/** From so many wrong tries on, people are warned of the tenth, which destroys PINs. */
const near = 7;
const most = 10;

/** That a PIN could not be used, for people. */
export function pinProblem({ problem }) {
  if (problem === "wait") return t`Too many wrong PINs. Wait, or open it in another way.`;
  if (problem === "destroyed") return t`The PIN was destroyed after ten wrong ones. Open the vault in another way, and set a new PIN.`;
  if (problem === "absent") return t`PINs do not work since the server was restored. Open the vault in another way, and set a new PIN.`;
  return t`That is not the PIN. After ten wrong ones it is destroyed.`;
}

/**
 * What the guard has counted, for people: `{text, isWarning}`.
 *
 * @param tries the highest count of a PIN: a try counts against all four, and a right one starts that of its own again
 */
export function triesWords(tries) {
  if (tries === 0) return { text: "", isWarning: false };
  if (tries < near) {
    const text = plural(tries, "{0} wrong PIN was tried since the last right one.", "{0} wrong PINs were tried since the last right one.");
    return { text, isWarning: false };
  }
  return { text: `${last(tries)} ${t`An item that opens with a PIN alone is lost then. The other ways to open the vault still work.`}`, isWarning: true };
}

function last(tries) {
  if (tries >= most) return t`All 10 wrong tries are used. Within two minutes each PIN that was not right since is destroyed, also the PIN for locked items.`;
  return tries === most - 1
    ? t`${tries} of 10 wrong tries are used. One more destroys each PIN that was not right since, also the PIN for locked items.`
    : t`${tries} of 10 wrong tries are used. The tenth destroys each PIN that was not right since, also the PIN for locked items.`;
}

/** Seconds as a clock counts them: 4:05, or 2:59:59. */
export function clockOf(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
