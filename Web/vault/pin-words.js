// Why a PIN did not open something, for people.

import { t } from "../shell/translate.js";

/** That a PIN could not be used, for people. */
export function pinProblem({ problem }) {
  if (problem === "wait") return t`Too many wrong PINs. Wait, or open it in another way.`;
  if (problem === "destroyed") return t`The PIN was destroyed after ten wrong ones. Open the vault in another way, and set a new PIN.`;
  if (problem === "absent") return t`PINs do not work since the server was restored. Open the vault in another way, and set a new PIN.`;
  return t`That is not the PIN. The server counts each try, and you are told of it.`;
}

/** Seconds as a clock counts them: 4:05, or 2:59:59. */
export function clockOf(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
