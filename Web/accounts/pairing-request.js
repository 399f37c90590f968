// The new device: makes its keys, shows its code, and waits to be added.

import { api } from "../shell/api.js";
import { call } from "../shell/core.js";
import { $, busy, describe, group, notice } from "../shell/dom.js";
import { drawQR } from "../shell/qr.js";
import { t } from "../shell/translate.js";
import { suggestedDeviceName } from "./device-name.js";
import { rules } from "./form.js";
import { thumbprint } from "./jose.js";
import { finishRecord } from "./joining.js";
import { JoiningForm } from "./joining-form.js";
import { only, over, shown } from "./pairing-view.js";
import { forget } from "./passkeys.js";
import { allRecords, changeRecord, removeRecord } from "./records.js";
import { destination } from "./sessions.js";
import { firstContact } from "./trust.js";
import { ceremony, confirmWithPasskey, now } from "./unlock.js";

const interval = 2000;

/** Shows the form. A person who is signed in here with a passkey from elsewhere only names the device. */
export async function begin(account) {
  const form = $("#form");
  form.elements.device.value = suggestedDeviceName();
  if (account) {
    form.elements.username.value = account.username;
    form.elements.username.readOnly = true;
    $("#synced").hidden = false;
  }
  new JoiningForm({
    form,
    path: "/api/pairings",
    wanted: { username: rules.username, device: (text) => (text ? "" : t`Name this device.`) },
    trust: firstContact,
    ...(account ? { passkey: usePasskeyHere } : {}),
    done: async ({ answer, joining }) => {
      const { id, token, expires } = answer;
      const pairing = { id, token, expires, passkey: joining.madePasskey };
      // Kept, so that a reload does not lose the way in.
      await wait(await changeRecord(joining.record.id, { pairing }));
    },
  });
  only("new-device");
}

/** Goes on waiting after a reload; null when there is nothing to wait for. */
export async function resume() {
  const records = (await allRecords()).filter(({ state, pairing }) => state === "draft" && pairing);
  const [open] = records.filter(({ pairing }) => pairing.expires > now());
  for (const record of records) if (record !== open) await giveUp(record);
  return open ? (wait(open).catch((problem) => notice("error", describe(problem))), true) : null;
}

/** One touch: the passkey that signed in here proves itself again, and its secret locks the new keys. */
async function usePasskeyHere() {
  const options = await ceremony();
  const { id, user, secret } = await confirmWithPasskey(options);
  const { transports = [] } = options.credentials.find((each) => each.id === id) ?? {};
  return { id, user, secret, transports, rpID: options.rp_id };
}

async function wait(record) {
  const { pairing, keys } = record;
  const key = await thumbprint(keys.signing.publicKey);
  const { value: { text } } = await call("pairing_code", {
    server: record.trust.publicURL, pairing: pairing.id, key,
    encryption_key: await thumbprint(keys.encryption.publicKey),
  });
  $("#link").textContent = text;
  $("#waiting-device").textContent = record.deviceName;
  $("#waiting-key").textContent = shown(key);
  await drawQR($("#qr"), text, { label: t`The link below as a QR code` });
  const isGivenUp = { value: false };
  $("#give-up").onclick = ({ currentTarget }) => busy(currentTarget, async () => {
    isGivenUp.value = true;
    await giveUp(record);
    location.reload();
  });
  only("waiting");
  const session = await letIn(record, isGivenUp);
  if (!session) return;
  await finishRecord(record, session);
  over({
    title: t`This device is yours`, text: t`${record.deviceName} now has keys of your account.`,
    href: destination(session.account), link: t`Continue`,
  });
}

/** Asks until the first device has decided. A network that comes and goes does not matter. */
async function letIn({ id, pairing }, isGivenUp) {
  while (!isGivenUp.value) {
    try {
      return await api.post(`/api/pairings/${pairing.id}/session`, { token: pairing.token }, { allow401: true });
    } catch (problem) {
      if (problem.kind === "gone" || problem.kind === "not-found") return lost(id);
      if (!["conflict", "offline", "busy", "too-many-requests"].includes(problem.kind)) throw problem;
      $("#waiting-state").textContent = problem.kind === "conflict"
        ? t`Waiting for your other device …` : describe(problem);
      await new Promise((resolve) => setTimeout(resolve, (problem.retryAfter ?? 0) * 1000 || interval));
    }
  }
  return null;
}

/**
 * Refused, too late, or added with an answer that was lost: the keys are kept for the last case, and signing in tells.
 */
async function lost(id) {
  await changeRecord(id, { pairing: undefined });
  over({
    title: t`It was not added`,
    text: t`Your other device refused it, or too much time went by. If you did add it there, sign in: it may have
      worked without this page hearing of it.`,
    href: "/sign-in", link: t`Sign in`,
  });
  return null;
}

async function giveUp(record) {
  await removeRecord(record.id);
  // Only one that was made for this: one that came from elsewhere is the account's.
  if (record.pairing?.passkey) await forget(record.rpID, record.pairing.passkey);
}
