// The operators of the desk: invited, blocked with a reason, unblocked. Nobody is erased here.

import { invitations } from "../accounts/invitations.js";
import { isErased, nameOf, roles } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, busy, describe, notice, time } from "../shell/dom.js";
import { onChange } from "../shell/events.js";
import { serverList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { once } from "../shell/once.js";
import { plural, t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";
import { start } from "./start.js";

start(async (me) => {
  if (!me.may("manage_operators")) return void ($("#refused").hidden = false);
  const view = listView({
    source: serverList("/api/operators"), things: (number) => plural(number, "{0} person", "{0} people"),
    row: { template: "operator-row", key: ({ account }) => account.id, values, fill },
  });
  const showInvitations = invitations();

  await Promise.all([view.load(), showInvitations()]);
  // A person who accepts an invitation appears by themselves.
  onChange(["account", "signing"], async (event) => {
    await Promise.all([view.follow(event), event?.kind === "signing" ? undefined : showInvitations()]);
  });

  function fill(element, one) {
    const badge = $("[data-badge]", element);
    badge.textContent = one.blocked ? t`Blocked` : t`Active`;
    badge.classList.add(one.blocked ? "bad" : "good");
    for (const [name, act] of Object.entries({ block, unblock })) {
      const button = $(`[data-act=${name}]`, element);
      button.setAttribute("aria-label", labels[name](nameOf(one.account)));
      button.addEventListener("click", () => busy(button, async () => {
        if (await act(one)) await view.reload();
      }));
    }
  }

  async function block(one) {
    const answer = await ask({
      title: t`Block ${nameOf(one.account)}?`,
      text: t`The account is signed out everywhere and cannot sign in. Its acts stay on record. You can unblock it at any time.`,
      confirm: t`Block`, cancel: t`Do not block`, danger: true, reason: true,
    });
    if (!answer) return false;
    const { receipt } = await once(
      t`the account was blocked`,
      () => api.post(`${path(one)}/block`, { reason: answer.reason }, { reason: t`Block ${nameOf(one.account)}` }),
      async () => (await again(one)).blocked ? {} : undefined);
    await tell(t`${nameOf(one.account)} is blocked.`, receipt, "operator.blocked");
    return true;
  }

  async function unblock(one) {
    const answer = await ask({
      title: t`Unblock ${nameOf(one.account)}?`, text: t`Blocked because: “${one.reason ?? ""}”. From now on the account can sign in again.`,
      confirm: t`Unblock`, cancel: t`Leave it blocked`,
    });
    if (!answer) return false;
    const { receipt } = await once(
      t`the account was unblocked`,
      () => api.post(`${path(one)}/unblock`, undefined, { reason: t`Unblock ${nameOf(one.account)}` }),
      async () => ((await again(one)).blocked ? undefined : {}));
    await tell(t`${nameOf(one.account)} can sign in again.`, receipt, "operator.unblocked");
    return true;
  }

  /**
   * Says what was done, and whether its receipt proves that it is in the log. It is done, regardless of the receipt.
   */
  async function tell(words, receipt, type) {
    try {
      if (receipt && me.record) await verifyReceipt(me.record.trust, receipt, type);
      notice("success", receipt ? t`${words} The log has it.` : words);
    } catch (error) {
      notice("error", describe(error));
    }
  }
});

/** The labels of the buttons beside a name, for people who do not see it. */
const labels = { block: (name) => t`Block … ${name}`, unblock: (name) => t`Unblock … ${name}` };

const path = ({ account }) => `/api/accounts/${encodeURIComponent(account.id)}`;
const again = ({ account }) => api.get(`/api/operators/${encodeURIComponent(account.id)}`);

function values({ account, blocked, reason, signings }) {
  const isGone = isErased(account);
  return {
    name: nameOf(account), username: `${isGone ? roles[account.role] : t`${roles[account.role]}, ${account.username}`} · `, created: account.created,
    signings: plural(signings, "{0} transaction", "{0} transactions"), why: blocked && t`Blocked ${time(blocked)}: ${reason ?? ""}`,
    mayBlock: !blocked && !isGone, mayUnblock: Boolean(blocked),
  };
}
