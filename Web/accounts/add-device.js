// One page for both sides of a pairing. Without a code it is for a new device that wants to be added, or it tells a
// device with keys how. With a code in the fragment, a device with keys decides.

import { goToSignIn } from "../shell/api.js";
import { describe, notice } from "../shell/dom.js";
import { currentAccount } from "./here.js";
import { currentRecord } from "./records.js";
import { decide, invite } from "./pairing-endorsement.js";
import { begin, resume } from "./pairing-request.js";

async function start() {
  const account = await currentAccount();
  const record = account && await currentRecord();
  const code = location.hash.slice(1);
  if (code && !account) return goToSignIn();
  if (code) return decide(code, record);
  if (record) return invite();
  return await resume() ?? begin(account);
}

// The same page with another code: a link that was scanned while it was open.
addEventListener("hashchange", () => location.reload());

start().catch((problem) => notice("error", describe(problem)));
