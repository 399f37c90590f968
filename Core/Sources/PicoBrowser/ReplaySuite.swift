import BrowserCalls
import EllipticCurves
import Encodings
import Pico

/// The cryptography of one call: what the page brought, and the public-key checks and hashes of `Core`.
///
/// AES and shared secrets are looked up among the answers that WebCrypto has given in earlier calls. An answer counts only for
/// exactly the operation, key, IV and bytes that it was asked for. So a run that comes to other bytes than before asks again,
/// and never goes on with what belongs to something else.
final class ReplaySuite: PicoCryptoSuite, @unchecked Sendable {
    /// What WebCrypto is to compute.
    struct Question: Equatable {
        /// What is computed.
        enum Operation: CaseIterable {
            case seal, open, agree

            /// What a page calls it.
            var name: StaticString {
                switch self {
                case .seal: "seal"
                case .open: "open"
                case .agree: "agree"
                }
            }
        }

        let operation: Operation
        let key: Bytes
        let iv: Bytes
        let bytes: Bytes
    }

    /// The most answers of one call: a run has four, a turn of a session one.
    static let maximumAnswers = 8
    /// The most random bytes of one call.
    static let maximumRandom = 1_024

    /// The run's own key, of which WebCrypto holds the secret half; `nil` on the curves that it lacks.
    private let ephemeral: ECPublicKey?
    private let answers: [(question: Question, result: Bytes?)]
    // A call is answered on one thread from its beginning to its end, and its suite ends with it.
    private var random: Bytes
    private(set) var missing: Question?

    /// Reads `random` and `answers`, `[{operation, key, iv, bytes, result}]`; a result is null if a tag did not hold.
    init(_ call: Call, ephemeral: ECPublicKey? = nil) throws(BrowserError) {
        self.ephemeral = ephemeral
        random = call.optional("random") == nil ? [] : try call.bytes("random")
        guard random.count <= Self.maximumRandom else {
            throw BrowserError("too_large", member: "random", "is longer than allowed.")
        }
        var answers: [(question: Question, result: Bytes?)] = []
        for answer in try call.array("answers", maximumCount: Self.maximumAnswers) {
            let name = answer["operation"]?.string ?? []
            guard let operation = Question.Operation.allCases.first(where: { name.equals($0.name) }) else {
                throw BrowserError("wrong_type", member: "answers", "has an operation that nobody asked for.")
            }
            let question = Question(
                operation: operation, key: try Call.messageBytes(answer["key"], "key"),
                iv: try Call.messageBytes(answer["iv"], "iv"), bytes: try Call.messageBytes(answer["bytes"], "bytes"))
            let hasResult = answer["result"] != nil && answer["result"] != .null
            answers.append((question, hasResult ? try Call.messageBytes(answer["result"], "result") : nil))
        }
        self.answers = answers
    }

    /// What the page has to compute before it calls again.
    var need: Answer? {
        guard let missing else { return nil }
        return Answer([
            ("step", .literal("need")), ("operation", .literal(missing.operation.name)),
            ("key", .base64URL(missing.key)), ("iv", .base64URL(missing.iv)), ("bytes", .base64URL(missing.bytes)),
        ])
    }

    func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        result(Question(operation: .seal, key: key, iv: iv, bytes: plaintext))
    }

    func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        guard let plaintext = result(Question(operation: .open, key: key, iv: iv, bytes: sealed)),
            plaintext.count + 16 == sealed.count
        else { return nil }
        return plaintext
    }

    /// The page's random bytes, one after the other; none if there are too few, and then the run fails.
    func randomBytes(_ count: Int) -> Bytes {
        guard random.count >= count else { return [] }
        let taken = Array(random.prefix(count))
        random.removeFirst(count)
        return taken
    }

    /// The point of the key that WebCrypto holds.
    ///
    /// The number that stands for its secret half here is random, and used for nothing.
    func publicPoint(of scalar: Bytes, on curve: EllipticCurve) -> Bytes? {
        #if !ONLY_P256
            if ephemeral == nil { return try? ECPrivateKey(curve, scalar: scalar).publicKey.x963 }
        #endif
        guard let ephemeral, ephemeral.curve == curve else { return nil }
        return ephemeral.x963
    }

    func sharedSecret(of key: ECPrivateKey, with peer: ECPublicKey) -> Bytes? {
        #if !ONLY_P256
            if ephemeral == nil { return try? key.sharedSecret(with: peer) }
        #endif
        guard let ephemeral, ephemeral.curve == peer.curve else { return nil }
        return result(Question(operation: .agree, key: ephemeral.x963, iv: [], bytes: peer.x963))
    }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        PureSuite().isValidP256(signature, over: message, publicKey: publicKey)
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }

    private func result(_ question: Question) -> Bytes? {
        for answer in answers where answer.question == question { return answer.result }
        missing = missing ?? question
        return nil
    }
}
