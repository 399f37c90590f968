// Who may use a shared folder of the account: admitted, ended, and given another key. What others may write in the folder, and whom
// the server names, decides none of it.

import { Problem, api } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { hex } from "./bytes.js";
import { compartmentOf } from "./compartment.js";
import { everything, handOver, madeCompartment, movable, openedVault, pointer } from "./moving.js";
import { grant, member } from "./recipients.js";
import { at, leave } from "./shared-folders.js";
import { hasSeen } from "./vault-state.js";

/** What is not there any more need not be ended. */
const missing = (problem) => { if (problem.kind !== "not-found") throw problem; };

/**
 * The ids of the compartments behind a shared folder: the present one, and the one that an exchange of keys has not left yet. They
 * follow from the keys that the folder keeps: what others have written there cannot hide them.
 */
async function namesOf({ compartment, share }) {
  const keys = [compartment, share.former].filter(Boolean);
  return Promise.all(keys.map(async (key) => hex((await compartmentOf(fromB64u(key))).id)));
}

const membersPath = (name, account) => `/api/vault/compartments/${name}/members${account ? `/${account}` : ""}`;

/** Lets somebody use a shared folder. The vault remembers whom, and with which keys: nobody else gets the folder's next key. */
export async function admit(home, place, recipient, role) {
  const { compartment } = place.vault;
  const reason = t`Share ${place.name} with ${recipient.name}`;
  const sealed = await grant({ recipient, compartment: compartment.id, role, access: { key: compartment.key, name: place.name }, reason });
  await api.put(membersPath(place.vault.state.name, recipient.account), { role, sealed }, { reason });
  const prints = recipient.devices.map(({ print }) => print);
  await home.mark(place.id, ({ share }) => ({ share: { ...share, members: { ...share.members, [recipient.account]: { role, prints } } } }));
}

/** Who may use a shared folder of the account, as the server has it. */
export async function members(item) {
  const [now, former] = await namesOf(item);
  const lists = [await api.get(membersPath(now)), former && await api.get(membersPath(former)).catch(missing)];
  const all = lists.flatMap((list) => list?.items ?? []);
  return all.filter(({ account }, index) => all.findIndex((one) => one.account === account) === index);
}

/** Ends somebody's membership, at once. The folder need not open for it: others may have broken it. */
export async function dismiss(home, id, account) {
  for (const name of await namesOf(home.item(id))) await api.delete(membersPath(name, account)).catch(missing);
  if (Object.hasOwn(home.item(id).share.members ?? {}, account)) await forgetMembers(home, id, [account]);
}

/** Takes accounts out of those who get the next key of a shared folder. */
const forgetMembers = (home, id, accounts) => home.mark(id, ({ share }) => ({ share: { ...share, members: without(share.members, accounts) } }));
const without = (known = {}, accounts = []) => Object.fromEntries(Object.entries(known).filter(([account]) => !accounts.includes(account)));

/** Destroys a shared folder for everybody, or leaves somebody else's. It need not open for it. */
export async function remove(home, { id, name: title }) {
  const item = home.item(id);
  const { owner, me } = item.share;
  for (const name of await namesOf(item)) {
    const done = owner ? api.delete(membersPath(name, me))
      : api.delete(`/api/vault/compartments/${name}`, { reason: t`Delete ${title} for everybody` });
    await done.catch(missing);
  }
  leave(id);
  await home.remove(id);
}

/**
 * Gives a shared folder another key: everything in it goes over into another compartment, and who stays gets the new key.
 *
 * Where it is cut, the folder remembers both keys, and `finish` goes on.
 *
 * @param agree as in `finish`
 * @returns the names of those who did not get it
 */
export async function exchangeKey(home, id, agree) {
  // The key that was left in an exchange before is in the folder alone: first everything comes out of there.
  const left = (await sharedNow(home, id)).former ? await finish(home, id, agree) : [];
  // What does not open, or must not go over, cannot: the folder stays as it is then.
  leave(id);
  const { vault } = (await at(home, id)).place;
  for (const top of everything(vault)) movable(vault, top);
  const old = b64u(vault.compartment.key);
  const next = await madeCompartment(api);
  await home.mark(id, ({ compartment, share }) => {
    if (compartment === b64u(next.key)) return {};
    // Another device's exchange must not lose its key in this one.
    if (compartment !== old || share.former) {
      throw new Problem("conflict", { detail: t`Another device is giving this folder another key. Wait a moment, then try again.` });
    }
    return pointer(next, { ...share, former: old });
  });
  return [...left, ...await finish(home, id, agree)];
}

