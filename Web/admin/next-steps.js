// What a console that is still empty needs next. The card goes away by itself when everything was done once.

import { api } from "../shell/api.js";
import { $, clone } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** Shows the steps of this role, and answers what they rest on. */
export async function showNextSteps(me) {
  const [staff, members, requests, delegations] = await Promise.all([
    api.get("/api/members?show=staff&limit=10"), numbers("/api/members"), numbers("/api/requests"), api.all("/api/delegations"),
  ]);
  const facts = {
    hasAdministrator: staff.items.some((one) => one.role === "administrator"),
    hasMembers: members("verified") + members("unverified") > 0,
    hasVerified: members("verified") > 0,
    hasOpen: requests("open") > 0,
    hasIssued: requests("issued") > 0,
    pending: delegations.filter((one) => one.state === "pending"),
    isCertified: delegations.some((one) => one.state === "certified"),
  };
  const steps = me.account.role === "owner" ? ownersSteps(facts) : administratorsSteps(facts);
  // A later step proves the earlier ones, even if a certificate has been revoked since.
  const isFinished = steps.every((step) => step.done);
  $("#next").hidden = isFinished;
  if (isFinished) return facts;
  const current = steps.find((step) => !step.done);
  $("#next-steps").replaceChildren(...steps.map((step) => {
    const element = clone("next-step", {
      ...step, href: step === current ? step.href : undefined, text: step.done ? "" : step.text, mark: step.done ? `${t`Done:`} ` : "",
    });
    if (step.done) element.className = "done";
    if (step === current) element.setAttribute("aria-current", "step");
    return element;
  }));
  return facts;
}

/** How many rows a list has in each part, by name. */
async function numbers(path) {
  const { counts = [] } = await api.get(`${path}?limit=1`);
  return (part) => counts.find(({ show }) => show === part)?.total ?? 0;
}

function ownersSteps(facts) {
  return [
    { title: t`Set the organisation up`, done: true },
    {
      title: t`Invite an administrator`, done: facts.hasAdministrator,
      text: t`You keep the organisation's authority; administrators check people and sign. The link works once.`,
      action: t`Invite`, href: "/console/delegation#invite",
    },
    {
      title: t`Certify the administrator's key`, done: facts.isCertified,
      text: facts.pending.length > 0
        ? t`${facts.pending[0].account.name} asks for it. Have the fingerprint read out to you, compare it, and sign.`
        : t`The administrator asks for it on their own console; the request then appears here by itself.`,
      action: facts.pending.length > 0 ? t`Compare and certify` : t`See administrators`, href: "/console/delegation",
    },
    {
      title: t`First member checked face to face`, done: facts.hasVerified,
      text: facts.hasMembers
        ? t`An administrator meets the member, looks at an ID document and compares six digits.`
        : t`Members sign up by themselves on the first page; then an administrator meets them.`,
      action: t`See members`, href: "/console/members",
    },
    { title: t`First document sent`, done: facts.hasIssued, text: t`A member asks, an administrator signs.` },
  ];
}

function administratorsSteps(facts) {
  const isAsked = facts.pending.length > 0;
  return [
    { title: t`Join as an administrator`, done: true },
    {
      title: t`Have your key certified`, done: facts.isCertified,
      text: isAsked
        ? t`You have asked. Read the fingerprint to the main administrator, by telephone or in person.`
        : t`Verifiers trust your signature because the main administrator has certified your key. Ask for it.`,
      action: isAsked ? t`Show the fingerprint` : t`Ask for it`, href: "/console/delegation",
    },
    {
      title: t`Check the first member face to face`, done: facts.hasVerified,
      text: t`The member opens “Identity” in the wallet on the phone, and shows you the code.`,
      action: t`Start a check`, href: "/console/check",
    },
    {
      title: t`Sign the first document`, done: facts.hasIssued,
      text: facts.hasOpen
        ? t`A request is waiting in the list below.` : t`Requests appear below by themselves.`,
    },
  ];
}
