// The services that may ask members: added, given another API key or a quorum, let speak version 1, and removed.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, $$, busy, clone, notice } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { start } from "../shell/frame.js";
import { once } from "../shell/once.js";
import { redraw } from "../shell/redraw.js";
import { t } from "../shell/translate.js";
import { drawQuorum } from "./quorum.js";

const run = start(load, []);

async function load() {
  const items = await api.all("/api/services");
  const folds = (element) => $$("details", element);
  const open = new Map($$("#services > li").map((element) => [element.dataset.key, folds(element).map((fold) => fold.open)]));
  redraw($("#services"), items, row);
  // What is unfolded stays so.
  for (const element of $$("#services > li")) {
    folds(element).forEach((fold, index) => { fold.open = open.get(element.dataset.key)?.[index] ?? false; });
  }
  $("#none").hidden = items.length > 0;
}

function row(service) {
  const element = clone("service-row", { ...webhookState(service), ...service });
  const on = (act, run) => {
    const button = $(`[data-act=${act}]`, element);
    button.addEventListener("click", () => busy(button, () => run(service)));
  };
  const form = $("form", element);
  form.elements.url.value = service.webhook ?? "";
  form.elements.url.id = $("label", form).htmlFor = `webhook-${service.id}`;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("button", form), () => changeWebhook(service, form));
  });
  on("rotate", rotate);
  $("[data-act=version]", element).textContent = service.original_key ? t`Refuse old apps` : t`Accept old apps`;
  on("version", version);
  on("remove", remove);
  drawQuorum(element, service, run);
  return element;
}

/** What is known of a service's webhook; what there is none of is not shown. */
function webhookState({ webhook_state: state }) {
  const { last_success: success = null, last_failure: failure = null, next_attempt: next = null } = state ?? {};
  const isFailing = failure !== null && failure >= (success ?? failure);
  return {
    success, failure, next, isFailing, reason: failure === null ? null : reason(state.failure),
    waiting: state?.waiting ? t`Notices that wait: ${state.waiting}` : null,
  };
}

function reason(code) {
  if (code === "unknown-name") return t`Nobody knows its name.`;
  if (code === "not-public") return t`Its name leads to an address that is not public.`;
  const status = /^status-(\d+)$/.exec(code)?.[1];
  return status ? t`It answered with status ${status}.` : t`It did not answer.`;
}

$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#form button[type=submit]"), add);
});

async function add() {
  const domain = $("#domain").value.trim().toLowerCase();
  const name = $("#name").value.trim();
  const webhook = $("#webhook").value.trim() || undefined;
  if (!complain(
    $("#form"), [$("#domain"), $("#domain-error"), domain ? "" : t`Type the domain of the service.`],
    [$("#name"), $("#name-error"), name ? "" : t`Type the name of the service.`])) return;
  try {
    // A key whose answer was lost cannot be shown again, so it is not looked for: it is replaced.
    showKey(await api.post("/api/services", { domain, name, webhook }, { reason: t`Add ${name}` }));
  } catch (problem) {
    const named = /^(name|webhook)/.exec(problem.detail)?.[1] ?? "domain";
    const place = { conflict: "domain", "invalid-member": named }[problem.kind];
    if (!place) throw problem;
    complain($("#form"), [$(`#${place}`), $(`#${place}-error`), wrong[problem.kind === "conflict" ? "taken" : place]]);
    return;
  }
  $("#form").reset();
  await run();
}

/** What is wrong with a field that the server refused. */
const wrong = {
  domain: t`Type a domain, such as bank.example, without https:// and without spaces.`,
  name: t`Type a name in one line, of at most 200 letters.`,
  webhook: t`Type an address that begins with https:// and the name of a public server.`,
  taken: t`There is a service of this domain. Remove it first.`,
};

let isKept = false;
$("[data-copy='#api-key']").addEventListener("click", () => { isKept = true; });
addEventListener("beforeunload", (event) => { if (!isKept && !$("#new-key").hidden) event.preventDefault(); });

function showKey({ service, api_key: key }) {
  $("#new-key-title").textContent = t`API key of ${service.name}`;
  $("#api-key").textContent = key;
  isKept = false;
  $("#new-key").hidden = false;
  $("#new-key-title").focus();
}

$("#key-done").addEventListener("click", async () => {
  if (!isKept && !await ask({
    title: t`Have you kept the key?`, text: t`Nobody can show it again. It can be replaced.`, confirm: t`I have kept it`,
    cancel: t`Show it`,
  })) return;
  $("#api-key").textContent = "";
  $("#new-key").hidden = true;
  $("#services-title").focus();
});

async function changeWebhook(service, form) {
  const url = form.elements.url.value.trim();
  const error = $(".error", form);
  const path = `/api/services/${encodeURIComponent(service.id)}/webhook`;
  const reason = { reason: t`Change the webhook of ${service.name}` };
  error.textContent = "";
  form.elements.url.removeAttribute("aria-invalid");
  try {
    await (url ? api.put(path, { url }, reason) : api.delete(path, reason));
  } catch (problem) {
    if (problem.kind !== "invalid-member") throw problem;
    error.textContent = wrong.webhook;
    form.elements.url.setAttribute("aria-invalid", "true");
    return;
  }
  notice("success", url ? t`${service.name} is told at ${url}.` : t`${service.name} is told nothing any more.`);
  await run();
}

async function rotate(service) {
  const answered = await ask({
    title: t`Replace the API key of ${service.name}?`,
    text: t`The old key ends at once. The service asks nothing until its program has the new one.`,
    confirm: t`Replace it`, cancel: t`Keep it{#key}`, danger: true,
  });
  if (!answered) return;
  showKey(await api.post(`/api/services/${encodeURIComponent(service.id)}/key`, undefined, { reason: t`Replace the API key of ${service.name}` }));
  await run();
}

async function version(service) {
  const accepts = !service.original_key;
  const answered = await ask(accepts ? {
    title: t`Accept old apps of ${service.name}?`,
    text: t`They speak version 1: no code to type, no denial, no receipt. Accept them only while people still have them.`,
    confirm: t`Accept them`, cancel: t`Leave it off`,
  } : {
    title: t`Refuse old apps of ${service.name}?`,
    text: t`They answer nothing any more, and what waits for them is not answered. The service can still ask wallets.`,
    confirm: t`Refuse them`, cancel: t`Leave it on`, danger: true,
  });
  if (!answered) return;
  const path = `/api/services/${encodeURIComponent(service.id)}/version-1`;
  await api.put(path, { accepts }, { reason: t`Change the versions of ${service.name}` });
  notice("success", accepts ? t`${service.name} accepts old apps.` : t`${service.name} refuses old apps.`);
  await run();
}

async function remove(service) {
  const answered = await ask({
    title: t`Remove ${service.name}?`,
    text: t`It asks nothing any more, for ever: added again, it is another service with another key. Receipts stay good.`,
    confirm: t`Remove it`, cancel: t`Keep it{#service}`, danger: true,
  });
  if (!answered) return;
  const path = `/api/services/${encodeURIComponent(service.id)}`;
  await once(
    t`the service was removed`, () => api.delete(path, { reason: t`Remove ${service.name}` }),
    async () => ((await api.all("/api/services")).some(({ id }) => id === service.id) ? undefined : {}));
  notice("success", t`${service.name} asks nothing any more.`);
  await run();
}
