extension NotificationKind {
    /// What approvals tell those who answer.
    static let ofApprovals = [approval, protection]

    /// A service asks for an approval.
    static let approval = Self(name: "approval", page: "/wallet/approval", urgency: .high)
    /// Services may ask again that were kept from it, or somebody looks for the way back without a device.
    static let protection = Self(
        name: "protection", page: "/wallet/approvals/services", isSecurity: true, urgency: .high)
}
