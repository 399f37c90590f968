// Checks a receipt without a server: every signature, and whether its service is the one that the reader trusts.

import { CoreError } from "../shell/core.js";
import { $, busy, make, time } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { codeValue, showFacts } from "../shell/facts.js";
// Kept by the browser, so that it opens without a network the next time.
import "../shell/install.js";
import { t } from "../shell/translate.js";
import { call } from "./protocol.js";
import { factsOf } from "./words.js";

/** The longest receipt, in bytes: Core refuses longer ones, and nothing larger is read. */
const longest = 1 << 20;
/** A key: 65 bytes in base64url. */
const aKey = /^[A-Za-z0-9_-]{87}$/;

$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#form button"), check);
});
/** How often the form was changed. What is shown is always about what the form says. */
let changes = 0;
$("#form").addEventListener("input", () => {
  changes += 1;
  $("#over").hidden = true;
});
document.documentElement.dataset.state = "ready";

async function check() {
  const [file] = $("#file").files;
  const trusted = $("#key").value.trim();
  const isFine = complain(
    $("#form"), [$("#file"), $("#file-error"), file ? "" : t`Choose the file of the receipt.`],
    [$("#key"), $("#key-error"), !trusted || aKey.test(trusted) ? "" : t`This is no key of a service.`]);
  if (!isFine) return;
  const before = changes;
  const isCurrent = () => changes === before;
  try {
    if (file.size > longest) throw new CoreError("malformed", "");
    await verify(new Uint8Array(await file.arrayBuffer()), trusted, isCurrent);
  } catch (error) {
    // Where the checking code did not come, or stopped, nobody knows anything of the receipt.
    if (!(error instanceof CoreError) || ["unavailable", "trap"].includes(error.code)) throw error;
    if (!isCurrent()) return;
    $("#shown").hidden = true;
    say("no", t`This receipt proves nothing`, t`It was changed, is incomplete, or somebody made it up (${error.code}).`);
  }
}

async function verify(receipt, trusted, isCurrent) {
  // Of a service that nobody vouches for, too: a broken receipt is broken, no matter who made it.
  const { value: sender } = await call("receipt_service", {}, receipt);
  const services = [{ id: sender.service, key: sender.server_key }];
  const { value: found } = await call("receipt", { services }, receipt);
  if (!isCurrent()) return;
  showFacts($("#lines"), factsOf(found.lines).map(([label, text]) => [label, make("bdi", {}, text)]));
  showFacts($("#decided"), [
    [t`Their answer`, answerOf(found)], [t`Decided`, time(found.time)],
    ...found.answers.map((answer) => [t`Signed by`, t`${answer.name}, ${time(answer.time)}`]),
    [t`Key of the service`, codeValue(sender.server_key)],
  ]);
  $("#shown").hidden = false;
  const service = `\u2068${sender.service}\u2069`;
  if (!trusted) {
    return say("unsure", t`Is this the key of ${service}?`, t`All signatures hold under the key below. Compare it with what the service tells you.`);
  }
  if (trusted !== sender.server_key) return say("no", t`This is another service`, t`It was made with another key than the one that you trust.`);
  return say("yes", t`Genuine`, t`${service} asked this, and these devices answered.`);
}

function answerOf({ result, code, reason }) {
  if (result === "approved") return code ? t`Allowed, with the code ${code}` : t`Allowed`;
  return reason === "not-me" ? t`Denied: it was not them` : t`Denied: they did not want it`;
}

function say(mark, title, text) {
  $("#verdict").className = `verdict measure ${mark}`;
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  $("#over").hidden = false;
  $("#over-title").focus();
}
