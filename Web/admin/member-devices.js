// The devices of one account, and how a lost one is revoked: for ever, with every document bound to it.

import { person } from "../accounts/names.js";
import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, busy, list, notice, time } from "../shell/dom.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";

/** Shows the devices of `member` in its open part of the page. */
export async function showDevices(fold, member, me) {
  const items = await devicesOf(member);
  list($("[data-devices]", fold), items, "device-row", values, {
    each(element, device) {
      const badge = $("[data-badge]", element);
      badge.textContent = device.revoked ? t`Revoked` : t`In use`;
      badge.classList.add(device.revoked ? "bad" : "good");
      const button = $("[data-act=revoke]", element);
      button.addEventListener("click", () => busy(button, async () => {
        if (await revoke(device, member, me)) await showDevices(fold, member, me);
      }));
    },
  });
  $("[data-no-devices]", fold).hidden = items.length > 0;
}

function values(device) {
  const rest = (device.endorsed_by ? ` · ${t`added by another device`}` : "")
    + (device.revoked ? ` · ${t`revoked ${time(device.revoked)}`}` : "");
  return { id: device.id, name: device.name, created: device.created, mayRevoke: !device.revoked, rest };
}

async function revoke(device, member, me) {
  const answer = await ask({
    title: t`Revoke this device for ever?`,
    text: t`“${device.name}” of ${person(member)} will never be able to sign in or sign again, and every document
      bound to it is revoked with it, the identity credential too. Do this when the device is lost. Nobody can undo
      this.`,
    confirm: t`Revoke for ever`, cancel: t`Keep it{#document}`, danger: true, reason: true,
  });
  if (!answer) return false;
  try {
    const answered = await once(
      t`the device was revoked`,
      () => api.post(`/api/devices/${encodeURIComponent(device.id)}/revoke`, { reason: answer.reason }),
      async () => ((await devicesOf(member)).find(({ id }) => id === device.id)?.revoked ? {} : undefined));
    // After a lost answer there is no receipt, but the state that the server shows.
    if (answered.receipt && me.record) await verifyReceipt(me.record.trust, answered.receipt, "device.revoked");
    notice("success", t`The device is revoked, and so are its documents. ${member.name} adds another device and is
      checked again.`);
  } catch (error) {
    if (error.kind !== "conflict") throw error;
    notice("warning", t`The device had been revoked already.`);
  }
  return true;
}

async function devicesOf(member) {
  return (await api.get(`/api/members/${encodeURIComponent(member.id)}/devices`)).items;
}
