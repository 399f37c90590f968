package import Encodings

/// An act that changes trust, as it goes into the log: the type in clear, everything else behind a commitment.
package struct TrustEvent: Sendable {
    /// What happened.
    package enum Kind: String, Sendable {
        case organisationCreated = "organisation.created"
        case deviceEnrolled = "device.enrolled"
        case deviceRevoked = "device.revoked"
        case administratorDelegated = "administrator.delegated"
        case administratorRevoked = "administrator.revoked"
        case memberIdentified = "member.identified"
        case documentIssued = "document.issued"
        case documentRevoked = "document.revoked"
        case documentDeleted = "document.deleted"
        case logPolicyChanged = "log_policy.changed"
        case accountErased = "account.erased"
        case certificateRenewed = "certificate.renewed"
        case certificateRevoked = "certificate.revoked"
        case keyRotated = "key.rotated"
        case clientEnrolled = "client.enrolled"
        case clientReenrolled = "client.enrolled_anew"
        case clientSecondSitting = "client.second_sitting"
        case clientSittingRefused = "client.sitting_refused"
        case clientChanged = "client.changed"
        case clientErased = "client.erased"
        case signingConfirmed = "signing.confirmed"
        case signingRefused = "signing.refused"
        case movementReleased = "movement.released"
        case modelChanged = "model.changed"
        case forensicKeySet = "forensic_key.set"
        case deskChanged = "desk.changed"
        case workspaceChanged = "workspace.changed"
        case workspaceDeleted = "workspace.deleted"
        case operatorBlocked = "operator.blocked"
        case operatorUnblocked = "operator.unblocked"
    }

    package let kind: Kind
    /// The account the act concerns; the log shows a pseudonym of it.
    package let account: String
    /// What the commitment opens to.
    ///
    /// Its member `type` repeats the kind, so that a record proves one thing only.
    package let record: JSON

    /// An event; `members` and the type make up the record.
    package init(_ kind: Kind, account: String, _ members: [(String, JSON)]) {
        self.kind = kind
        self.account = account
        record = .members(members + [("type", .text(kind.rawValue))])
    }

    /// An event about a credential and the place of its status.
    static func credential(_ kind: Kind, account: String, digest: String, uri: String, index: Int64) -> TrustEvent {
        TrustEvent(
            kind, account: account,
            [("credential", .text(digest)), ("status_index", .integer(index)), ("status_uri", .text(uri))])
    }
}
