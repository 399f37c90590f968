// The accounts of the organisation; each unfolds to its devices, where a lost one can be revoked, and to what ends the
// account.

import { api } from "../shell/api.js";
import { $, $$, busy, describe, notice } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { start } from "./console.js";
import { isErased, nameOf } from "../accounts/names.js";
import { eraseDialog, mayErase } from "./erase-member.js";
import { listView } from "./list-view.js";
import { showDevices } from "./member-devices.js";
import { mayRevokeDevice } from "./permissions.js";
import { roles } from "./words.js";

const isPerson = (one) => one.role === "member" || one.role === "operator";
const kinds = [
  { name: "all", word: "All", has: () => true },
  { name: "verified", word: "Verified", has: (one) => isPerson(one) && one.is_verified },
  { name: "unverified", word: "Not verified", has: (one) => isPerson(one) && !one.is_verified },
  { name: "staff", word: "Administrators", has: (one) => !isPerson(one) },
];

start(async (me) => {
  let members = [];
  const load = latest(async () => { members = await api.all("/api/members"); });
  const erase = eraseDialog(me, async () => {
    await load();
    return members;
  });
  const show = listView({
    items: () => members, kinds, texts: (one) => [one.name, one.username],
    row: { template: "member-row", values: (member) => values(member, me), fill },
  });

  await load();
  show({ mark: false });
  onChange(["account", "enrolment"], async () => {
    await load();
    show();
  });
  onChange("device", async () => {
    for (const fold of $$("details[data-fold=devices][open]")) await unfold(fold);
  });

  function fill(element, member) {
    const badge = $("[data-badge]", element);
    badge.hidden = !isPerson(member) || isErased(member);
    badge.textContent = member.is_verified ? "Verified" : "Not verified";
    badge.classList.add(member.is_verified ? "good" : "wait");
    const fold = $("details", element);
    fold.addEventListener("toggle", () => { if (fold.open) unfold(fold); });
    const button = $("[data-act=erase]", element);
    button.addEventListener("click", () => busy(button, async () => {
      if (!await erase(member)) return;
      await load();
      show();
    }));
  }

  async function unfold(fold) {
    const member = members.find(({ id }) => id === fold.closest("[data-key]").dataset.key);
    try {
      await showDevices(fold, member, me);
    } catch (error) {
      notice("error", describe(error));
    }
  }
});

function values(member, me) {
  return {
    name: nameOf(member), role: roles[member.role], created: member.created,
    // What took the username's place tells nobody anything.
    username: isErased(member) ? "" : `${member.username} · `,
    mayLook: mayRevokeDevice(me.account.role, member.role) && !isErased(member),
    mayErase: mayErase(me, member),
    fold: mayErase(me, member) ? "Devices and erasure" : "Devices",
  };
}
