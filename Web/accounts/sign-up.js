// Sign-up: a name, a username and a passkey. Before the one request that carries everything, the server knows
// nothing of the person.

import { $ } from "../shell/dom.js";
import { rules } from "./form.js";
import { JoiningForm } from "./joining-form.js";
import { sayWhoIsHere } from "./here.js";
import { destination } from "./sessions.js";
import { firstContact } from "./trust.js";

const form = $("#form");
if (form) {
  new JoiningForm({
    form,
    path: "/api/accounts",
    wanted: { given_name: rules.givenName, family_name: rules.familyName, username: rules.username },
    more: ({ given_name, family_name }) => ({ parts: { given_name, family_name } }),
    fields: { conflict: "username" },
    trust: firstContact,
    done: async ({ answer, session = answer, joining }) => {
      await joining.finish(session);
      // Not assign: going back would lead to a form that has done its work.
      location.replace(destination(session.account));
    },
  });
  sayWhoIsHere();
}
