// What the log's entries mean to the person they are about.

/** By the entry's type: a few words, and the icon that stands beside them. */
const acts = {
  "organisation.created": { words: "The organisation was set up", icon: "organisation" },
  "device.enrolled": { words: "A device with keys of yours was added", icon: "devices" },
  "device.revoked": { words: "A device of yours was revoked", icon: "devices" },
  "administrator.delegated": { words: "You were certified as an administrator", icon: "delegation" },
  "administrator.revoked": { words: "A certificate of yours was revoked", icon: "delegation" },
  "member.identified": { words: "Your identity was checked face to face", icon: "identity" },
  "document.issued": { words: "A document was issued to you", icon: "sign" },
  "document.revoked": { words: "A document of yours was revoked", icon: "document" },
  "document.deleted": { words: "You deleted a document", icon: "trash" },
  "account.erased": { words: "You erased a person", icon: "trash" },
  "log_policy.changed": { words: "The log policy was changed: which keys and witnesses sign the log", icon: "log" },
  "certificate.revoked": { words: "A certificate of the main administrator was revoked", icon: "delegation" },
  "key.rotated": { words: "A key of the server was changed", icon: "log" },
  "certificate.renewed": { words: "A certificate that the root gives was renewed", icon: "delegation" },
  "client.enrolled": { words: "A client was registered at the desk", icon: "sign" },
  "client.enrolled_anew": { words: "A client was enrolled again at the desk", icon: "sign" },
  "client.second_sitting": { words: "A client gave the signatures of a second visit", icon: "sign" },
  "client.sitting_refused": { words: "A signature of a second visit was refused", icon: "sign" },
  "client.changed": { words: "A client's name was changed", icon: "sign" },
  "client.erased": { words: "A client was forgotten", icon: "trash" },
  "signing.confirmed": { words: "A signature by hand was confirmed", icon: "sign" },
  "signing.refused": { words: "A signature by hand was refused", icon: "sign" },
  "movement.released": { words: "A sealed movement was handed out", icon: "document" },
  "desk.changed": { words: "You changed what the desk may do", icon: "delegation" },
  "face.changed": { words: "You changed the organisation's logo, colour or imprint", icon: "organisation" },
  "forensic_key.set": { words: "You set the forensic key", icon: "delegation" },
  "model.changed": { words: "A model for comparing signatures was changed", icon: "sign" },
  "workspace.changed": { words: "You wrote a document template of the desk", icon: "document" },
  "workspace.deleted": { words: "You deleted a document template of the desk", icon: "trash" },
  "operator.blocked": { words: "Your account was blocked", icon: "delegation" },
  "operator.unblocked": { words: "Your account was unblocked", icon: "delegation" },
};

/** The same acts where nobody may know whose they are. */
const publicActs = {
  ...acts,
  "device.enrolled": { words: "A device was added", icon: "devices" },
  "device.revoked": { words: "A device was revoked", icon: "devices" },
  "administrator.delegated": { words: "An administrator was certified", icon: "delegation" },
  "administrator.revoked": { words: "An administrator's certificate was revoked", icon: "delegation" },
  "member.identified": { words: "A member was identified", icon: "identity" },
  "document.issued": { words: "A document was issued", icon: "sign" },
  "document.revoked": { words: "A document was revoked", icon: "document" },
  "document.deleted": { words: "A document was deleted by its holder", icon: "trash" },
  "account.erased": { words: "A person was erased", icon: "trash" },
  "desk.changed": { words: "What the desk may do was changed", icon: "delegation" },
  "face.changed": { words: "The organisation's logo, colour or imprint was changed", icon: "organisation" },
  "forensic_key.set": { words: "The forensic key was set", icon: "delegation" },
  "workspace.changed": { words: "A document template of the desk was written", icon: "document" },
  "workspace.deleted": { words: "A document template of the desk was deleted", icon: "trash" },
  "operator.blocked": { words: "An operator was blocked", icon: "delegation" },
  "operator.unblocked": { words: "An operator was unblocked", icon: "delegation" },
};

// A newer server may log what this page does not know yet.
const unknown = (type) => ({ words: type, icon: "log" });

export const ownAct = (type) => acts[type] ?? unknown(type);
export const publicAct = (type) => publicActs[type] ?? unknown(type);
