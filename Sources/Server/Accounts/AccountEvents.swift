import Interface

extension TrustEvent.Kind {
    /// What accounts write into the log.
    static let ofAccounts: [Self] = [
        .organisationCreated, .deviceEnrolled, .deviceRevoked, .administratorDelegated, .administratorRevoked,
        .accountErased, .certificateRenewed, .certificateRevoked, .keyRotated,
        .faceChanged,
    ]

    static let organisationCreated = Self("organisation.created")
    static let deviceEnrolled = Self("device.enrolled")
    static let deviceRevoked = Self("device.revoked")
    static let administratorDelegated = Self("administrator.delegated")
    static let administratorRevoked = Self("administrator.revoked")
    static let accountErased = Self("account.erased")
    static let certificateRenewed = Self("certificate.renewed")
    static let certificateRevoked = Self("certificate.revoked")
    static let keyRotated = Self("key.rotated")
    static let faceChanged = Self("face.changed")
}

extension LiveEvent.Kind {
    /// What pages are told about accounts.
    static let ofAccounts: [Self] = [.account, .delegation, .device, .invitation]

    /// An account: made, verified, erased.
    static let account = Self("account")
    /// A certificate of an administrator: asked for, given, revoked.
    static let delegation = Self("delegation")
    /// A device of an account: added, revoked.
    static let device = Self("device")
    /// An invitation: made, withdrawn.
    static let invitation = Self("invitation")
}
