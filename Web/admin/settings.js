// The organisation's facts, compared with what this browser pinned, and the main administrator's certificate.

import { $, describe, fill, make } from "../shell/dom.js";
import { follow } from "../accounts/trust.js";
import { utf8 } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { save } from "../transparency/save.js";
import { start } from "./console.js";
import { showFace } from "./face.js";
import { showOwnCertificate } from "./own-certificate.js";

start(async (me) => {
  await Promise.all([showPin(me), showOwnCertificate(me), showFace(me)]);
});

/** The page comes from the server; whether it may be believed says what was pinned at first contact. */
async function showPin({ record }) {
  if (!record) return;
  const say = (kind, text) => $("#pin").replaceChildren(make("div", { class: `notice ${kind}` }, make("p", {}, text)));
  try {
    const { logKey, policyVersion = 0 } = await follow();
    if (policyVersion > 0) showPolicy(logKey, policyVersion);
    say("success", policyVersion > 0
      ? t`The root certificate is the one that this browser pinned when you joined, and the main administrator has
        signed the log policy.`
      : t`Root certificate and log key are the ones that this browser pinned when you joined.`);
  } catch (error) {
    if (error.kind === "offline") return;
    say("error", describe(error));
  }
}

/** Which keys and witnesses count; people who check receipts pin this instead of the log key. */
function showPolicy(text, version) {
  fill($("#policy"), { version });
  $("#policy-text").textContent = text;
  $("#policy-save").addEventListener("click", () => save(utf8(text), "policy.txt", "text/plain"));
  $("#policy").hidden = false;
}
