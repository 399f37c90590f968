// Set-up: the organisation gets its name, its root and its main administrator, whose keys are made here.

import { Problem, api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { fromB64u } from "../shell/core.js";
import { $, group, time } from "../shell/dom.js";
import { onFragment } from "../shell/fragment.js";
import { t } from "../shell/translate.js";
import { fillIn, rules } from "./form.js";
import { JoiningForm } from "./joining-form.js";
import { currentTrust, pin, refuseOtherAddress, verifyReceipt } from "./trust.js";

const form = $("#form");
// Also when the link is opened in a tab that shows this page already.
onFragment((code) => fillIn(form, "code", code));

/** The server's answer before there was an organisation: it must say the same afterwards. */
let before = null;

new JoiningForm({
  form,
  path: "/api/setup",
  wanted: {
    code: rules.code, organisation: rules.organisation, given_name: rules.givenName, family_name: rules.familyName,
    username: rules.username,
  },
  fields: { "wrong-code": "code" },
  trust: unsetTrust,
  authority: { make: true, send: true },
  more: ({ code, organisation, given_name, family_name }) => ({ code, organisation, parts: { given_name, family_name } }),
  done,
});

async function unsetTrust() {
  before = await api.get("/api/organisation");
  if (before.is_set_up) {
    throw new Problem("conflict", { detail: t`This organisation is set up already. Sign in instead.` });
  }
  refuseOtherAddress(before.public_url);
  await agreeToAddress();
  const known = await currentTrust();
  if (known) await replace(known);
  return { publicURL: before.public_url, logKey: before.log_key };
}

let isAgreed = false;

/** The address is in everything that is ever signed here, so it is asked for once, before anything is made. */
async function agreeToAddress() {
  isAgreed ||= Boolean(await ask({
    title: t`This address is permanent`,
    text: t`${before.public_url} is in every certificate and document of your organisation and can never be changed. For
      another address, stop here and start the server with --public-url.`,
    confirm: t`Use this address`, cancel: t`Stop here`,
  }));
  if (!isAgreed) throw new Problem("cancelled", { detail: t`Nothing was done.` });
}

/** This browser knows an organisation at this address, and the server says that there is none. */
async function replace(known) {
  const answer = await ask({
    title: t`Another organisation was here`,
    text: t`This browser knows ${known.organisation} at this address. If its server was started again with empty data, go
      on; otherwise something is wrong, and you should stop.`,
    confirm: t`It was started again`,
    danger: true,
  });
  if (!answer) throw new Problem("cancelled", { detail: t`Nothing was done.` });
}

async function done({ answer, session = answer?.session, joining }) {
  const organisation = answer?.organisation ?? await api.get("/api/organisation");
  if (organisation.public_url !== before.public_url || organisation.log_key !== before.log_key) {
    throw new Problem("trust", { detail: t`The server changed its address or its log key while you were working. Do not go on.` });
  }
  const trust = await pin(organisation, { replace: true });
  // After an answer that was lost, what it said is asked for.
  const certificate = answer?.certificate ?? (await api.get("/api/authority")).items[0];
  checkCertificate(certificate, joining.record.keys.authority.publicKey);
  await joining.finish(session, { trust, certificate });
  const created = answer
    ? await verifyReceipt(answer.receipt.proof, { type: "organisation.created", trust }) : await loggedCreation(trust);
  show(trust, created);
}

/** The certificate must be for the key that was made here. The point is in it as it is. */
function checkCertificate(certificate, publicKey) {
  const text = (bytes) => String.fromCharCode(...bytes);
  if (text(fromB64u(certificate)).includes(text(fromB64u(publicKey)))) return;
  throw new Problem("trust", { detail: t`The main administrator's certificate is not for the key of this browser.` });
}

async function loggedCreation(trust) {
  const entry = await api.find("/api/log/mine", ({ type }) => type === "organisation.created");
  return entry ? verifyReceipt(entry.receipt.proof, { type: entry.type, trust }) : null;
}

function show(trust, created) {
  // The code is used up: it need not stay in the address.
  history.replaceState(null, "", location.pathname);
  form.hidden = true;
  $("#step-form").classList.add("done");
  $("#step-form").removeAttribute("aria-current");
  $("#step-fingerprint").setAttribute("aria-current", "step");
  $("#fingerprint").textContent = group(trust.fingerprint);
  if (created) {
    $("#logged").textContent = t`Entry ${created.index} of the log says so since ${time(created.time)}; this browser has
      checked it.`;
  }
  $("#fingerprint-card").hidden = false;
  $("#step-fingerprint h2").focus();
  $("#on").addEventListener("click", () => {
    if ($("#written").checked) location.replace("/console");
    else {
      $("#written-error").textContent = t`Tick the box when you have written it down.`;
      $("#written").focus();
    }
  });
}
