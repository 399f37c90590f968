// Other people's keys: looked up by username, believed only if the log has them; and what is sealed to them, signed by who
// gives it (docs/vault-format.md, "Shares").

import { thumbprint } from "../accounts/jose.js";
import { device, use, whose } from "../accounts/keys.js";
import { follow, verifyReceipt } from "../accounts/trust.js";
import { Problem, api } from "../shell/api.js";
import { b64u, call, fromB64u } from "../shell/core.js";
import { group } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { fromHex, hex, join, Reader, same, textOf, utf8 } from "./bytes.js";
import { keyOverhead, sha256 } from "./sealing.js";
import { openShareTo, shareTo } from "./slots.js";

const sealedLength = 512 + keyOverhead;
const statementType = "countersign-vault-share+jwt";

/** Somebody who has a vault, by their username: `{account, name, devices: [{point, key, print}]}`. */
export async function find(username) {
  const typed = username.trim().replace(/^@/, "");
  // The server finds everybody else, and says of this one that nobody has it.
  if (typed.toLowerCase() === (await whose())?.username) throw new Problem("refused", { detail: t`That is you. Type the username of somebody else.` });
  try {
    return await vouched(await api.post("/api/vault/recipients", { username: typed }));
  } catch (problem) {
    if (problem.kind !== "not-found") throw problem;
    throw new Problem("no-vault", {
      detail: t`Nobody with this username has a vault. Compare it letter by letter, or ask them to open theirs once.`,
    });
  }
}

/** The same for somebody who is in one of the account's compartments already. */
export const member = async (compartment, account) => vouched(await api.get(`/api/vault/compartments/${compartment}/members/${account}`));

/** Leaves only the devices whose keys the log has. */
async function vouched({ account, name, devices }) {
  const checked = [];
  for (const one of devices) {
    await checkReceipt(one);
    const point = fromB64u(one.encryption_key);
    checked.push({ point, key: one.signing_key, print: await print(one.signing_key, point) });
  }
  if (checked.length === 0) throw new Problem("no-vault", { detail: t`${name} has no device with keys now, so nothing can be sealed to them.` });
  return { account, name, devices: checked };
}

async function checkReceipt({ signing_key: signingKey, encryption_key: encryptionKey, receipt }) {
  const expected = { type: "device.enrolled", members: { signing_key: signingKey, encryption_key: encryptionKey } };
  const { trust } = await ownDevice();
  try {
    await verifyReceipt(receipt.proof, { ...expected, trust });
  } catch (error) {
    if (error.code === "unavailable") throw error;
    // The main administrator may have signed a log policy with other keys.
    const newer = await follow().catch(() => null);
    await verifyReceipt(receipt.proof, { ...expected, trust: newer ?? trust }).catch(() => {
      throw new Problem("trust", { detail: t`The log does not have the keys that the server names. Nothing was sealed to them. Tell the people who run the server.` });
    });
  }
}

/** This browser's own device, without which nothing can be signed or opened. */
async function ownDevice() {
  const own = await device();
  if (own) return own;
  throw new Problem("no-keys", { detail: t`This browser has no keys for your account. Add it under Devices, or use the device that has them.` });
}

/** The fingerprint of a device's two keys, as people compare it: what is sealed to one is signed with the other. */
async function print(signing, encryption) {
  const both = await Promise.all([signing, encryption].map(async (key) => fromB64u(await thumbprint(key))));
  return group(hex((await sha256(join(...both))).slice(0, 16)));
}

/** The fingerprint of this browser's own device. */
export async function ownPrint() {
  const own = await device();
  return own ? print(own.publicKeys.signing, own.publicKeys.encryption) : null;
}

/**
 * What somebody is given: sealed to each of their devices, and signed with this one's key.
 *
 * @param compartment its id, bytes; @param access see slots.js
 */
