// Emergency contacts: somebody who may open the vault after a waiting time in which the owner can say no.

import { device, use } from "../accounts/keys.js";
import { Problem, api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { b64u, fromB64u } from "../shell/core.js";
import { $, busy, clone, make, time } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { refuse } from "./asked.js";
import { fromHex, hex, join, random } from "./bytes.js";
import { field } from "./form-dialog.js";
import { openedVault } from "./moving.js";
import { enter } from "./shared-folders.js";
import { askForPerson } from "./sharing.js";
import { contactSlotLength, makeContactSlot, openContactSlot } from "./slots.js";
import { tell } from "./telling.js";

const day = 86_400;
const waits = [1, 3, 7, 14, 30];
const days = (seconds) => plural(Math.round(seconds / day), "{0} day", "{0} days");

/**
 * Draws the view.
 *
 * @param stored what the server says of the vault; @param again draws everything again after a change
 */
export async function draw(home, stored, again) {
  const own = stored.slots.filter(({ kind }) => kind === "contact");
  const names = home.remembered("contacts") ?? {};
  $("#contacts").replaceChildren(...own.map((slot) => ownRow(slot, names[slot.id] ?? t`Somebody`, again)));
  $("#contacts-none").hidden = own.length > 0;
  const items = await api.all("/api/vault/contacts");
  $("#vaults").replaceChildren(...items.map((one) => otherRow(home, one, again)));
  $("#vaults-none").hidden = items.length > 0;
  const add = $("#add-contact");
  add.onclick = () => busy(add, async () => { if (await name(home, stored)) await again(); });
}

function on(element, name, run, again) {
  const button = $(`[data-act=${name}]`, element);
  button.addEventListener("click", () => busy(button, async () => { if (await run()) await again(); }));
}

function ownRow(slot, name, again) {
  const row = clone("contact-row", {
    name, isAsked: Boolean(slot.asked),
    about: slot.asked
      ? t`Asked on ${time(slot.asked)}. It opens on ${time(slot.asked + slot.wait)}, unless you say no.` : t`Waits ${days(slot.wait)} after asking.`,
  });
  on(row, "refuse", () => refuse(slot), again);
  on(row, "remove", async () => {
    const answer = await ask({
      title: t`Remove ${name} as an emergency contact?`, text: t`${name} can no longer ask for your vault.`, confirm: t`Remove them`,
      cancel: t`Keep them`, danger: true,
    });
    if (!answer) return false;
    await api.delete(`/api/vault/slots/${slot.id}`, { reason: t`Remove ${name} as an emergency contact` });
    return true;
  }, again);
  return row;
}

/** Names a contact. Returns whether it was done. */
async function name(home, stored) {
  const wait = make("select", { name: "wait" }, ...waits.map((number) => make("option", { value: number * day, selected: number === 7 }, days(number * day))));
  const found = await askForPerson({
    title: t`Name an emergency contact`,
    text: t`They can ask for your vault. You are told, and have this time to say no. Then they can read everything in it, and change nothing.`,
    parts: [field(t`Time to say no`, wait)], confirm: (recipient) => t`Name ${recipient.name}`,
    finally: (recipient, values) => t`If you say nothing for ${days(Number(values.wait))} after they ask, ${recipient.name} can read your whole vault.`,
  });
  if (!found) return false;
  const { recipient } = found;
  const [id, salt] = [random(16), fromB64u(stored.salt)];
  const sealed = join(...await Promise.all(recipient.devices.map(({ point }) => makeContactSlot(point, id, salt, home.compartment))));
  await home.remember("contacts", (known) => ({ ...known, [hex(id)]: recipient.name }));
  await api.put(`/api/vault/slots/${hex(id)}`, { kind: "contact", sealed: b64u(sealed), contact: recipient.account, wait: Number(found.wait) },
    { reason: t`Name ${recipient.name} as your emergency contact` });
  tell("success", t`${recipient.name} is your emergency contact.`);
  return true;
}

function otherRow(home, one, again) {
  const isOpen = Boolean(one.sealed);
  const row = clone("other-vault-row", {
    name: one.owner_name, mayAsk: !one.asked, isOpen,
    about: isOpen ? t`The time to say no is over. You can read it.`
      : one.asked ? t`You asked on ${time(one.asked)}. It opens on ${time(one.asked + one.wait)}, unless ${one.owner_name} says no.`
        : t`${one.owner_name} has ${days(one.wait)} to say no after you ask.`,
  });
  on(row, "ask", async () => {
    const answer = await ask({
      title: t`Ask for the vault of ${one.owner_name}?`,
      text: t`${one.owner_name} is told at once and has ${days(one.wait)} to say no. The log keeps that you asked.`, confirm: t`Ask for it`,
    });
    if (!answer) return false;
    await api.post(`/api/vault/contacts/${one.owner}/${one.slot}/ask`, {}, { reason: t`Ask for the vault of ${one.owner_name}` });
    return true;
  }, again);
  on(row, "open", async () => {
    await open(home, one);
    location.hash = `folder=${one.slot}`;
    return false;
  }, again);
  return row;
}

/** Opens somebody's vault as their contact: to be read only. */
async function open(home, { slot, sealed, salt, owner_name: name }) {
  const own = await device();
  const bytes = fromB64u(sealed);
  const slots = Array.from({ length: Math.floor(bytes.length / contactSlotLength) }, (_, index) => (
    bytes.slice(index * contactSlotLength, (index + 1) * contactSlotLength)));
  const compartment = await use(t`Open the vault of ${name}`, async (k) => {
    const point = own.publicKeys.encryption;
    const mine = slots.find((one) => b64u(one.slice(2, 67)) === point);
    if (!mine) throw notHere(name);
    return openContactSlot(mine, (other) => k.agree(other), fromHex(slot), fromB64u(salt));
  });
  const vault = await openedVault(compartment.key, home.limits, { mayWrite: false, isInner: false });
  enter({ id: slot, vault, name: t`The vault of ${name}`, parent: null, role: "reader", owner: name, by: name, isWhole: true });
}

const notHere = (name) => new Problem("no-keys", { detail: t`${name} named you with other devices of yours. Open it there.` });
