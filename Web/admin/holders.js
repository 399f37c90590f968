// The holders whom this wallet has checked face to face, and the keys that they showed then. A document is signed for
// those keys, or for keys that they endorsed, and never for others that a server names instead.

import { call } from "../shell/core.js";
import * as store from "../accounts/store.js";
import { t } from "../shell/translate.js";

/** The server names other keys for a holder than the ones that the holder showed. */
export class HolderKeysDiffer extends Error {
  constructor(name) {
    super(
      t`The server names other keys for ${name} than the ones that this wallet checked face to face, and no device
        that you checked let them in. Nothing was signed. Ask the person: after a lost phone a new face-to-face check
        is needed. If the person knows nothing of one, tell the main administrator: somebody may be putting keys in
        the way.`);
  }
}

/** Remembers what a check has shown. */
export async function remember(record, holder, keys) {
  const known = await checkedKeys(record, holder.id);
  const others = known.filter((one) => one.signing !== keys.signing);
  await store.put("settings", place(record, holder.id), [...others, { ...keys, checked: keys.checked }]);
}

/** The thumbprints that this wallet has seen: `[{signing, encryption, checked}]`. */
export async function checkedKeys(record, account) {
  return (await store.get("settings", place(record, account))) ?? [];
}

/**
 * Compares the keys in an issuance plan with what this wallet knows.
 *
 * @returns `{kind: "checked", checked}`, `{kind: "endorsed", checked}` (a device that was checked endorsed this one) or
 *   `{kind: "colleague"}` (this wallet has never checked the holder)
 * @throws HolderKeysDiffer
 */
export async function judge(record, plan) {
  const known = await checkedKeys(record, plan.holder.id);
  const device = { signing: await thumbprint(plan.device.signing_key), encryption: await thumbprint(plan.device.encryption_key) };
  if (known.length === 0) return { kind: "colleague", ...device };
  const same = known.find((one) => one.signing === device.signing && one.encryption === device.encryption);
  if (same) return { kind: "checked", checked: same.checked, ...device };
  const endorser = await followEndorsements(record, plan, device, known);
  if (!endorser) throw new HolderKeysDiffer(plan.holder.name);
  return { kind: "endorsed", checked: endorser.checked, ...device };
}

/** From the plan's device back to one that was checked: each endorsement must be for the device before it. */
async function followEndorsements(record, plan, device, known) {
  let wanted = device;
  for (const { signing_key: key, statement } of plan.endorsements ?? []) {
    const { value } = await call("jws_verify", { jws: statement, type: "countersign-pairing+jwt", key });
    const { aud, username, signing_key: signing, encryption_key: encryption } = value.payload;
    const isMeant = aud === record.trust.publicURL && username === plan.holder.username && signing === wanted.signing
      && (wanted.encryption === undefined || encryption === wanted.encryption);
    if (!isMeant) return undefined;
    const endorser = await thumbprint(key);
    const found = known.find((one) => one.signing === endorser);
    if (found) return found;
    wanted = { signing: endorser };
  }
  return undefined;
}

async function thumbprint(key) {
  return (await call("thumbprint", { key })).value.thumbprint;
}

/** Two administrators may share a browser profile: each has an own memory. */
function place(record, account) {
  return `checked-holder ${record.account} ${account}`;
}
