extension Page {
    /// What services ask, and which services may.
    static let ofApprovals = [
        Page(
            "/wallet/approvals", "approvals/approvals", "What services ask you",
            at: .init(
                .wallet, 28, "Approvals", icon: "check", tab: "Requests",
                also: "/wallet/approval /wallet/approvals/handover",
                needs: .answerServices)),
        Page(
            "/wallet/approvals/services", "approvals/services", "Which services may ask you, and how often",
            at: .init(
                tabOf: "/wallet/approvals", in: .wallet, 29, "Services", also: "/wallet/approvals/add",
                needs: .answerServices)),
        Page("/wallet/approvals/add", "approvals/add", "Let a service ask you", asks: .camera),
        Page("/wallet/approvals/handover", "approvals/handover", "Let a new device answer a service"),
        Page("/hand-in", "approvals/hand-in", "Hand in what a device without a network has signed", asks: .camera),
        Page("/receipt", "approvals/receipt", "Check the receipt of an approval, in the browser alone"),
        Page("/wallet/approval", "approvals/approval", "One question, and your answer"),
        Page(
            "/console/services", "approvals/apps", "Services that may ask members",
            at: .init(.settings, 101, "Connected apps", icon: "link", needs: .manageServices)),
    ]
}
