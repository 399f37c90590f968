// Accepting an invitation: an account that may do more, and keys with which an administrator can sign.

import { scanButton } from "../scanner/scan-button.js";
import { $ } from "../shell/dom.js";
import { onFragment } from "../shell/fragment.js";
import { t } from "../shell/translate.js";
import { fillIn, rules } from "./form.js";
import { sayWhoIsHere } from "./here.js";
import { JoiningForm } from "./joining-form.js";
import { destination } from "./sessions.js";
import { firstContact } from "./trust.js";

const form = $("#form");
// Also when the link is opened in a tab that shows this page already.
onFragment((code) => fillIn(form, "code", code));
// The code in the picture is the whole link.
scanButton($("#scan"), { title: t`Scan the invitation`, hint: t`Its code is on paper or on the screen of who invites you.` },
  (text) => fillIn(form, "code", text.split("#").pop()));

new JoiningForm({
  form,
  path: "/api/accounts",
  wanted: { code: rules.code, given_name: rules.givenName, family_name: rules.familyName, username: rules.username },
  fields: { conflict: "username", "wrong-code": "code" },
  trust: firstContact,
  // Asked to be certified later, from the console.
  authority: { make: true, send: false },
  more: ({ code, given_name, family_name }) => ({ invitation: code, parts: { given_name, family_name } }),
  done: async ({ answer, session = answer, joining }) => {
    await joining.finish(session);
    // The code is used up: it need not go on with the address.
    history.replaceState(null, "", location.pathname);
    location.replace(destination(session.account));
  },
});
sayWhoIsHere();