export async function grant({ recipient, compartment, role, access, reason }) {
  const pieces = await Promise.all(recipient.devices.map(({ point }) => shareTo(point, compartment, access)));
  const sealed = join([1, pieces.length], ...pieces);
  const { trust } = await ownDevice();
  const statement = await use(reason, async (k) => k.jws(statementType, {
    aud: trust.publicURL, compartment: hex(compartment), member: recipient.account, role, sealed: b64u(await sha256(sealed)),
    iat: Math.floor(Date.now() / 1000),
  }));
  return b64u(join(sealed, utf8(statement)));
}

/**
 * Opens what somebody else has given.
 *
 * @param home the own vault, which remembers whose keys were compared
 * @param shared as the server lists it: `{compartment, role, sealed}`
 * @param isThem asks whether a key is somebody's, once for each key: `async ({name, print, isOther}) => boolean`, see comparing.js
 * @returns what `openShareTo` gives, with the `owner`: `{account, name}`; null when the person says no
 * @throws Problem "trust" unless a device of the owner has signed exactly this, for this account
 */
export async function openGrant(home, shared, isThem) {
  const owner = await vouched(await api.get(`/api/vault/shared/${shared.compartment}/owner`));
  const reader = new Reader(fromB64u(shared.sealed));
  const form = reader.take(2);
  if (form[0] !== 1 || form[1] === 0 || form[1] > 8) throw untrusted(owner.name);
  const pieces = Array.from({ length: form[1] }, () => reader.take(sealedLength));
  const signer = await signerOf(textOf(reader.take(reader.remaining)), owner, shared, join(form, ...pieces));
  if (!await isKnown(home, owner, signer.print, isThem)) return null;
  const id = fromHex(shared.compartment);
  const access = await use(t`Open what ${owner.name} shares with you`, async (k) => {
    const point = fromB64u(k.publicKey("encryption"));
    for (const piece of pieces) {
      const access = await openShareTo((other) => k.agree(other), point, id, piece).catch(notForThis);
      if (access) return access;
    }
    throw new Problem("no-keys", {
      detail: t`This was sealed to other devices of yours. Open it there, or ask ${owner.name} to share it again.`,
    });
  });
  return { ...access, owner: { account: owner.account, name: owner.name } };
}

/**
 * Whether a key is known to be somebody's: compared before, or now; the vault remembers it from then on. Any server can name a key
 * that its log has.
 */
async function isKnown(home, { account, name }, print, isThem) {
  const people = home.remembered("people") ?? {};
  const known = Object.hasOwn(people, account) && people[account].name === name ? people[account].prints : [];
  if (known.includes(print)) return true;
  // Of this name, whatever account the server says it is.
  const isOther = Object.values(people).some((one) => one.name === name);
  if (!await isThem({ name, print, isOther })) return false;
  await home.remember("people", (now) => ({ ...now, [account]: { name, prints: [...known, print] } }));
  return true;
}

/** The device of the owner that has signed exactly this. */
async function signerOf(jws, owner, { compartment, role }, sealed) {
  const { trust, account } = await ownDevice();
  const digest = b64u(await sha256(sealed));
  for (const one of owner.devices) {
    const answer = await call("jws_verify", { jws, type: statementType, key: one.key }).catch(() => null);
    const said = answer?.value.payload;
    const isMeant = said && said.aud === trust.publicURL && said.compartment === compartment && said.member === account
      && said.role === role && said.sealed === digest;
    if (isMeant) return one;
  }
  throw untrusted(owner.name);
}

const untrusted = (name) => new Problem("trust", {
  detail: t`This is not signed by a device of ${name} that the log has. It was not opened. Ask ${name} to share it again, and tell the people who run the server if it happens again.`,
});

function notForThis(error) {
  if (error.code !== "cannot_open") throw error;
  return null;
}

/** Whether something that was opened belongs to a compartment. */
export const isOf = (compartment, id) => same(compartment.id, fromHex(id));
