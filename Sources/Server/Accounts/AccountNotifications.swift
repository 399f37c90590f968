extension NotificationKind {
    /// What accounts tell their owners.
    static let ofAccounts = [session, device, access]

    /// A session was ended: after failed confirmations, or from another session.
    static let session = Self(name: "session", page: "/wallet/devices")
    /// A device was added or removed.
    static let device = Self(name: "device", page: "/wallet/devices", isSecurity: true, urgency: .high)
    /// The ways to sign in, or the addresses that get these notices, have changed.
    static let access = Self(name: "access", page: "/wallet/devices", isSecurity: true, urgency: .high)
}
