// An administrator's certification: the chain that goes into everything they sign, checked against the pinned root.

import { api } from "../shell/api.js";
import { call } from "../shell/core.js";
import { t } from "../shell/translate.js";

const purposes = { identify_members: "identity", sign_documents: "documents" };

const refusals = {
  identify_members: t`The main administrator has not certified this device's key to identify members, or the certificate
    has ended. Ask for it under Administrators.`,
  sign_documents: t`The main administrator has not certified this device's key to sign documents, or the certificate has
    ended. Ask for it under Administrators.`,
};

/** This wallet may not sign that. */
export class NotCertified extends Error {
  constructor(capability) {
    super(refusals[capability]);
  }
}

/** Seconds since 1970. */
export function now() {
  return Math.floor(Date.now() / 1000);
}

/**
 * The certificates of this wallet and of its issuer, leaf first, valid now for the capability.
 *
 * @returns `{chain, name, organisation}`: the name as certified, and what the organisation is called today
 * @throws NotCertified
 */
export async function certifiedChain(record, capability) {
  const items = await api.all("/api/delegations");
  const key = record.publicKeys.authority;
  for (const delegation of items) {
    if (delegation.state !== "certified" || delegation.authority_key !== key) continue;
    if (!delegation.capabilities.includes(capability)) continue;
    const path = await validPath(record.trust, delegation.chain, capability);
    if (path && path.public_key === key) {
      return { chain: delegation.chain, name: path.name, organisation: (await api.get("/api/organisation")).name };
    }
  }
  throw new NotCertified(capability);
}

/** The core's answer about a chain that holds now for the capability, or `null`. */
export async function validPath(trust, chain, capability) {
  try {
    const { value } = await call("chain", { root: trust.root, chain, purpose: purposes[capability], time: now() });
    return value;
  } catch {
    return null;
  }
}
