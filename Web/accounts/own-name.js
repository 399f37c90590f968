// The person's own name: documents are requested under it until an administrator has checked it.

import { $ } from "../shell/dom.js";
import { perform } from "./rows.js";

export function attach(state) {
  const button = $("#rename-self", state.root);
  // Few visits change it.
  button.addEventListener("click", () => perform(button, async () => (await import("./own-name-change.js")).rename(state.current), state));
}

export function show({ root, current: { account } }) {
  $("#own-name", root).textContent = account.name;
  $("#own-username", root).textContent = account.username;
  $("#own-verified", root).hidden = $("#name-fixed", root).hidden = !account.is_verified;
  $("#rename-self", root).hidden = account.is_verified;
}
