// What was scanned: read by Core, and what this page says to each kind.

import { CoreError, utf8 } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { callOld } from "./old-curves.js";
import { call } from "./protocol.js";

/**
 * Reads the text of a code.
 *
 * @param how with `old`, codes of services on old curves too: then `isOld`, and the caller asks whether the service is one
 * @returns `{type, name?, host, channel, address, commitment, fingerprint, curve, isOld}` of one that this page can run, or
 *   `{refusal}`, words
 */
export async function readCode(text, { old = false } = {}) {
  let code;
  try {
    ({ value: code } = await call("code", {}, utf8(text)));
    if (old && code.reason === "old-curve") ({ value: code } = await callOld("code", { old }, utf8(text)));
  } catch (error) {
    if (!(error instanceof CoreError) || error.code === "unavailable") throw error;
    return { refusal: refused[error.code] ?? refused.malformed };
  }
  if (code.decision !== "run") return { refusal: declined[code.reason] };
  const place = `${code.scheme}://${code.host}${code.port ? `:${code.port}` : ""}`;
  return { ...code, address: `${place}/channel/${code.channel}`, isOld: Boolean(code.curve) && code.curve !== "p256" };
}

const refused = {
  malformed: t`This is not a code to sign in or pair with. Scan the code of a sign-in page.`,
  invalid_signature: t`Somebody has changed this code: its signature does not hold. Let the page show a new one.`,
  invalid_key: t`The key in this code is none. Let the page show a new code.`,
  unsupported_code: t`This is a kind of code that nobody uses any more. Nothing was done.`,
};

const declined = {
  "replays-passwords": t`This code wants your wallet to type a password into a web site. Countersign does not do that: the browser that shows the code could send the password anywhere.`,
  "serves-passwords": t`This code pairs a browser that asks for passwords. Countersign hands out no passwords, so there is nothing to pair.`,
  bluetooth: t`The computer waits for your wallet over Bluetooth, which this page cannot use. Let it use the network, or sign in there in another way.`,
  tcp: t`The computer waits at a port that pages cannot reach. Use the wallet of the command line: countersign wallet scan.`,
  "old-curve": t`This service uses a kind of key that this page does not take. Nothing was done.`,
};

/** Why a run ended, in words that say what to do. */
export const ends = {
  wrong_service: t`Another service answered than the one that you paired with. Nothing was told to it. Do not scan this code again.`,
  invalid_signature: t`The other side could not prove who it is. Nothing was told to it. Let the page show a new code.`,
  invalid_mac: t`The other side could not prove who it is. Nothing was told to it. Let the page show a new code.`,
  cannot_open: t`A message was changed on its way. Let the page show a new code, and scan again.`,
  malformed: t`The other side does not speak this protocol. Let it show a new code.`,
  rejected: t`The service did not accept this wallet. If you have removed it there, pair it again.`,
  timed_out: t`It took too long. Let the page show a new code, and scan again.`,
  old_curve: t`The service answered with a key on another curve than its code or its pairing has. Nothing was told to it.`,
};
