// The organisation's facts, compared with what this browser pinned, and the administrator's own devices and passkeys.

import { $, describe, make } from "../shell/dom.js";
import { mountDevices } from "../accounts/devices.js";
import { checkTrust } from "../accounts/trust.js";
import { start } from "./console.js";

start(async (me) => {
  await Promise.all([showPin(me), mountDevices($("#own-devices"))]);
});

/** The page comes from the server; whether it may be believed says what was pinned at first contact. */
async function showPin({ record }) {
  if (!record) return;
  const say = (kind, text) => $("#pin").replaceChildren(make("div", { class: `notice ${kind}` }, make("p", {}, text)));
  try {
    await checkTrust(record.trust);
    say("success", "Root certificate and log key are the ones that this browser pinned when you joined.");
  } catch (error) {
    if (error.kind === "offline") return;
    say("error", describe(error));
  }
}
