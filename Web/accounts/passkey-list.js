// The account's passkeys. A new one also gets a slot, so that it opens the keys of this browser.

import { Problem, api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { perform, showList } from "./rows.js";
import { confirm, use } from "./keys.js";
import { suggestedDeviceName } from "./device-name.js";
import * as ceremonies from "./passkeys.js";
import { changeRecord } from "./records.js";

export function attach(state) {
  const button = $("#add-passkey", state.root);
  button.hidden = !ceremonies.isSupported();
  button.addEventListener("click", () => perform(button, () => add(state), state));
}

export function show(state) {
  const opening = new Set(state.record?.slots.map(({ credential }) => credential));
  const values = (passkey) => ({ last_used: null, ...passkey, opens: opening.has(passkey.id) });
  showList(state, "#passkeys", state.passkeys, "passkey-row", values, { rename, remove }, { empty: "no-passkeys" });
}

async function add(state) {
  // The keys here are opened first, by what opens them now, so that the new passkey can be given a slot.
  const isNew = state.record
    ? await use(t`Add a passkey to your account`, (k) => make(state, k), { extractable: true })
    : await confirm(t`Add a passkey to your account`).then(() => make(state, null));
  return isNew;
}

async function make({ record }, k) {
  const options = await api.post("/api/account/passkeys/registration", {}, { noConfirm: true });
  // A second question needs a second press of a button, or some browsers refuse it.
  const answer = await ask({
    title: t`Now the new passkey`,
    text: t`Choose on the next screen where to keep it: this device, a phone, or a security key.`,
    confirm: t`Make it`,
    input: { label: t`What do you call it?`, value: suggestedDeviceName(), maximum: 200 },
  });
  if (!answer) return false;
  const made = await ceremonies.create(options);
  const known = ceremonies.named(made);
  const slot = k && made.secret ? await k.addPasskey(made) : null;
  // Here first: should the answer be lost, the slot is of use or does no harm.
  if (record) {
    await changeRecord(record.id, (old) => ({
      slots: slot ? [...old.slots, slot] : old.slots, passkeys: [...old.passkeys, known],
    }));
  }
  await register(answer.value, made, options, record);
  notice(...(k && !slot
    ? ["warning", t`The passkey signs you in. It cannot open the keys of this browser: its device gave no secret.`]
    : ["success", t`The passkey is added.`]));
  return true;
}

async function register(name, made, options, record) {
  try {
    await api.post("/api/account/passkeys", { name, registration: made.registration }, { noConfirm: true });
  } catch (problem) {
    if (problem.kind === "offline" && await isListed(made.id)) return;
    if (problem.status >= 400 && problem.status < 500) {
      await ceremonies.forget(options.rp_id, made.id);
      if (record) await dropFrom(record.id, made.id);
    }
    throw problem;
  }
}

/** After an answer that was lost: is it there? */
const isListed = async (id) => (await api.get("/api/account/passkeys").catch(() => ({ items: [] })))
  .items.some((passkey) => passkey.id === id);

async function rename({ id, name }) {
  const answer = await ask({ title: t`Rename the passkey`, confirm: t`Save`, input: { label: t`Name`, value: name } });
  if (!answer) return false;
  await api.patch(`/api/account/passkeys/${encodeURIComponent(id)}`, { name: answer.value });
}

async function remove({ id, name }, { record }) {
  const slots = record?.slots ?? [];
  if (slots.length === 1 && slots[0].credential === id) {
    throw new Problem("conflict", {
      detail: t`This is the only passkey that opens the keys of this browser. Add another one first.`,
    });
  }
  const answer = await ask({
    title: t`Remove “${name}”`,
    text: t`You cannot sign in with it any more, and keys that only this passkey opens, in any browser, stay locked for
      ever. Wallets that it paired in browsers without keys go too.`,
    confirm: t`Remove`, danger: true,
  });
  if (!answer) return false;
  await api.delete(`/api/account/passkeys/${encodeURIComponent(id)}`, { reason: `Remove the passkey “${name}”` });
  if (record) {
    await dropFrom(record.id, id);
    await ceremonies.forget(record.rpID, id);
  }
  notice("success", t`The passkey is removed.`);
}

const dropFrom = (record, id) => changeRecord(record, (old) => ({
  slots: old.slots.filter(({ credential }) => credential !== id),
  passkeys: old.passkeys.filter((passkey) => passkey.id !== id),
}));
