// The form in which a person changes their own name.

import { api } from "../shell/api.js";
import { ask } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** Asks for the name and stores it. False when the person has cancelled. */
export async function rename({ account }) {
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
  return true;
}
