import Encodings
import EllipticCurves
import Foundation
import Interface

/// What the server has told the service's webhook: that something is over.
///
/// The notice names it and says nothing of what it was about. Fetch the approval or its receipt.
public struct Notice: Equatable, Sendable {
    public enum Subject: Equatable, Sendable {
        case approval(Approval.State)
        case enrolment(Enrolment.State)
    }
    /// Of the approval or the enrolment.
    public let id: String
    public let subject: Subject
    /// When it ended, in seconds since 1970.
    public let time: Int64
    /// The same whenever this notice comes again: what was done for it need not be done twice.
    public let idempotencyKey: String
}

/// Why a request to a webhook is not one of the server's.
public enum NoticeError: Error, Equatable, Sendable {
    /// A field of the signature is missing or has another form.
    case malformed
    /// It was signed too long ago, or the clocks differ by more than five minutes.
    case wrongTime
    /// Somebody else sent it, or it was changed.
    case badSignature
}

/// Checks what comes to a service's webhook.
///
/// ```swift
/// let webhook = Webhook(url: "https://bank.example/countersign", of: service)
/// let notice = try webhook.notice(field: { request.headers[$0] }, body: body)
/// // Answer 200, then fetch what it is about.
/// ```
public struct Webhook: Sendable {
    /// Seconds by which the clocks of both servers may differ, the way included.
    public static let tolerance: Int64 = 300
    /// Most bytes of a body.
    public static let maximumLength = 4_096
    private let url: String
    private let service: PinnedService

    /// - Parameter url: exactly as it was registered, which is what the server signs.
    public init(url: String, of service: PinnedService) {
        (self.url, self.service) = (url, service)
    }

    /// Checks a POST request.
    ///
    /// - Parameters:
    ///   - field: the request's field of this name, which is in small letters.
    ///   - body: as it came.
    ///   - now: in seconds since 1970; `nil` for this machine's clock.
    public func notice(
        field: (String) -> String?, body: [UInt8], now: Int64? = nil
    ) throws(NoticeError) -> Notice {
        guard body.count <= Self.maximumLength,
            let notice = try? JSONDecoder().decode(
                ApprovalNotice.self, from: Data(body)), let subject = Notice.Subject(notice),
            let created = field("signature-input").flatMap(Self.created),
            let signature = field("signature").flatMap(Self.signature)
        else { throw .malformed }
        let expected = NoticeSignature(
            url: url, body: body, key: notice.idempotencyKey, domain: service.domain, created: created)
        // The parts are all fixed, so what is signed is known before anything is read.
        guard field("signature-input") == "\(NoticeSignature.label)=\(expected.parameters)",
            field("content-type") == NoticeSignature.contentType,
            field("content-digest") == expected.contentDigest, field("idempotency-key") == expected.idempotencyKey,
            PureSuite().isValidP256(signature, over: expected.base, publicKey: service.key.x963)
        else { throw .badSignature }
        let now = now ?? Int64(Date().timeIntervalSince1970)
        guard abs(now - created) <= Self.tolerance else { throw .wrongTime }
        return Notice(id: notice.id, subject: subject, time: notice.time, idempotencyKey: notice.idempotencyKey)
    }

    private static func created(_ input: String) -> Int64? {
        guard let mark = input.range(of: ");created=") else { return nil }
        let digits = input[mark.upperBound...].prefix { $0 != ";" }
        guard (1...12).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(digits)
    }

    private static func signature(_ text: String) -> Bytes? {
        let (start, end) = ("\(NoticeSignature.label)=:", ":")
        guard text.hasPrefix(start), text.hasSuffix(end), text.utf8.count > start.utf8.count else { return nil }
        let bytes = Base64.decode(Bytes(text.utf8.dropFirst(start.utf8.count).dropLast()), .standard)
        return bytes.flatMap { $0.count == 64 ? $0 : nil }
    }
}

extension Notice.Subject {
    init?(_ notice: ApprovalNotice) {
        switch notice.kind {
        case .challenge:
            guard let state = Approval.State(rawValue: notice.state) else { return nil }
            self = .approval(state)
        case .enrolment:
            guard let state = Enrolment.State(rawValue: notice.state) else { return nil }
            self = .enrolment(state)
        }
    }
}
