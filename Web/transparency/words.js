// The meaning of the log's entries for the person they are about.

import { plain } from "../shell/list-source.js";
import { t } from "../shell/translate.js";

/** By the entry's type: a few words, and the icon beside them. */
const acts = {
  "organisation.created": { words: t`The organisation was set up`, icon: "organisation" },
  "device.enrolled": { words: t`A device with keys of yours was added`, icon: "devices" },
  "device.revoked": { words: t`A device of yours was revoked`, icon: "devices" },
  "administrator.delegated": { words: t`You were certified as an administrator`, icon: "delegation" },
  "administrator.revoked": { words: t`A certificate of yours was revoked`, icon: "delegation" },
  "member.identified": { words: t`Your identity was checked face to face`, icon: "identity" },
  "document.issued": { words: t`A document was issued to you`, icon: "sign" },
  "document.revoked": { words: t`A document of yours was revoked`, icon: "document" },
  "document.deleted": { words: t`You deleted a document`, icon: "trash" },
  "account.erased": { words: t`You erased a person`, icon: "trash" },
  "log_policy.changed": { words: t`The log policy was changed: which keys and witnesses sign the log`, icon: "log" },
  "certificate.revoked": { words: t`A certificate of the main administrator was revoked`, icon: "delegation" },
  "key.rotated": { words: t`A key of the server was changed`, icon: "log" },
  "certificate.renewed": { words: t`A certificate that the root gives was renewed`, icon: "delegation" },
  "client.enrolled": { words: t`A client was registered at the desk`, icon: "sign" },
  "client.enrolled_anew": { words: t`A client was enrolled again at the desk`, icon: "sign" },
  "client.second_sitting": { words: t`A client gave the signatures of a second visit`, icon: "sign" },
  "client.sitting_refused": { words: t`A signature of a second visit was refused`, icon: "sign" },
  "client.changed": { words: t`A client's name or fields were changed`, icon: "sign" },
  "client.erased": { words: t`A client was forgotten`, icon: "trash" },
  "signing.confirmed": { words: t`A signature by hand was confirmed`, icon: "sign" },
  "signing.refused": { words: t`A signature by hand was refused`, icon: "sign" },
  "movement.released": { words: t`A sealed movement was handed out`, icon: "document" },
  "desk.changed": { words: t`You changed what the desk may do`, icon: "delegation" },
  "face.changed": { words: t`You changed the organisation's logo, colour or imprint`, icon: "organisation" },
  "forensic_key.set": { words: t`You set the forensic key`, icon: "delegation" },
  "model.changed": { words: t`A model for comparing signatures was changed`, icon: "sign" },
  "workspace.changed": { words: t`You wrote a document template of the desk`, icon: "document" },
  "workspace.deleted": { words: t`You deleted a document template of the desk`, icon: "trash" },
  "operator.blocked": { words: t`Your account was blocked`, icon: "delegation" },
  "operator.unblocked": { words: t`Your account was unblocked`, icon: "delegation" },
  "service.added": { words: t`You added a service that asks for approvals`, icon: "organisation" },
  "service.changed": { words: t`You changed how a service may ask`, icon: "organisation" },
  "service.rotated": { words: t`You replaced the API key of a service`, icon: "organisation" },
  "service.removed": { words: t`You removed a service that asks for approvals`, icon: "trash" },
  "approval_device.enrolled": { words: t`A device of yours was enrolled at a service`, icon: "devices" },
  "approval_device.removed": { words: t`You removed a device of yours from a service`, icon: "devices" },
  "approval.given": { words: t`You approved what a service asked`, icon: "sign" },
  "approval.denied": { words: t`You denied what a service asked`, icon: "sign" },
  "approvals.frozen": { words: t`You froze approvals`, icon: "key" },
  "approvals.unfrozen": { words: t`You let services ask you again`, icon: "key" },
  "approvals.budget_changed": { words: t`You changed how often you may be asked`, icon: "key" },
  "approval_recovery.codes_made": { words: t`You made recovery codes for approvals`, icon: "key" },
  "approval_recovery.begun": { words: t`You said that your devices for approvals are lost`, icon: "key" },
  "approval_recovery.ended": { words: t`You ended the waiting for lost devices`, icon: "key" },
  "vault.created": { words: t`You set up your vault`, icon: "key" },
  "vault.slot_changed": { words: t`You changed a way to open your vault`, icon: "key" },
  "vault.slot_removed": { words: t`You removed a way to open your vault`, icon: "key" },
  "vault.contact_asked": { words: t`Your emergency contact asked for your vault`, icon: "key" },
  "vault.contact_refused": { words: t`You said no to your emergency contact`, icon: "key" },
  "vault.removed": { words: t`You removed your vault`, icon: "trash" },
};

