// The way back for somebody who has lost every device that answers services: codes on paper, or three days of waiting.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { now } from "../shell/clock.js";
import { $, busy, make, notice, time } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { save } from "../transparency/save.js";

const path = "/api/approvals/recovery";
/** What the page shows: `{codes, codes_from, wait}`. */
let shown = null;
/** Codes that were made just now, and whether they were kept. */
let made = [];
let areSaved = false;
addEventListener("beforeunload", (event) => { if (made.length > 0 && !areSaved) event.preventDefault(); });

const isLater = (moment) => moment > now();

/** Draws what there is. */
export function drawRecovery(recovery) {
  shown = recovery;
  const { codes, codes_from: from, wait } = recovery;
  $("#codes-text").textContent = codes > 0
    ? [plural(codes, "You have {0} recovery code.", "You have {0} recovery codes."), isLater(from) ? t`They work from ${time(from)}.` : ""].join(" ")
    : t`With a recovery code you can add another device after losing all others. Make some now and keep them on paper.`;
  $("#waiting").hidden = !wait;
  $("#begin-wait").hidden = Boolean(wait);
  if (wait) {
    $("#waiting-text").textContent = t`Somebody with your account said that all your devices are lost. From ${time(wait.opens)} to ${time(wait.closes)} another device can be added. Was it not you? Then stop it.`;
  }
}

$("#make-codes").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  if (shown.codes > 0 && !await ask({
    title: t`Make other recovery codes?`, text: t`Those that you have end at once. The new ones work in three days.`,
    confirm: t`Make others`, cancel: t`Keep mine`,
  })) return;
  const { codes, from } = await api.post(`${path}/codes`, undefined, { reason: t`Make recovery codes` });
  made = codes;
  areSaved = false;
  $("#codes").replaceChildren(...codes.map((code) => make("li", {}, make("span", { class: "fingerprint" }, code))));
  $("#new-codes-text").textContent = t`Print them or write them down: nobody shows them again. Each works once, from ${time(from)}.`;
  $("#new-codes").hidden = false;
  $("#recovery-actions").hidden = true;
  $("#new-codes-title").focus();
  drawRecovery(await api.get(path));
}));

$("#save-codes").addEventListener("click", () => {
  areSaved = true;
  save(new TextEncoder().encode(`${made.join("\n")}\n`), "recovery-codes.txt");
});

$("#codes-done").addEventListener("click", async () => {
  if (!areSaved && !await ask({
    title: t`Have you kept the codes?`, text: t`Nobody can show them again.`, confirm: t`I have kept them`,
    cancel: t`Show them`,
  })) return;
  made = [];
  $("#codes").replaceChildren();
  $("#new-codes").hidden = true;
  $("#recovery-actions").hidden = false;
  $("#make-codes").focus();
});

$("#begin-wait").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  if (!await ask({
    title: t`Are all your devices lost?`,
    text: t`In three days you can add a new one with a code of the service, and those that are lost end there. Every device of your account sees this and can end it.`,
    confirm: t`Begin to wait`, cancel: t`Leave it`,
  })) return;
  drawRecovery(await api.post(path, undefined, { reason: t`Add a device without another one's word` }));
}));

$("#end-wait").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  drawRecovery(await api.delete(path));
  notice("success", t`It is ended. Nobody gets in that way.`);
}));
