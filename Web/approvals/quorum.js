// How many people have to approve what a service asks, by amount: shown, changed and removed.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, $$, busy, clone, notice } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { t } from "../shell/translate.js";
import { smallestUnits, typedAmount } from "./amounts.js";

/** The most people that a question can be asked, and so the most steps. */
const most = 16;

let count = 0;

/**
 * Fills the part of a service's row that has its quorum.
 *
 * @param run draws the services again
 */
export function drawQuorum(row, service, run) {
  const form = $("[data-quorum]", row);
  const none = $("[data-quorum-none]", row);
  const currency = form.elements.currency;
  label(currency);
  currency.value = service.quorum?.currency ?? "";
  for (const { from, need } of service.quorum?.steps ?? []) {
    addStep(form, typedAmount(from, service.quorum.currency), need);
  }
  form.hidden = !service.quorum;
  none.hidden = Boolean(service.quorum);
  $("[data-act=quorum-end]", form).hidden = !service.quorum;
  $("button", none).addEventListener("click", () => {
    if ($$("li", form).length === 0) addStep(form, "0", 1);
    form.hidden = false;
    none.hidden = true;
    currency.focus();
  });
  $("[data-act=step]", form).addEventListener("click", () => $("input", addStep(form, "", "")).focus());
  const end = $("[data-act=quorum-end]", form);
  end.addEventListener("click", () => busy(end, () => remove(service, run)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("button[type=submit]", form), () => save(service, form, run));
  });
}

function label(input) {
  const field = input.closest(".field");
  count += 1;
  input.id = $("label", field).htmlFor = `quorum-${count}`;
  $(".error", field).id = `quorum-${count}-error`;
  input.setAttribute("aria-describedby", `quorum-${count}-error`);
}

/** The first step is for every amount, so it stays, and begins at 0. */
function addStep(form, from, need) {
  const list = $("[data-steps]", form);
  const isFirst = list.children.length === 0;
  const step = clone("quorum-step");
  $$("input", step).forEach(label);
  const [amount, people] = $$("input", step);
  amount.value = from;
  amount.readOnly = isFirst;
  people.value = need;
  const button = $("button", step);
  button.hidden = isFirst;
  button.addEventListener("click", () => {
    const before = step.previousElementSibling;
    step.remove();
    $("[data-act=step]", form).disabled = false;
    $("[name=need]", before).focus();
  });
  list.append(step);
  $("[data-act=step]", form).disabled = list.children.length >= most;
  return step;
}

const errorOf = (input) => $(".error", input.closest(".field"));

/** The rule as typed; `null` if something is wrong, which is then said where it is. */
function read(form) {
  const currency = form.elements.currency.value.trim().toUpperCase();
  const isCode = /^[A-Z]{3}$/.test(currency);
  const wrong = [[form.elements.currency, isCode ? "" : t`Type the three letters of a currency, such as GBP.`]];
  const steps = [];
  for (const step of $$("[data-steps] > li", form)) {
    const [amount, people] = $$("input", step);
    const from = smallestUnits(amount.value.trim(), currency);
    const need = /^\d{1,2}$/.test(people.value.trim()) ? Number(people.value) : 0;
    const before = steps.at(-1);
    const isLarger = !before || before.from === null || from === null || from > before.from;
    wrong.push([amount, from === null ? t`Type an amount such as 1000.00.` : isLarger ? "" : t`Type a larger amount than before.`]);
    const isMore = !before || need > before.need;
    wrong.push([people, need < 1 || need > most ? t`A whole number from 1 to ${most}.` : isMore ? "" : t`Type more people than before.`]);
    steps.push({ from, need });
  }
  const isGood = complain(form, ...wrong.map(([input, words]) => [input, errorOf(input), words]));
  return isGood ? { currency, steps } : null;
}

const pathOf = (service) => `/api/services/${encodeURIComponent(service.id)}/quorum`;

async function save(service, form, run) {
  const quorum = read(form);
  if (!quorum) return;
  try {
    await api.put(pathOf(service), quorum, { reason: t`Change the quorum of ${service.name}` });
  } catch (problem) {
    if (problem.kind !== "invalid-member") throw problem;
    const place = /^currency/.test(problem.detail) ? form.elements.currency : $("[data-steps] > li:last-child input", form);
    complain(form, [place, errorOf(place), problem.detail]);
    return;
  }
  notice("success", t`The quorum of ${service.name} holds for what it asks from now on.`);
  await run();
}

async function remove(service, run) {
  const answered = await ask({
    title: t`Remove the quorum of ${service.name}?`,
    text: t`Then the service decides how many have to approve. Anyone who has its API key can ask one person for any amount.`,
    confirm: t`Remove the quorum`, cancel: t`Keep it{#quorum}`, danger: true,
  });
  if (!answered) return;
  await api.delete(pathOf(service), { reason: t`Remove the quorum of ${service.name}` });
  notice("success", t`${service.name} decides how many have to approve.`);
  await run();
}
