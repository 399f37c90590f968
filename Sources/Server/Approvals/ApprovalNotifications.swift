import Approvals

extension NotificationKind {
    /// What approvals tell those who answer.
    static let ofApprovals = [approval, protection]

    /// A service asks for an approval.
    static let approval = Self(name: "approval", page: "/wallet/approval", urgency: .high)
    /// Services may ask again that were kept from it, or somebody looks for the way back without a device.
    static let protection = Self(
        name: "protection", page: "/wallet/approvals/services", isSecurity: true, urgency: .high)
}

extension ApprovalChallenge {
    /// Who asks, and for what: no amount, no code, and nothing that the service wrote but its name.
    var noticeDetail: NotificationDetail {
        let sentence: NotificationDetail.Sentence =
            switch action {
            case .signIn: .asksToSignIn
            case .pay: .asksToPay
            case .change: .asksToChange
            case .agree: .asksToAgree
            }
        return NotificationDetail(sentence, service.neutralName)
    }
}

extension ApprovalService {
    /// The name as people see it in a question, with nothing in it that hides or turns the text around.
    var neutralName: String { String(decoding: ApprovalRendering.neutralised(name), as: UTF8.self) }
}
