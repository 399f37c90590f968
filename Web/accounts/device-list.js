// The account's devices: named and revoked.

import { api, goToSignIn } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { leave } from "./ending.js";
import { showList } from "./rows.js";
import { changeRecord, kindOf } from "./records.js";
import { verifyReceipt } from "./trust.js";

export function show(state) {
  const name = (id) => state.devices.find((device) => device.id === id)?.name;
  const values = (device) => {
    const isHere = device.id === state.record?.device;
    return {
      revoked: null, ...device, isHere, isWeak: isHere && kindOf(state.record) !== "prf",
      endorser: device.endorsed_by ? name(device.endorsed_by) ?? t`another device` : null,
    };
  };
  showList(state, "#devices", state.devices, "device-row", values, { rename, revoke }, {
    allowed: ({ revoked }) => !revoked,
  });
}

async function rename({ id, name }, { record }) {
  const answer = await ask({ title: t`Rename the device`, confirm: t`Save`, input: { label: t`Name`, value: name } });
  if (!answer) return false;
  const device = await api.patch(`/api/devices/${id}`, { name: answer.value });
  if (record?.device === id) await changeRecord(record.id, { deviceName: device.name });
}

async function revoke({ id, name, signing_key }, { record, current }) {
  const isHere = id === record?.device;
  const answer = await ask({
    title: t`Revoke “${name}”`,
    text: [t`Its keys are worth nothing from now on, and every document sealed to it is revoked, your identity among
      them. You cannot undo this.`, ...(isHere ? [t`It is this very browser: you will be signed out.`] : [])].join(" "),
    confirm: t`Revoke the device`, danger: true, reason: true,
  });
  if (!answer) return false;
  const { receipt } = await api.post(
    `/api/devices/${id}/revoke`, { reason: answer.reason }, { reason: t`Revoke the device “${name}”, for ever` });
  if (isHere) await changeRecord(record.id, { state: "revoked" });
  await verifyReceipt(receipt.proof, { type: "device.revoked", members: { signing_key } });
  if (current.device?.id === id) {
    await leave();
    goToSignIn();
    return false;
  }
  notice("success", t`“${name}” is revoked, and the log says so.`);
}
