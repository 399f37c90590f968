import Interface

extension TrustEvent.Kind {
    /// What hand signatures write into the log.
    static let ofHandSignatures: [Self] = [
        .clientEnrolled, .clientReenrolled, .clientSecondSitting, .clientSittingRefused, .clientChanged,
        .clientErased, .signingConfirmed, .signingRefused, .movementReleased, .modelChanged, .forensicKeySet,
        .deskChanged, .workspaceChanged, .workspaceDeleted, .operatorBlocked, .operatorUnblocked,
    ]

    static let clientEnrolled = Self("client.enrolled")
    static let clientReenrolled = Self("client.enrolled_anew")
    static let clientSecondSitting = Self("client.second_sitting")
    static let clientSittingRefused = Self("client.sitting_refused")
    static let clientChanged = Self("client.changed")
    static let clientErased = Self("client.erased")
    static let signingConfirmed = Self("signing.confirmed")
    static let signingRefused = Self("signing.refused")
    static let movementReleased = Self("movement.released")
    static let modelChanged = Self("model.changed")
    static let forensicKeySet = Self("forensic_key.set")
    static let deskChanged = Self("desk.changed")
    static let workspaceChanged = Self("workspace.changed")
    static let workspaceDeleted = Self("workspace.deleted")
    static let operatorBlocked = Self("operator.blocked")
    static let operatorUnblocked = Self("operator.unblocked")
}

extension LiveEvent.Kind {
    /// What pages are told about hand signatures.
    static let ofHandSignatures: [Self] = [.handover, .signing]

    /// A hand-over of a capture to a phone.
    static let handover = Self("handover")
    /// A transaction: pending, confirmed, refused.
    static let signing = Self("signing")
}
