// Which key and witnesses sign the log: the log key alone, or the policy that the main administrator has signed.

import { call } from "../shell/core.js";

/**
 * The log of an `Organisation`, with the policy's signature checked.
 *
 * @param root of the organisation, DER in base64url
 * @returns `{logKey, policyVersion, policyCertified}`; `logKey` is the log's verifier key, or the text of the policy with
 *   that version, signed under a certificate that holds since then
 */
export async function logOf({ log_key: logKey, log_policy: policy }, root) {
  if (!policy) return { logKey, policyVersion: 0, policyCertified: 0 };
  const { statement, certificate } = policy;
  const time = Math.floor(Date.now() / 1000);
  const { value } = await call("log_policy", { root, statement, certificate, time });
  return { logKey: value.policy, policyVersion: value.version, policyCertified: value.certified };
}
