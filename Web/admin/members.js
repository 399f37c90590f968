// The accounts of the organisation; each unfolds to its devices, where a lost one can be revoked, and to what ends the
// account.

import { isErased, nameOf, roles } from "../accounts/names.js";
import { $, $$, busy, describe, notice } from "../shell/dom.js";
import { onChange } from "../shell/events.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { plural, t } from "../shell/translate.js";
import { start } from "./console.js";
import { eraseDialog, mayErase } from "./erase-member.js";
import { showDevices } from "./member-devices.js";

const isPerson = (one) => one.role === "member" || one.role === "operator";
const kinds = [
  { name: "all", word: t`All` },
  { name: "verified", word: t`Verified`, has: (one) => isPerson(one) && one.is_verified },
  { name: "unverified", word: t`Not verified`, has: (one) => one.role === "member" && !one.is_verified },
  { name: "staff", word: t`Administrators`, has: (one) => !isPerson(one) },
];

start(async (me) => {
  const erase = eraseDialog(me);
  const view = listView({
    source: serverList("/api/members"), kinds, things: (number) => plural(number, "{0} account", "{0} accounts"),
    row: { template: "member-row", values: (member) => values(member, me), fill },
  });

  await view.load();
  onChange(["account", "enrolment"], view.follow);
  onChange("device", async () => {
    for (const fold of $$("details[data-fold=devices][open]")) await unfold(fold);
  });

  function fill(element, member) {
    const badge = $("[data-badge]", element);
    // Operators need no check: that they had none says nothing about them.
    badge.hidden = !isPerson(member) || isErased(member) || (member.role === "operator" && !member.is_verified);
    badge.textContent = member.is_verified ? t`Verified` : t`Not verified`;
    badge.classList.add(member.is_verified ? "good" : "wait");
    const fold = $("details", element);
    fold.addEventListener("toggle", () => { if (fold.open) unfold(fold); });
    const button = $("[data-act=erase]", element);
    button.addEventListener("click", () => busy(button, async () => {
      if (await erase(member)) await view.reload();
    }));
  }

  async function unfold(fold) {
    const member = view.item(fold.closest("[data-key]").dataset.key);
    try {
      await showDevices(fold, member, me);
    } catch (error) {
      notice("error", describe(error));
    }
  }
});

/** An administrator's device goes with the certificate, and only the main administrator takes that away. */
function mayRevokeDevice(me, { role }) {
  return isPerson({ role }) ? me.may("revoke_member_device") : role === "administrator" && me.may("revoke_administrator");
}

function values(member, me) {
  return {
    name: nameOf(member), role: roles[member.role], created: member.created,
    // The replacement for the username tells nobody anything.
    username: isErased(member) ? "" : `${member.username} · `,
    mayLook: mayRevokeDevice(me, member) && !isErased(member),
    mayErase: mayErase(me, member),
    fold: mayErase(me, member) ? t`Devices and erasure` : t`Devices`,
  };
}