/** What a shared folder says of those who use it, as the account's devices have left it. */
async function sharedNow(home, id) {
  await home.refresh();
  const { share } = home.item(id) ?? {};
  if (!share) throw new Problem("not-found", { detail: t`This folder is not in your vault any more.` });
  return share;
}

async function takeAll(from, to) {
  const ids = everything(from);
  if (ids.length > 0) await handOver(from, to, ids);
}

/**
 * Goes on with an exchange that was begun.
 *
 * @param agree asks whether people get the new key whom the vault does not remember, because the folder was shared before it did:
 *   `async ([{name, devices}]) => boolean`, see comparing.js
 * @returns the names of those who did not get it
 */
export async function finish(home, id, agree) {
  const share = await sharedNow(home, id);
  // Another device was quicker.
  if (!share.former) return [];
  const former = await openedVault(fromB64u(share.former), home.limits).catch(missing);
  if (!former) {
    await requireLeft(share.former);
    await forgetKey(home, id, share.former, []);
    return [];
  }
  leave(id);
  const { place } = await at(home, id);
  const old = former.state.name;
  await takeAll(former, place.vault);
  const staying = (await api.get(membersPath(old))).items;
  const { known, left } = await chosen(old, staying, share.members, agree);
  for (const { recipient, role } of known) await admit(home, place, recipient, role);
  // Nobody writes there any more: what came while the folder moved is taken, too.
  for (const { account } of staying) await api.delete(membersPath(old, account)).catch(missing);
  await former.refresh();
  await takeAll(former, place.vault);
  // The answer may be lost: without this, nobody could tell later that nothing was there any more.
  await former.state.forgetSeen();
  await api.delete(`/api/vault/compartments/${old}`, { reason: t`Give ${place.name} another key` }).catch(missing);
  await forgetKey(home, id, share.former, left.map(({ account }) => account));
  return left.map(({ name }) => name);
}

/**
 * Refuses to go on without an old compartment in which this device has seen something: somebody has removed it. An exchange that is cut
 * off at its end removes it, too, but only once nothing is in it.
 */
async function requireLeft(key) {
  if (!await hasSeen(await compartmentOf(fromB64u(key)))) return;
  throw new Problem("vault-broken", {
    detail: t`The server no longer has what this device saw under the folder’s old key. The key is kept: finish on the device where you began, or tell the people who run the server.`,
  });
}

/** Has the vault forget the key that a folder had before, and those who did not get the new one; not the key of a later exchange. */
const forgetKey = (home, id, old, gone) => home.mark(id, ({ share: { former, ...now } }) => (
  former === old ? { share: { ...now, members: without(now.members, gone) } } : {}));

/**
 * Who of the people that the server names gets a new key: only those whom the owner has admitted, with the keys that they had then. A
 * server could name others.
 *
 * @returns `{known: [{recipient, role}], left: [{account, name}]}`
 */
async function chosen(old, people, admitted, agree) {
  const [known, left] = [[], []];
  for (const { account, name, role } of people) {
    const before = Object.hasOwn(admitted ?? {}, account) ? admitted[account] : null;
    const found = admitted && !before ? null : await member(old, account).catch(withoutKeys);
    const devices = (found?.devices ?? []).filter(({ print }) => !before || before.prints.includes(print));
    if (devices.length > 0) known.push({ recipient: { account, name, devices }, role: before?.role ?? role });
    else left.push({ account, name });
  }
  if (admitted || known.length === 0 || await agree(known.map(({ recipient }) => recipient))) return { known, left };
  return { known: [], left: [...left, ...known.map(({ recipient: { account, name } }) => ({ account, name }))] };
}

/** One person who has no device with keys now, or has just left, keeps the key from nobody else. */
function withoutKeys(problem) {
  if (!["no-vault", "not-found"].includes(problem.kind)) throw problem;
  return null;
}
