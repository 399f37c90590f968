// The requests that this administrator has accepted and not signed yet: signing starts here if no request is chosen.

import { person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { $, list } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { typeTitles } from "./catalogue.js";

/** So many are offered; the inbox has the rest. */
const most = 20;

/** Lists the requests that `me` may sign, or says where there are some. */
export async function showWaiting(me) {
  const [titles, accepted, pending] = await Promise.all([
    typeTitles(), api.get("/api/requests?show=accepted&limit=200"), api.get("/api/requests?show=pending&limit=1")]);
  const own = accepted.items.filter(({ administrator }) => administrator?.id === me.account.id);
  list($("#waiting"), own.slice(0, most), "waiting-row", (one) => ({
    title: t`${titles[one.type] ?? one.type} for ${person(one.member)}`, created: one.created,
    href: `/console/issue#${encodeURIComponent(one.id)}`,
  }));
  $("#more-waiting").hidden = own.length <= most && !accepted.next;
  $("#waiting-title").hidden = own.length === 0;
  $("#none-waiting").hidden = own.length > 0;
  const waiting = pending.counts.find(({ show }) => show === "pending")?.total ?? 0;
  $("#none-text").textContent = waiting > 0
    ? plural(
      waiting, "Accept one first: {0} request is waiting in the inbox.",
      "Accept one first: {0} requests are waiting in the inbox.")
    : t`Nobody has asked for anything.`;
}
