import Interface

extension TrustEvent.Kind {
    /// What approvals write into the log.
    static let ofApprovals: [Self] = [
        .serviceAdded, .serviceChanged, .serviceRotated, .serviceRemoved, .approvalDeviceEnrolled,
        .approvalDeviceRemoved, .approvalGiven, .approvalDenied, .approvalsFrozen, .approvalsUnfrozen,
        .approvalBudgetChanged,
        .approvalRecoveryCodes, .approvalRecoveryBegun, .approvalRecoveryEnded,
    ]

    static let serviceAdded = Self("service.added")
    static let serviceChanged = Self("service.changed")
    static let serviceRotated = Self("service.rotated")
    static let serviceRemoved = Self("service.removed")
    static let approvalDeviceEnrolled = Self("approval_device.enrolled")
    static let approvalDeviceRemoved = Self("approval_device.removed")
    static let approvalGiven = Self("approval.given")
    static let approvalDenied = Self("approval.denied")
    static let approvalsFrozen = Self("approvals.frozen")
    static let approvalsUnfrozen = Self("approvals.unfrozen")
    static let approvalBudgetChanged = Self("approvals.budget_changed")
    static let approvalRecoveryCodes = Self("approval_recovery.codes_made")
    static let approvalRecoveryBegun = Self("approval_recovery.begun")
    static let approvalRecoveryEnded = Self("approval_recovery.ended")
}

extension LiveEvent.Kind {
    /// What wallets are told about approvals.
    static let ofApprovals: [Self] = [.approval, .approvalDevice, .approvalRecovery]

    /// A question: asked, and what became of it.
    static let approval = Self("approval")
    /// A device that answers a service: enrolled, removed.
    static let approvalDevice = Self("approval_device")
    /// The way back without a device: codes made, waiting begun or ended.
    static let approvalRecovery = Self("approval_recovery")
}
