// Receipts: the log's proof that an act was recorded (C2SP tlog-proof), checked here under the log key that this
// browser pinned when it joined. An act is done when its receipt is.

import { utf8 } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { save } from "./save.js";

// A page is read more often than something is done in it.
const pinned = () => import("../accounts/trust.js");

/** A receipt that does not prove what it should. */
export class BadReceipt extends Error {
  constructor(cause) {
    const what = cause.code === "receipt_unwitnessed"
      ? t`Fewer witnesses have signed the server's receipt than the organisation's log policy asks for.`
      : t`The server's receipt does not prove this.`;
    const advice = t`Treat it as not done, and tell the operator: it is faulty, or somebody is tampering with the log.`;
    super(`${what} ${advice}`, { cause });
    this.name = "BadReceipt";
  }
}

/**
 * Verifies a receipt.
 *
 * @param trust as pinned: `device().trust`
 * @param receipt `{proof}`, as the server gives it
 * @param type of the act, such as `document.issued`
 * @param members what its record must say, such as `{credential: digest}`
 * @returns `{index, time, type, record, origin}`
 */
export async function verifyReceipt(trust, receipt, type, members = {}) {
  const { follow, verifyReceipt: verify } = await pinned();
  try {
    return await verify(receipt.proof, { type, members, trust });
  } catch (error) {
    if (error.code === "unavailable") throw error;
    // Since this page knows of it the main administrator may have signed a log policy with other keys.
    const newer = await follow().catch(() => null);
    if (!newer || newer.logKey === trust.logKey) throw new BadReceipt(error);
    return verify(receipt.proof, { type, members, trust: newer }).catch((again) => { throw new BadReceipt(again); });
  }
}

/** Writes a receipt out as the file that other programs check. */
export function saveReceipt(receipt, name) {
  save(utf8(receipt.proof), `${name}.tlog-proof`, "text/plain");
}
