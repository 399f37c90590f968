// One's own name: what documents will be asked for under, until an administrator has checked it.

import { api } from "../shell/api.js";
import { $, ask } from "../shell/dom.js";
import { perform } from "./rows.js";

export function attach(state) {
  const button = $("#rename-self", state.root);
  button.addEventListener("click", () => perform(button, async () => {
    const answer = await ask({
      title: "Your name", confirm: "Save",
      input: { label: "Name", value: state.current.account.name, maximum: 200, hint: "As on your identity paper." },
    });
    if (!answer) return false;
    await api.patch("/api/account", { name: answer.value });
  }, state));
}

export function show({ root, current: { account } }) {
  $("#own-name", root).textContent = account.name;
  $("#own-username", root).textContent = account.username;
  $("#own-verified", root).hidden = $("#name-fixed", root).hidden = !account.is_verified;
  $("#rename-self", root).hidden = account.is_verified;
}
