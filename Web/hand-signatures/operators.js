// Who works at the desk: invited, blocked with a reason, let in again. Nobody is erased here.

import { isErased, nameOf } from "../accounts/names.js";
import { invitations } from "../admin/invitations.js";
import { rows } from "../admin/rows.js";
import { count, roles } from "../admin/words.js";
import { api } from "../shell/api.js";
import { $, ask, busy, describe, notice, time } from "../shell/dom.js";
import { latest, onChange } from "../shell/events.js";
import { once } from "../shell/once.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { start } from "./start.js";

start(async (me) => {
  if (!me.may("manage_operators")) return void ($("#refused").hidden = false);
  let operators = [];
  const draw = rows($("#list"), { template: "operator-row", key: ({ account }) => account.id, values, fill });
  const showInvitations = invitations();
  const load = latest(async () => { operators = await all(); });

  function show({ mark = true } = {}) {
    draw(operators, { mark });
    $("#nobody").hidden = operators.length > 0;
  }

  await Promise.all([load(), showInvitations()]);
  show({ mark: false });
  // Somebody who accepts an invitation appears by herself.
  onChange(["account", "signing"], async (event) => {
    await Promise.all([load(), event?.kind === "signing" ? undefined : showInvitations()]);
    show();
  });

  function fill(element, one) {
    const badge = $("[data-badge]", element);
    badge.textContent = one.blocked ? "Blocked" : "Active";
    badge.classList.add(one.blocked ? "bad" : "good");
    for (const [name, act] of Object.entries({ block, unblock })) {
      const button = $(`[data-act=${name}]`, element);
      button.setAttribute("aria-label", `${button.textContent} ${nameOf(one.account)}`);
      button.addEventListener("click", () => busy(button, async () => {
        if (!await act(one)) return;
        await load();
        show();
      }));
    }
  }

  async function block(one) {
    const answer = await ask({
      title: `Block ${nameOf(one.account)}?`,
      text: "The account is signed out everywhere and cannot sign in. What was done with it stays on record. You can unblock it at any time.",
      confirm: "Block", cancel: "Do not block", danger: true, reason: true,
    });
    if (!answer) return false;
    const { receipt } = await once(
      "the account was blocked",
      () => api.post(`${path(one)}/block`, { reason: answer.reason }, { reason: `Block ${nameOf(one.account)}` }),
      async () => (await again(one))?.blocked ? {} : undefined);
    await tell(`${nameOf(one.account)} is blocked.`, receipt, "operator.blocked");
    return true;
  }

  async function unblock(one) {
    const answer = await ask({
      title: `Unblock ${nameOf(one.account)}?`, text: `Blocked because: “${one.reason ?? ""}”. From now on the account can sign in again.`,
      confirm: "Unblock", cancel: "Leave it blocked",
    });
    if (!answer) return false;
    const { receipt } = await once(
      "the account was unblocked",
      () => api.post(`${path(one)}/unblock`, undefined, { reason: `Unblock ${nameOf(one.account)}` }),
      async () => ((await again(one))?.blocked ? undefined : {}));
    await tell(`${nameOf(one.account)} can sign in again.`, receipt, "operator.unblocked");
    return true;
  }

  /** Says what was done, and whether its receipt proves that it is in the log. It is done, whatever the receipt says. */
  async function tell(words, receipt, type) {
    try {
      if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, type);
      notice("success", receipt ? `${words} The log has it.` : words);
    } catch (error) {
      notice("error", describe(error));
    }
  }
});

const path = ({ account }) => `/api/accounts/${encodeURIComponent(account.id)}`;
const all = async () => (await api.get("/api/operators")).items;
const again = async ({ account }) => (await all()).find((one) => one.account.id === account.id);

function values({ account, blocked, reason, signings }) {
  const isGone = isErased(account);
  return {
    name: nameOf(account), username: `${roles[account.role]}${isGone ? "" : `, ${account.username}`} · `, created: account.created,
    signings: count(signings, "transaction"), why: blocked && `Blocked ${time(blocked)}: ${reason ?? ""}`,
    mayBlock: !blocked && !isGone, mayUnblock: Boolean(blocked),
  };
}
