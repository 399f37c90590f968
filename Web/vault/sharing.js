// Sharing: an item or a folder with another member, who may only look or also change; and moving into a shared folder.

import { Problem } from "../shell/api.js";
import { make } from "../shell/dom.js";
import { listing } from "../shell/text.js";
import { plural, t } from "../shell/translate.js";
import { areThem, prints } from "./comparing.js";
import { choice, field, formDialog, tick } from "./form-dialog.js";
import * as memberships from "./memberships.js";
import * as moving from "./moving.js";
import { find } from "./recipients.js";
import * as folders from "./shared-folders.js";
import { tell } from "./telling.js";
import { Transfer } from "./transfers.js";
import { root } from "./vault-state.js";

const roles = () => [
  { value: "reader", label: t`Look only` },
  { value: "writer", label: t`Look and change`, hint: t`Add, rename and delete, too.` },
];
export const roleWords = { owner: t`yours`, reader: t`may look`, writer: t`may look and change`, caretaker: t`may put things in` };

/** Asks for somebody by username, and shows whom and what keys were found. Gives `{recipient, …values}`, or null. */
export async function askForPerson({ title, text, parts = [], confirm, finally: say }) {
  const input = make("input", { name: "username", required: true, maxlength: 64, autocomplete: "off", autocapitalize: "none", spellcheck: "false", dir: "ltr" });
  const found = await formDialog({
    title, text, parts: [field(t`Their username`, input, t`Ask them for it. They need a vault here.`), ...parts], confirm: t`Find them`,
    act: async (values) => ({ ...values, recipient: await find(values.username) }),
  });
  if (!found) return null;
  const { recipient } = found;
  const done = await formDialog({
    title: t`Is this ${recipient.name}?`,
    text: [plural(recipient.devices.length, "The log has the key of {0} device of theirs.", "The log has the keys of {0} devices of theirs."), say(recipient, found)].join(" "),
    parts: [prints(recipient)], confirm: confirm(recipient), act: async (_, news) => { await found.act?.(news); return true; },
  });
  return done && found;
}

/**
 * Shares an item or a folder of the own vault.
 *
 * @returns the shared folder, or null when the person has cancelled
 */
export async function share(home, item) {
  if (item.share) return admitTo(home, (await folders.at(home, item.id)).place);
  if (item.kind === "folder") return shareFolder(home, item);
  return shareItem(home, item);
}

/** Lets one more person use a shared folder. */
export async function admitTo(home, place) {
  const found = await askForPerson({
    title: t`Share ${place.name}`, parts: [choice(t`They may`, "role", roles())], confirm: ({ name }) => t`Share with ${name}`,
    finally: ({ name }, { role }) => meaning(name, role),
  });
  if (!found) return null;
  await memberships.admit(home, place, found.recipient, found.role);
  tell("success", t`${found.recipient.name} can open ${place.name} from now on.`);
  return place;
}

const meaning = (name, role) => (role === "writer"
  ? t`${name} will see everything in this folder, and can change it.` : t`${name} will see everything in this folder.`);

async function shareFolder(home, item) {
  const earlier = moving.withEarlier(home, item.id);
  moving.movable(home, item.id);
  const found = await askForPerson({
    title: t`Share ${item.name}`,
    text: [t`Everything in this folder will be shared. It stays where it is in your vault.`, ...earlierWords(earlier)].join(" "),
    parts: [choice(t`They may`, "role", roles())], confirm: ({ name }) => t`Share with ${name}`, finally: ({ name }, { role }) => meaning(name, role),
  });
  if (!found) return null;
  const place = await folders.convert(home, item);
  await memberships.admit(home, place, found.recipient, found.role);
  tell("success", t`${found.recipient.name} can open ${place.name} from now on.`);
  return place;
}

const earlierWords = (count) => (count === 0 ? []
  : [plural(count, "Earlier states of {0} file go with it, and they will see them, too.", "Earlier states of {0} files go with it, and they will see them, too.")]);

async function shareItem(home, item) {
  moving.movable(home, item.id);
  const found = await askForPerson({
    title: t`Share ${item.name}`,
    text: t`It goes into a new shared folder with the same name.`,
    parts: [choice(t`They may`, "role", roles()), ...howParts(home, item)], confirm: ({ name }) => t`Share with ${name}`,
    finally: ({ name }, { role }) => meaning(name, role),
  });
  if (!found) return null;
  const place = await folders.make(home, item.parent, item.name);
  await bring(home, item, place.vault, root, { ...found, isOwn: true });
  await memberships.admit(home, place, found.recipient, found.role);
  tell("success", t`${found.recipient.name} can open ${place.name} from now on.`);
  return place;
}

