// The form in which a person changes their own name.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $ } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { t } from "../shell/translate.js";
import { rules } from "./form.js";

/** Says what is wrong with a name, in the form in which it is typed. */
function check(form) {
  const parts = Object.fromEntries(["given_name", "family_name"].map((name) => [name, $(`#question-${name}`).value.trim()]));
  const line = (name, words) => [$(`#question-${name}`), $(`#question-${name}-error`), words];
  return complain(form, line("given_name", rules.givenName(parts.given_name, parts)), line("family_name", rules.familyName(parts.family_name)));
}

/** Asks for the name and stores it. False when the person has cancelled. */
export async function rename({ account }) {
  const parts = account.parts ?? { given_name: account.name === account.username ? "" : account.name, family_name: "" };
  const answer = await ask({
    title: t`Your name`, confirm: t`Save`, check,
    inputs: [
      { name: "given_name", label: t`Given name`, value: parts.given_name, maximum: 800 },
      {
        name: "family_name", label: t`Family name`, value: parts.family_name, maximum: 800,
        hint: t`As on your ID document. If you have one name, leave the other field empty.`,
      },
    ],
  });
  if (!answer) return false;
  await api.patch("/api/account", { parts: answer.values });
  return true;
}
