// The person's own name: documents are requested under it until an administrator has checked it.

import { api } from "../shell/api.js";
import { $, ask } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { perform } from "./rows.js";

export function attach(state) {
  const button = $("#rename-self", state.root);
  button.addEventListener("click", () => perform(button, async () => {
    const { account } = state.current;
    const parts = account.parts ?? { given_name: account.name === account.username ? "" : account.name, family_name: "" };
    const answer = await ask({
      title: t`Your name`, confirm: t`Save`,
      inputs: [
        { name: "given_name", label: t`Given name`, value: parts.given_name, maximum: 160 },
        {
          name: "family_name", label: t`Family name`, value: parts.family_name, maximum: 160,
          hint: t`As on your identity paper. If you have one name, leave the other field empty.`,
        },
      ],
    });
    if (!answer) return false;
    await api.patch("/api/account", { parts: answer.values });
  }, state));
}

export function show({ root, current: { account } }) {
  $("#own-name", root).textContent = account.name;
  $("#own-username", root).textContent = account.username;
  $("#own-verified", root).hidden = $("#name-fixed", root).hidden = !account.is_verified;
  $("#rename-self", root).hidden = account.is_verified;
}