/** Whether it is moved or copied, and what of its earlier states. */
function howParts(vault, item) {
  const parts = [choice(t`What happens to yours`, "how", [
    { value: "move", label: t`Move it there`, hint: t`There is only one, and everybody sees its changes.` },
    { value: "copy", label: t`Put a copy there`, hint: t`Yours stays as it is.` },
  ])];
  if (moving.withEarlier(vault, item.id) > 0) parts.push(tick("earlier", t`Earlier states, too: the others will see them`));
  return parts;
}

async function bring(from, item, to, parent, { how, earlier, isOwn }) {
  const transfer = new Transfer(item.name);
  if (how === "copy") return moving.copy(from, item.id, to, parent, { earlier: Boolean(earlier), transfer });
  return moving.move(from, item.id, to, parent, { isOwn, earlier: Boolean(earlier), transfer });
}

/**
 * Moves or copies an item into a shared folder, or out of one into the own vault.
 *
 * @param here `{vault, place}` where the item is
 * @returns whether it was done
 */
export async function carry(home, here, item) {
  const inside = here.place;
  const options = [
    ...(inside ? [{ id: "", name: t`Vault` }] : []), ...folders.targets(home).filter(({ id }) => id !== inside?.id),
  ];
  if (options.length === 0) {
    throw new Problem("conflict", { detail: t`You have no shared folder yet. Press “Share” to make one.` });
  }
  const select = make("select", { name: "target" }, ...options.map(({ id, name }) => make("option", { value: id }, name)));
  const mayMove = here.vault.mayWrite;
  const hows = howParts(here.vault, item);
  const parts = mayMove ? hows : hows.slice(1);
  const done = await formDialog({
    title: mayMove ? t`Move or copy ${item.name}` : t`Copy ${item.name}`, parts: [field(t`To`, select), ...parts], confirm: t`Do it`,
    act: async ({ target, how = "copy", earlier }) => {
      const there = await folders.at(home, target);
      const isOwn = !inside?.owner && !there.place?.owner;
      await bring(here.vault, item, there.vault, root, { how, earlier, isOwn });
      return { how };
    },
  });
  if (!done) return false;
  tell("success", done.how === "copy" ? t`${item.name} is copied.` : t`${item.name} is moved.`);
  return true;
}

/** Ends what somebody may, and offers another key. Returns whether it was ended. */
export async function dismiss(home, item, { account, name }) {
  let isEnded = false;
  const left = await formDialog({
    title: t`End this for ${name}?`,
    text: t`From now on the server gives ${name} nothing of this folder. They keep everything they have saved or remember, and they may have kept the key.`,
    parts: [tick("key", t`Give the folder another key, so that a kept key opens nothing that the server has`)],
    confirm: t`End it`, cancel: t`Leave it`, danger: true,
    act: async ({ key }, news) => {
      await memberships.dismiss(home, item.id, account);
      isEnded = true;
      if (!key) return [];
      news(t`The folder gets another key …`);
      return memberships.exchangeKey(home, item.id, areThem);
    },
  });
  tellLeft(item, left ?? []);
  return isEnded;
}

/** Goes on with an exchange of keys that was cut off. */
export async function finish(home, item) {
  tellLeft(item, await memberships.finish(home, item.id, areThem));
  return true;
}

/** Says who did not get the new key of a folder. */
function tellLeft({ name }, names) {
  if (names.length === 0) return;
  tell("warning", t`The new key of ${name} was not given to ${listing(names)}: your vault does not know their keys, or they have none now. Share the folder with them again.`);
}

/** Ends a folder of the account for everybody, or leaves somebody else's. Returns whether it was done. */
export async function end(home, item) {
  const isMine = !item.share.owner;
  const answer = await formDialog({
    title: isMine ? t`Delete ${item.name} for everybody?` : t`Leave ${item.name}?`,
    text: isMine
      ? t`The folder is destroyed with everything in it, at once, for you and for all who may see it. Move what you want to keep out of it first.`
      : t`You will no longer see it. ${item.share.by} still has it, and can share it with you again.`,
    confirm: isMine ? t`Delete it for everybody` : t`Leave it{#folder}`, cancel: t`Keep it{#folder}`, danger: true,
    act: async () => {
      await memberships.remove(home, item);
      return true;
    },
  });
  return Boolean(answer);
}
