import Approvals
import EllipticCurves
import Encodings
import Testing

/// Version 2 as `Fixtures/make-approvals.py` sees it.
struct ApprovalFixture {
    let json: JSON
    let suite = PureSuite()

    init() throws { json = try Fixture.json("approvals") }

    func server() throws -> P256PublicKey { try json.key("server") }
    func service() throws -> Bytes { try json.text("service") }

    func trusted() throws -> [TrustedApprovalService] {
        [TrustedApprovalService(id: try service(), key: try server())]
    }

    /// The challenge of a message, checked against the pinned key.
    func challenge(_ message: Bytes) throws -> SignedApprovalChallenge {
        try UnverifiedApprovalChallenge.parse(message).verified(service: service(), key: server(), suite: suite)
    }

    func offer(at now: Int64 = 1_899_999_100) throws -> ApprovalOffer {
        try ApprovalOffer.parse(try json.hex("offer"), at: now, suite: suite)
    }
}

extension JSON {
    func key(_ name: StaticString) throws -> P256PublicKey { try #require(P256PublicKey(x963: try hex(name))) }
}

extension ApprovalChallenge {
    /// The members as Python writes them, bytes in hexadecimal.
    init(_ members: JSON) throws {
        let action = try #require(
            [ApprovalAction.signIn, .pay, .change, .agree].first {
                string($0.name) == string((try? members.text("action")) ?? [])
            })
        let match = try members["match"].map { match in
            // What commits is known from its bytes alone here.
            try MatchSecret(code: Bytes(repeating: 0x30, count: Int(match.number("digits"))), salt: Self.zeros)
        }
        let service = try members.member("service")
        self = try ApprovalChallenge(
            id: members.hex("id"), nonce: members.hex("nonce"),
            service: ApprovalService(id: service.text("id"), name: service.text("name")),
            serverKey: members.key("key"),
            approvers: members.list("approvers").map { try #require($0.string.flatMap { Hex.decode($0) }) },
            need: Int(members.number("need")), action: action,
            fields: members.list("fields").map { try DisplayField(json: $0) },
            match: match?.requirement(suite: Self.committing(try members["match"]?.hex("commitment"))),
            created: members.number("created"), expires: members.number("expires"), replyURL: members.text("reply"))
    }

    private static let zeros = Bytes(repeating: 0, count: 32)

    /// A suite whose hash of anything is the commitment that Python made.
    private static func committing(_ commitment: Bytes?) -> FixedHash { FixedHash(digest: commitment ?? []) }

    private struct FixedHash: CryptoSuite {
        let digest: Bytes
        func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
        func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
        func sha256(_ bytes: Bytes) -> Bytes { digest }
    }
}

extension DisplayField {
    init(json: JSON) throws {
        switch string(try json.text("type")) {
        case "amount":
            self = .amount(try json.number("value"), try #require(Currency(code: try json.text("currency"))))
        case "time": self = .time(try json.number("value"))
        case "payee": self = .payee(try json.text("text"))
        case "account": self = .account(try json.text("text"))
        case "place": self = .place(try json.text("text"))
        case "device": self = .device(try json.text("text"))
        case "text": self = .text(try json.text("text"))
        default: throw Missing()
        }
    }
}

/// A challenge to be changed by tests.
struct ChallengeParts {
    var id = Bytes(repeating: 1, count: 16)
    var nonce = Bytes(repeating: 2, count: 32)
    var name = Bytes(text: "Example Bank")
    var approvers = [Bytes(repeating: 3, count: 32)]
    var need = 1
    var fields: [DisplayField] = [.payee(Bytes(text: "Purple Plumbing"))]
    var created: Int64 = 1_900_000_000
    var expires: Int64 = 1_900_000_120
    var replyURL = Bytes(text: "https://bank.example/")

    func challenge() throws -> ApprovalChallenge {
        let service = try ApprovalService(id: Bytes(text: "bank.example"), name: name)
        let key = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 9, count: 64)))
        return try ApprovalChallenge(
            id: id, nonce: nonce, service: service, serverKey: key, approvers: approvers, need: need, action: .pay,
            fields: fields, match: nil, created: created, expires: expires, replyURL: replyURL)
    }

    func problem() throws -> ChallengeProblem? {
        do {
            _ = try challenge()
            return nil
        } catch let error as ChallengeProblem {
            return error
        }
    }
}

/// Hashes as it should, and takes exactly those signatures for good that it has seen to be good before.
///
/// A thousand spoilt receipts would otherwise wait for our curve in a debug build.
final class LearnedSuite: CryptoSuite {
    private let known: Set<Bytes>

    /// Learns what our curve says about what `body` asks.
    init(_ body: (Recorder) throws -> Void) rethrows {
        let recorder = Recorder()
        try body(recorder)
        known = recorder.good
    }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        known.contains(signature + publicKey + message)
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }

    /// Our curve, and a list of what it took for good.
    final class Recorder: CryptoSuite, @unchecked Sendable {
        fileprivate var good: Set<Bytes> = []

        func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
            guard PureSuite().isValidP256(signature, over: message, publicKey: publicKey) else { return false }
            good.insert(signature + publicKey + message)
            return true
        }

        func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    }
}
