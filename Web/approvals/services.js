// Which services may ask, with which devices one answers, how often, freezing it all, and the way back without a device.

import { listed } from "../accounts/mine.js";
import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, busy, clone, notice, time } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { showAge, start } from "../shell/frame.js";
import { redraw } from "../shell/redraw.js";
import { t } from "../shell/translate.js";
import { enrolled, forget } from "./keeping.js";
import { drawRecovery } from "./recovery.js";

/** What may be asked in an hour, at most. */
const most = { perService: 60, together: 240 };

let keys = [];
let isTyping = false;

const run = start(load, ["approval", "approval_device", "approval_recovery"]);

async function load() {
  const [devices, settings, recovery] = await Promise.all([
    listed("/api/approvals/devices"), api.get("/api/approvals/settings"), api.get("/api/approvals/recovery")]);
  const asking = await api.all("/api/approvals/handovers").catch(() => []);
  keys = await enrolled();
  showAge([devices]);
  redraw($("#devices"), devices.items, (one) => row(one, devices.items));
  $("#asking").hidden = asking.length === 0;
  $("#none").hidden = devices.items.length > 0;
  if (!isTyping) {
    $("#per-service").value = settings.per_service;
    $("#together").value = settings.together;
  }
  drawRecovery(recovery);
  $("#freeze").hidden = Boolean(settings.frozen);
  $("#unfreeze").hidden = !settings.frozen;
  $("#freeze-text").textContent = settings.frozen
    ? t`Frozen since ${time(settings.frozen)}. No service can ask you anything.`
    : t`If somebody asks in your name, freeze approvals: no service can ask you anything until you unfreeze them.`;
}

function row(one, devices) {
  const mine = keys.find(({ publicKey }) => publicKey === one.public_key);
  const element = clone("device-row", { ...one, isHere: Boolean(mine) });
  const isLast = devices.filter(({ domain }) => domain === one.domain).length === 1;
  const button = $("button", element);
  button.addEventListener("click", () => busy(button, () => remove(one, mine, isLast)));
  return element;
}

async function remove(one, mine, isLast) {
  const answered = await ask({
    title: t`Remove ${one.name} from ${one.service}?`,
    text: isLast
      ? t`No device of yours answers this service then. To come back you need a recovery code, or three days.`
      : t`It can no longer answer this service. You can add it again with a code of the service.`,
    confirm: t`Remove it`, cancel: t`Keep it{#device}`, danger: true,
  });
  if (!answered) return;
  await api.delete(`/api/approvals/devices/${encodeURIComponent(one.id)}`, { reason: t`Remove a device that answers ${one.service}` });
  if (mine) await forget(mine.name);
  notice("success", t`${one.name} no longer answers ${one.service}.`);
  await run();
}

// An installed wallet has these links by its manifest.
$("#links").hidden = !navigator.registerProtocolHandler || matchMedia("(display-mode: standalone)").matches;
$("#open-links").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  navigator.registerProtocolHandler("web+authreq", `${location.origin}/wallet/approvals/add#%s`);
  // No page learns what the person answers.
  $("#links-asked").textContent = t`Allow it if your browser asks. If it does not ask, its settings for this site decide.`;
}));

$("#form").addEventListener("input", () => { isTyping = true; });
$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#keep"), saveBudget);
});

async function saveBudget() {
  const read = (field, maximum) => {
    const number = Number(field.value);
    return Number.isInteger(number) && number >= 1 && number <= maximum ? number : null;
  };
  const perService = read($("#per-service"), most.perService);
  const together = read($("#together"), most.together);
  const words = (number, maximum) => (number === null ? t`A whole number from 1 to ${maximum}.` : "");
  if (!complain(
    $("#form"), [$("#per-service"), $("#per-service-error"), words(perService, most.perService)],
    [$("#together"), $("#together-error"), words(together, most.together)])) return;
  await api.put("/api/approvals/settings", { per_service: perService, together }, { reason: t`Change how often you may be asked` });
  isTyping = false;
  notice("success", t`Saved.`);
  await run();
}

$("#freeze").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const answered = await ask({
    title: t`Freeze approvals?`, text: t`All waiting questions are refused, and no service can ask you anything until you unfreeze them.`,
    confirm: t`Freeze`, cancel: t`Leave it`, danger: true,
  });
  if (!answered) return;
  await api.put("/api/approvals/freeze");
  await run();
}));
$("#unfreeze").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  await api.delete("/api/approvals/freeze", { reason: t`Let services ask you again` });
  notice("success", t`Services can ask you again.`);
  await run();
}));
