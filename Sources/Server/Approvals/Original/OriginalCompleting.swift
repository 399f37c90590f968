import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// A wallet has answered whether an app of version 1 may answer for its owner, too.
struct OriginalCompleting {
    let environment: Environment

    /// Enrols the app if the question was about one and was approved; ends the enrolment if it was denied.
    ///
    /// - Parameter device: the wallet's device that answered.
    /// - Returns: the log's entry, if an app was enrolled.
    func settle(
        _ question: ApprovalQuestion, by device: ApprovalDeviceStore.Stored, in transaction: Transaction, now: Int64
    ) throws -> Int64? {
        let enrolments = OriginalEnrolmentStore(transaction: transaction)
        guard question.row.state != .pending, var row = try enrolments.find(question: question.row.id) else {
            return nil
        }
        guard question.row.state == .approved, row.state(at: now) == .proven, let key = row.publicKey,
            let service = try ApprovalServiceStore(transaction: transaction).find(id: row.service)?.info,
            service.originalKey != nil
        else {
            row.state = .ended
            try enrolments.update(row)
            return nil
        }
        let store = OriginalDeviceStore(transaction: transaction)
        let others = try store.active(label: row.label).filter { $0.publicKey != key }.count
        let devices = try ApprovalDeviceStore(transaction: transaction).active(label: row.label).count
        guard others + devices < Limits.approvalDevices else { throw ApprovalRefusal.tooManyDevices }
        guard try OriginalAnswering.isFree(key, for: row.account, in: transaction) else {
            throw ApprovalError.unsupportedKey
        }
        let use = OriginalDeviceStore.Use(
            id: environment.newIdentifier(), service: row.service, label: row.label, account: row.account,
            device: device.device, publicKey: key, created: now)
        try store.insert(use, token: row.token, newID: environment.newIdentifier())
        try environment.notify(
            .device, row.account, saying: NotificationDetail(.answererAdded, service.asking.neutralName),
            in: transaction, now: now)
        row.state = .completed
        try enrolments.update(row)
        return try environment.log.record(.ofApp(.approvalDeviceEnrolled, use), in: transaction, now: now)
    }
}

extension TrustEvent {
    /// An event about an app of version 1: under a pseudonym of the account at this service.
    static func ofApp(_ kind: Kind, _ use: OriginalDeviceStore.Use) -> TrustEvent {
        TrustEvent(kind, account: use.account, in: use.service, [("public_key", .text(use.publicKey))])
    }
}