/** The same acts where nobody may know whose they are. */
const publicActs = {
  ...acts,
  "device.enrolled": { words: t`A device was added`, icon: "devices" },
  "device.revoked": { words: t`A device was revoked`, icon: "devices" },
  "administrator.delegated": { words: t`An administrator was certified`, icon: "delegation" },
  "administrator.revoked": { words: t`An administrator's certificate was revoked`, icon: "delegation" },
  "member.identified": { words: t`A member was identified`, icon: "identity" },
  "document.issued": { words: t`A document was issued`, icon: "sign" },
  "document.revoked": { words: t`A document was revoked`, icon: "document" },
  "document.deleted": { words: t`A document was deleted by its holder`, icon: "trash" },
  "account.erased": { words: t`A person was erased`, icon: "trash" },
  "desk.changed": { words: t`What the desk may do was changed`, icon: "delegation" },
  "face.changed": { words: t`The organisation's logo, colour or imprint was changed`, icon: "organisation" },
  "forensic_key.set": { words: t`The forensic key was set`, icon: "delegation" },
  "workspace.changed": { words: t`A document template of the desk was written`, icon: "document" },
  "workspace.deleted": { words: t`A document template of the desk was deleted`, icon: "trash" },
  "operator.blocked": { words: t`An operator was blocked`, icon: "delegation" },
  "operator.unblocked": { words: t`An operator was unblocked`, icon: "delegation" },
  "service.added": { words: t`A service that asks for approvals was added`, icon: "organisation" },
  "service.changed": { words: t`It was changed how a service may ask`, icon: "organisation" },
  "service.rotated": { words: t`The API key of a service was replaced`, icon: "organisation" },
  "service.removed": { words: t`A service that asks for approvals was removed`, icon: "trash" },
  "approval_device.enrolled": { words: t`A device was enrolled at a service`, icon: "devices" },
  "approval_device.removed": { words: t`A device was removed from a service`, icon: "devices" },
  "approval.given": { words: t`Somebody approved what a service asked`, icon: "sign" },
  "approval.denied": { words: t`Somebody denied what a service asked`, icon: "sign" },
  "approvals.frozen": { words: t`Approvals of an account were frozen`, icon: "key" },
  "approvals.unfrozen": { words: t`Approvals of an account were unfrozen`, icon: "key" },
  "approvals.budget_changed": { words: t`Somebody changed how often they may be asked`, icon: "key" },
  "approval_recovery.codes_made": { words: t`Recovery codes for approvals were made`, icon: "key" },
  "approval_recovery.begun": { words: t`Somebody lost their devices for approvals`, icon: "key" },
  "approval_recovery.ended": { words: t`The waiting for lost devices was ended`, icon: "key" },
  "vault.created": { words: t`A vault was set up`, icon: "key" },
  "vault.slot_changed": { words: t`A way to open a vault was changed`, icon: "key" },
  "vault.slot_removed": { words: t`A way to open a vault was removed`, icon: "key" },
  "vault.contact_asked": { words: t`An emergency contact asked for a vault`, icon: "key" },
  "vault.contact_refused": { words: t`An emergency contact was refused`, icon: "key" },
  "vault.removed": { words: t`A vault was removed`, icon: "trash" },
};

// A newer server may log what this page does not know yet.
const unknown = (type) => ({ words: type, icon: "log" });

export const ownAct = (type) => acts[type] ?? unknown(type);
export const publicAct = (type) => publicActs[type] ?? unknown(type);

/**
 * The types of acts that a search finds by their words, in the reader's language: each word of the search begins one of
 * them. Null when it has no words.
 */
export function ownTypes(search) {
  const wanted = wordsOf(search);
  if (wanted.length === 0) return null;
  return Object.keys(acts).filter((type) => {
    const words = wordsOf(acts[type].words);
    return wanted.every((beginning) => words.some((word) => word.startsWith(beginning)));
  });
}

/** The words of a text, without case and accents. */
const wordsOf = (text) => plain(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
