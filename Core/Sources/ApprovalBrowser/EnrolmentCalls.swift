import Approvals
import BrowserCalls
import EllipticCurves
import Encodings

extension ApprovalBrowser {
    /// Enrolling a device with a service; each takes the offer as a blob.
    static let enrolment = [
        Function("offer", ["time"], blobs: 1...1, readOffer),
        Function("enrolment_bytes", ["time", "name", "key", "by"], blobs: 1...1, enrolmentBytes),
        Function(
            "enrolment", ["time", "name", "key", "by", "signature", "handover"], blobs: 1...1, makeEnrolment),
        Function("confirmation", ["service", "server_key", "key"], blobs: 2...2, readConfirmation),
    ]

    /// `{time}` → `{id, service, name, account, server_key, created, expires, reply}`, when the offer is signed by its key
    /// and its time is not over.
    private static func readOffer(_ call: Call) throws(BrowserError) -> Answer {
        let offer = try offer(call)
        return Answer([
            ("id", .base64URL(offer.id)), ("service", .string(offer.service.id)), ("name", .string(offer.service.name)),
            ("account", .base64URL(offer.account)), ("server_key", .base64URL(offer.serverKey.x963)),
            ("created", .integer(offer.created)), ("expires", .integer(offer.expires)),
            ("reply", .string(offer.replyURL)),
        ])
    }

    /// `{time, name, key, by?}`: the device's name and new key, and the key of the device that hands over → `{code}`, the
    /// six digits that both screens show, and the bytes to sign as a blob.
    private static func enrolmentBytes(_ call: Call) throws(BrowserError) -> Answer {
        let offer = try offer(call)
        let enrolment = try enrolment(call, offer)
        return Answer(
            [("code", .string(enrolment.code(offer, suite: PureSuite())))], blobs: [enrolment.bytesToSign(offer)])
    }

    /// The same with `{signature, handover?}` → the message, as a blob.
    private static func makeEnrolment(_ call: Call) throws(BrowserError) -> Answer {
        let offer = try offer(call)
        let enrolment = try enrolment(call, offer)
        let bytes = enrolment.bytesToSign(offer)
        let signature = try call.bytes("signature", count: 64)
        try check(signature, of: enrolment.key, over: bytes)
        var handover: Bytes?
        if let voucher = enrolment.voucher {
            let given = try call.bytes("handover", count: 64)
            try check(given, of: voucher, over: bytes)
            handover = given
        }
        return Answer(blobs: [enrolment.encoded(signature: signature, handover: handover)])
    }

    /// `{service, server_key, key}`, as the wallet knows them → `{account, name, time}`, when that server confirms this key
    /// for this service.
    ///
    /// Blobs: the statement of a confirmation, and its signature.
    private static func readConfirmation(_ call: Call) throws(BrowserError) -> Answer {
        let service = try call.text("service", maximum: 253)
        let serverKey = try call.approvalKey("server_key")
        let key = try call.approvalKey("key")
        let confirmation: DeviceConfirmation
        do throws(ApprovalError) {
            confirmation = try DeviceConfirmation.parse(call.blobs[0])
        } catch {
            throw BrowserError(error)
        }
        try check(call.blobs[1], of: serverKey, over: call.blobs[0])
        guard confirmation.serverKey == serverKey, confirmation.service.id == service, confirmation.device == key else {
            throw BrowserError("other_device", "The confirmation is for another device or service.")
        }
        return Answer([
            ("account", .base64URL(confirmation.account)), ("name", .string(confirmation.name)),
            ("time", .integer(confirmation.time)),
        ])
    }

    private static func offer(_ call: Call) throws(BrowserError) -> ApprovalOffer {
        let time = try call.number("time")
        do throws(ApprovalError) {
            return try ApprovalOffer.parse(call.blobs[0], at: time, suite: PureSuite())
        } catch {
            throw BrowserError(error)
        }
    }

    private static func enrolment(_ call: Call, _ offer: ApprovalOffer) throws(BrowserError) -> DeviceEnrolment {
        let name = try call.text("name", maximum: 100)
        let key = try call.approvalKey("key")
        let voucher = call.optional("by") == nil ? nil : try call.approvalKey("by")
        do throws(ApprovalError) {
            return try DeviceEnrolment(offer: offer, name: name, key: key, voucher: voucher)
        } catch {
            throw BrowserError(error)
        }
    }
}
