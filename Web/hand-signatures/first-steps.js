// What a desk that is still empty needs first. The card goes away by itself once a client has signed.

import { api } from "../shell/api.js";
import { $, clone } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** Shows the steps that this role can take. */
export async function showFirstSteps(me, overview) {
  if (overview.signings > 0) return void ($("#next").hidden = true);
  const { has_forensic_key: hasKey } = await api.get("/api/desk/settings");
  const steps = me.may("take_signatures") ? stepsAtTheDesk(overview, hasKey) : ownersSteps(overview, hasKey);
  // Waiting for another person does not block the next step.
  const current = steps.find((step) => !step.done && step.href) ?? steps.find((step) => !step.done);
  $("#next-steps").replaceChildren(...steps.map((step) => {
    const element = clone("next-step", {
      ...step, href: step === current ? step.href : undefined, text: step.done ? "" : step.text, mark: step.done ? `${t`Done:`} ` : "",
    });
    if (step.done) element.className = "done";
    if (step === current) element.setAttribute("aria-current", "step");
    return element;
  }));
  $("#next").hidden = false;
}

function stepsAtTheDesk({ documents, clients }, hasKey) {
  return [
    ...(hasKey ? [] : [{
      title: t`Wait for the forensic key`, done: false,
      text: t`The main administrator sets it once, under Settings, Desk. Until then nobody can sign, but you can prepare templates and clients.`,
    }]),
    {
      title: t`Make a template`, done: documents > 0,
      text: t`Write it here, with places for the client's name, or upload a PDF.`, action: t`Make a template`, href: "/desk/documents",
    },
    {
      title: t`Register a client`, done: clients > 0,
      text: t`See an ID document, and let the client sign six times: five for the template, one to check it.`, action: t`Register a client`,
      href: "/desk/enrol",
    },
    {
      title: t`Have a document signed`, done: false,
      text: t`The client reads the document and signs. You see how alike the signature is, and decide.`, action: t`Have a document signed`,
      href: "/desk/sign",
    },
  ];
}

function ownersSteps({ operators }, hasKey) {
  return [
    {
      title: t`Set the forensic key`, done: hasKey,
      text: t`The movement of every signature is kept sealed to it, for an expert or a court. Until then nobody can sign.`, action: t`See how`,
      href: "/desk/settings",
    },
    {
      title: t`Invite an operator`, done: operators > 0,
      text: t`Operators keep the templates, register clients and have them sign. The link works once.`, action: t`Invite`,
      href: "/desk/operators",
    },
    { title: t`First document signed`, done: false, text: t`An operator has a client sign; it appears here by itself.` },
  ];
}
