// Hands in an answer that a device without a network has signed: its signature is all that the server needs.

import { scanButton } from "../scanner/scan-button.js";
import { Problem, api } from "../shell/api.js";
import { CoreError, b64u } from "../shell/core.js";
import { $, busy, describe } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { onFragment } from "../shell/fragment.js";
import { t } from "../shell/translate.js";
import { collector } from "./parts.js";
import { call } from "./protocol.js";

const outcomes = {
  approved: { mark: "yes", title: t`Allowed`, text: t`The service has the answer.` },
  denied: { mark: "no", title: t`Denied`, text: t`The service has the answer, and nothing happens.` },
  pending: { mark: "unsure", title: t`Counted`, text: t`Others have to allow it too.` },
};

$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#form button[type=submit]"), () => take($("#code").value.trim()));
});
scanButton(
  $("#scan"), { title: t`Scan the answer`, hint: t`The code that the device without a network shows.`, more: collector }, take);
document.documentElement.dataset.state = "ready";
onFragment((text) => {
  history.replaceState(history.state, "", location.pathname);
  $("#code").value = text;
  busy($("#form button[type=submit]"), () => take(text));
});

async function take(text) {
  const refuse = (words) => { complain($("#form"), [$("#code"), $("#code-error"), words]); };
  if (!text) return refuse(t`Scan the code, or paste it here.`);
  let message;
  try {
    const { value: { kind }, blobs } = await call("read_link", { text: text.replace(/^web\+/, "") });
    if (kind !== "answer") throw new CoreError("not_a_link", "");
    [message] = blobs;
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    return refuse(t`This is not an answer that a device has signed.`);
  }
  try {
    show(await api.post("/api/approvals/answers", { message: b64u(message) }));
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    refuse(describe(problem));
  }
  return undefined;
}

function show({ state }) {
  const { mark, title, text } = outcomes[state] ?? outcomes.pending;
  $("#verdict").className = `verdict measure ${mark}`;
  $("#over-title").textContent = title;
  $("#over-text").textContent = text;
  $("#ask").hidden = true;
  $("#over").hidden = false;
  $("#over-title").focus();
}

$("#again").addEventListener("click", () => {
  $("#code").value = "";
  $("#over").hidden = true;
  $("#ask").hidden = false;
  $("#code").focus();
});
