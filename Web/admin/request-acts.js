// What an administrator does with a request. Two of them may act at once: the second is told what the first did.

import { isErased, person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { notice } from "../shell/dom.js";
import { once } from "../shell/once.js";
import { inSentence } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { choose } from "./choose.js";
import { requestStates } from "./words.js";

/** Which acts the state, the role and the certification leave: `{sign, accept, assign, cancel}`. */
export function possibleActs(request, me, isCertified) {
  const isOpen = request.state === "pending" || request.state === "accepted";
  const mayHandle = me.may("handle_requests") && isCertified;
  return {
    sign: mayHandle && request.state === "accepted" && request.administrator?.id === me.account.id,
    accept: mayHandle && request.state === "pending",
    assign: mayHandle && isOpen,
    cancel: mayHandle && isOpen,
  };
}

/**
 * Does one act on a request.
 *
 * @param act accept, assign or cancel
 * @param title of the request, for the questions
 * @returns the request as it is now, or `null` when the person decided not to
 */
export async function perform(act, request, title, me) {
  try {
    return await acts[act](request, title, me);
  } catch (error) {
    if (error.kind !== "conflict") throw error;
    const present = await api.get(path(request));
    notice("warning", `${whatHappened(present, me)} ${t`Your list shows it as it is now.`}`);
    return present;
  }
}

const acts = {
  async accept(request, _, me) {
    const taken = await change(
      request, "accept", undefined, t`the request was accepted`,
      (now) => now.state === "accepted" && now.administrator?.id === me.account.id);
    notice("success", t`Assigned to you. Nobody else can sign it, unless you assign it to them.`);
    return taken;
  },

  async assign(request, title, me) {
    const staff = await api.all("/api/members?show=staff");
    const others = staff.filter(
      (one) => one.role === "administrator" && !isErased(one) && one.id !== request.administrator?.id);
    if (others.length === 0) {
      notice("info", t`There is no other administrator to assign it to.`);
      return null;
    }
    const username = await choose({
      title: t`Assign this request`, text: title, label: t`Who handles it`,
      options: others.map((one) => ({
        value: one.username, label: one.id === me.account.id ? t`${person(one)}: you` : person(one),
      })),
      confirm: t`Assign`,
    });
    if (username === null) return null;
    const assigned = await change(
      request, "assign", { username }, t`the request was assigned`,
      (now) => now.state === "accepted" && now.administrator?.username === username);
    notice("success", t`${person(assigned.administrator)} handles it now.`);
    return assigned;
  },

  async cancel(request, title) {
    const answer = await ask({
      title: t`Cancel this request?`,
      text: t`${title}. It cannot be taken up again; the member reads your reason and may ask again.`,
      confirm: t`Cancel the request`, cancel: t`Keep it{#document}`, danger: true, reason: true,
    });
    if (!answer) return null;
    const cancelled = await change(
      request, "cancel", { reason: answer.reason }, t`the request was cancelled`, 
      (now) => now.state === "cancelled" && now.reason === answer.reason);
    notice("success", t`The request is cancelled, and the member sees why.`);
    return cancelled;
  },
};

function change(request, act, body, what, happened) {
  return once(what, () => api.post(`${path(request)}/${act}`, body), async () => {
    const now = await api.get(path(request));
    return happened(now) ? now : undefined;
  });
}

/** What another person did first, in words. */
export function whatHappened(request, me) {
  const who = request.administrator;
  const isMine = who?.id === me.account.id;
  switch (request.state) {
    case "accepted": return isMine ? t`This request is yours already.` : t`${person(who)} was faster and handles this request.`;
    case "cancelled": return t`This request was cancelled while you were working: “${request.reason ?? ""}”`;
    case "issued":
      if (isMine) return t`You have answered this request already.`;
      return who ? t`${person(who)} has answered this request already.` : t`Somebody has answered this request already.`;
    default: return t`This request is ${inSentence(requestStates[request.state]?.word ?? request.state)} now.`;
  }
}

function path(request) {
  return `/api/requests/${encodeURIComponent(request.id)}`;
}
