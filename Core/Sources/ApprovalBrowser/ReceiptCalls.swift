import Approvals
import BrowserCalls
import EllipticCurves
import Encodings

extension ApprovalBrowser {
    /// What anybody can check later, without a server.
    static let receipts = [
        Function("receipt_service", [], blobs: 1...1, receiptService),
        Function("receipt", ["services"], blobs: 1...1, checkReceipt),
    ]

    /// A receipt → `{service, server_key}`, which nobody has checked: a page asks whether the reader trusts it.
    private static func receiptService(_ call: Call) throws(BrowserError) -> Answer {
        guard let service = TrustedApprovalService(of: call.blobs[0]) else {
            throw BrowserError(ApprovalReceiptError.malformed)
        }
        return Answer([("service", .string(service.id)), ("server_key", .base64URL(service.key.x963))])
    }

    /// A receipt and `{services: [{id, key}]}`, those that the reader trusts → `{lines, result, code?, reason?, scope?,
    /// answers: [{account, key, name, time}], created, expires, time}`.
    private static func checkReceipt(_ call: Call) throws(BrowserError) -> Answer {
        var services: [TrustedApprovalService] = []
        for one in try call.array("services", maximumCount: 1_000) {
            let service = Call(arguments: one, blobs: [])
            try service.check(members: ["id", "key"], blobs: 0...0)
            services.append(
                TrustedApprovalService(
                    id: try service.text("id", maximum: 253), key: try service.approvalKey("key")))
        }
        let receipt: VerifiedApprovalReceipt
        do throws(ApprovalReceiptError) {
            receipt = try ApprovalReceipt.verify(call.blobs[0], trusting: services, suite: PureSuite())
        } catch {
            throw BrowserError(error)
        }
        let answers = receipt.answers.map { answer in
            JSON.members([
                ("account", .base64URL(answer.account)), ("key", .base64URL(answer.device.x963)),
                ("name", .string(answer.name)), ("time", .integer(answer.time)),
            ])
        }
        return Answer(
            [("service", .string(receipt.challenge.service.id)), ("lines", json(receipt.lines))]
                + decided(receipt.decision) + [
                    ("answers", .array(answers)), ("created", .integer(receipt.challenge.created)),
                    ("expires", .integer(receipt.challenge.expires)), ("time", .integer(receipt.time)),
                ])
    }

    private static func decided(_ decision: ApprovalDecision) -> [(String, JSON)] {
        switch decision {
        case .allow(let code):
            [("result", .literal("approved")), ("code", code.map { .string($0) } ?? .null)]
        case .deny(let reason, let scope):
            [("result", .literal("denied")), ("reason", .literal(reason.name)), ("scope", .literal(scope.name))]
        }
    }
}
