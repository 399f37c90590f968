// The trust of this browser: the root certificate and the log key, pinned at first contact. The server cannot change
// them later. A log policy that the main administrator has signed replaces the log key. Its versions only go up, and so
// does the date of the certificate that it is signed under. So a key that the main administrator has replaced, and that
// a thief may have by now, cannot sign the next one.

import { Problem, api } from "../shell/api.js";
import { call, utf8 } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { logOf } from "./log-policy.js";
import { changeRecord, currentRecord } from "./records.js";
import * as store from "./store.js";

const pinned = "trust";

/**
 * The server's word about itself, compared with the pin, or pinned when there is none.
 *
 * - Returns: `{organisation, publicURL, root, fingerprint, logKey, policyVersion, policyCertified, pinned}`; `logKey` is
 *   the log's verifier key, or the text of the policy with that version.
 */
export async function firstContact() {
  const said = await api.get("/api/organisation");
  if (!said.is_set_up) throw new Problem("not-set-up", { detail: t`This organisation has not been set up yet.` });
  return pin(said);
}

/** Pins what `Organisation` says, unless another root or log key is pinned already: then it is refused. */
export async function pin(said, { replace = false } = {}) {
  const found = await read(said);
  let known;
  await store.update("settings", pinned, (old) => {
    known = old;
    return old && !replace ? newer(old, found) : found;
  });
  if (!known || replace) return found;
  refuseOther(known, found);
  return newer(known, found);
}

/**
 * Refuses a server that shows another root or log than what is pinned.
 *
 * - Returns: what to trust from now on: a newer log policy is followed.
 */
export async function checkTrust(trust) {
  const found = await read(await api.get("/api/organisation"));
  refuseOther(trust, found);
  return newer(trust, found);
}

/** The same for a record. One made at set-up whose answer was lost knows the log key only: it learns the root now. */
export async function checkRecord({ id, trust }) {
  if (trust.root) {
    const followed = await checkTrust(trust);
    if (followed !== trust) await changeRecord(id, { trust: followed });
    return;
  }
  const found = await firstContact();
  refuseOther({ ...trust, root: found.root }, found);
  await changeRecord(id, { trust: found });
}

/**
 * The trust of the signed-in account from now on: a newer log policy is followed, another root or log refused.
 *
 * - Returns: as `firstContact`; null when this browser is no device of the account.
 */
export async function follow() {
  const record = await currentRecord();
  if (record) await checkRecord(record);
  return (await currentRecord())?.trust ?? null;
}

/** The pin: of the account that is signed in, else of this browser; null before the first contact. */
export async function currentTrust() {
  return (await currentRecord())?.trust ?? (await store.get("settings", pinned)) ?? null;
}

/**
 * Checks a receipt offline, against the pinned log key.
 *
 * - type, members: which act it must prove, and what its record must say.
 * - Returns: `{index, time, type, record, origin}`.
 */
export async function verifyReceipt(proof, { type, members, trust } = {}) {
  const { logKey } = trust ?? await currentTrust() ?? {};
  if (!logKey) throw new Problem("trust", { detail: t`This browser knows no log key to check the receipt against.` });
  const args = { log_key: logKey, proof, ...(type ? { type } : {}), ...(members ? { members } : {}) };
  return (await call("receipt", args)).value;
}

async function read(said) {
  const { value: anchor } = await call("anchor", {}, utf8(said.root_certificate));
  if (anchor.public_url !== said.public_url) {
    throw new Problem("trust", { detail: t`The organisation's certificate names another address than this server.` });
  }
  refuseOtherAddress(said.public_url);
  return {
    organisation: anchor.organisation,
    publicURL: anchor.public_url,
    root: anchor.der,
    fingerprint: anchor.fingerprint,
    ...await logOf(said, anchor.der),
    pinned: Math.floor(Date.now() / 1000),
  };
}

/** The known trust, with the found log policy if that is newer. */
function newer(known, found) {
  if (known.root !== found.root || versionOf(found) <= versionOf(known)) return known;
  const { logKey, policyVersion, policyCertified } = found;
  return { ...known, logKey, policyVersion, policyCertified };
}

const versionOf = (trust) => trust.policyVersion ?? 0;
/** Since when the certificate holds, in seconds since 1970, that the log policy is signed under. */
const certifiedOf = (trust) => trust.policyCertified ?? 0;

/** A server on this very computer, for trying out, may be reached under other names. */
export function refuseOtherAddress(publicURL) {
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  if (!isLocal && new URL(publicURL).origin !== location.origin) {
    throw new Problem("trust", { detail: t`This organisation's address is ${publicURL}. Open the page there.` });
  }
}

function refuseOther(known, found) {
  const isSameLog = versionOf(found) > versionOf(known) && certifiedOf(found) >= certifiedOf(known)
    || versionOf(found) === versionOf(known) && known.logKey === found.logKey;
  if (known.root === found.root && isSameLog) return;
  const name = known.organisation ?? known.publicURL;
  throw new Problem("trust", {
    title: t`This is not the organisation that this browser knows`,
    detail: known.root === found.root
      ? t`The server shows another log key, or an older log policy or signer, than the one pinned at first contact with
        ${name}. Do not go on; ask the organisation, by another way, what its fingerprint is.`
      : t`The server shows another root certificate than the one pinned at first contact with ${name}. Do not go on; ask
        the organisation, by another way, what its fingerprint is.`,
  });
}
