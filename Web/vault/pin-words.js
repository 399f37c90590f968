// Why a PIN did not open the vault, for people.

import { t } from "../shell/translate.js";

/** That a PIN could not be used, for people. */
export function pinProblem({ problem, wait }) {
  if (problem === "wait") return t`Too many wrong PINs. Try again in ${Math.ceil((wait ?? 30) / 60)} minutes, or open the vault in another way.`;
  if (problem === "destroyed") return t`The PIN was destroyed after ten wrong ones. Open the vault in another way, and set a new PIN.`;
  if (problem === "absent") return t`PINs do not work since the server was restored. Open the vault in another way, and set a new PIN.`;
  return t`That is not the PIN. The server counts each try, and you are told of it.`;
}
