import Interface

extension TrustEvent.Kind {
    /// What approvals write into the log.
    static let ofApprovals: [Self] = [
        .serviceAdded, .serviceChanged, .serviceRotated, .serviceRemoved, .approvalDeviceEnrolled,
        .approvalDeviceRemoved, .approvalGiven, .approvalDenied,
    ]

    static let serviceAdded = Self("service.added")
    static let serviceChanged = Self("service.changed")
    static let serviceRotated = Self("service.rotated")
    static let serviceRemoved = Self("service.removed")
    static let approvalDeviceEnrolled = Self("approval_device.enrolled")
    static let approvalDeviceRemoved = Self("approval_device.removed")
    static let approvalGiven = Self("approval.given")
    static let approvalDenied = Self("approval.denied")
}

extension LiveEvent.Kind {
    /// What wallets are told about approvals.
    static let ofApprovals: [Self] = [.approval, .approvalDevice]

    /// A question: asked, and what became of it.
    static let approval = Self("approval")
    /// A device that answers a service: enrolled, removed.
    static let approvalDevice = Self("approval_device")
}
