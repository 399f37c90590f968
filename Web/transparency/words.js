// The meaning of the log's entries for the person they are about.

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
  "service.changed": { words: t`You changed which versions a service speaks`, icon: "organisation" },
  "service.rotated": { words: t`You replaced the API key of a service`, icon: "organisation" },
  "service.removed": { words: t`You removed a service that asks for approvals`, icon: "trash" },
  "approval_device.enrolled": { words: t`A device of yours was enrolled at a service`, icon: "devices" },
  "approval_device.removed": { words: t`You removed a device of yours from a service`, icon: "devices" },
  "approval.given": { words: t`You approved what a service asked`, icon: "sign" },
  "approval.denied": { words: t`You denied what a service asked`, icon: "sign" },
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
  "service.changed": { words: t`It was changed which versions a service speaks`, icon: "organisation" },
  "service.rotated": { words: t`The API key of a service was replaced`, icon: "organisation" },
  "service.removed": { words: t`A service that asks for approvals was removed`, icon: "trash" },
  "approval_device.enrolled": { words: t`A device was enrolled at a service`, icon: "devices" },
  "approval_device.removed": { words: t`A device was removed from a service`, icon: "devices" },
  "approval.given": { words: t`Somebody approved what a service asked`, icon: "sign" },
  "approval.denied": { words: t`Somebody denied what a service asked`, icon: "sign" },
};

// A newer server may log what this page does not know yet.
const unknown = (type) => ({ words: type, icon: "log" });

export const ownAct = (type) => acts[type] ?? unknown(type);
export const publicAct = (type) => publicActs[type] ?? unknown(type);
