public import Encodings

/// A challenge as it travels: the statement and the server's signature, which nobody has checked yet.
public struct UnverifiedApprovalChallenge: Sendable, Equatable {
    /// The longest message, in bytes.
    public static let maximumLength = ApprovalChallenge.maximumLength + 128

    /// The statement, word for word.
    public let statement: Bytes
    /// The signature: r and s, 32 bytes each.
    public let signature: Bytes
    /// What the statement says.
    public let challenge: ApprovalChallenge

    /// Reads a message: the list of `challenge`, statement and signature.
    ///
    /// - Throws: `malformed`.
    public static func parse(_ message: Bytes) throws(ApprovalError) -> UnverifiedApprovalChallenge {
        let (statement, signature) = try SignedStatement.parse(
            message, name: "challenge", maximumLength: maximumLength)
        return UnverifiedApprovalChallenge(
            statement: statement, signature: signature, challenge: try ApprovalChallenge.parse(statement))
    }

    /// The challenge, if the service is the one that was enrolled with, and its signature covers every word.
    ///
    /// - Parameters:
    ///   - service: the id that the device keeps since its enrolment.
    ///   - key: the service's key that it keeps.
    /// - Throws: `unsupportedKey` for another service or key, `invalidSignature`.
    public func verified<Suite: CryptoSuite>(
        service: Bytes, key: P256PublicKey, suite: Suite
    ) throws(ApprovalError) -> SignedApprovalChallenge {
        guard challenge.service.id == service, challenge.serverKey == key else { throw .unsupportedKey }
        guard suite.isValidP256(signature, over: statement, publicKey: key.x963) else { throw .invalidSignature }
        return SignedApprovalChallenge(challenge: challenge, statement: statement, signature: signature)
    }
}

/// A challenge whose signature is good.
public struct SignedApprovalChallenge: Sendable, Equatable {
    /// What is asked.
    public let challenge: ApprovalChallenge
    /// The statement, word for word.
    public let statement: Bytes
    /// The server's signature.
    public let signature: Bytes

    init(challenge: ApprovalChallenge, statement: Bytes, signature: Bytes) {
        self.challenge = challenge
        self.statement = statement
        self.signature = signature
    }

    /// A challenge that the server has just signed with its own key.
    public init(signing challenge: ApprovalChallenge, signature: Bytes) {
        self.init(challenge: challenge, statement: challenge.statement(), signature: signature)
    }

    /// The message that travels.
    public func encoded() -> Bytes { SignedStatement.encode("challenge", statement, signature) }

    /// The bytes that a device signs to answer.
    ///
    /// Everybody who allows signs the same bytes, on every device.
    /// - Throws: `malformed` when a code is there and none is asked for, or none is there, or its length is another.
    public func bytesToSign<Suite: CryptoSuite>(
        _ decision: ApprovalDecision, suite: Suite
    ) throws(ApprovalError) -> Bytes {
        guard decision.fits(challenge.match) else { throw .malformed }
        let dictionary = decision.dictionary(shown: challenge.shown(suite: suite))
        return ApprovalStatement.device(decision.label, answering: statement, dictionary)
    }
}

/// A message of a name, a statement and a signature.
enum SignedStatement {
    static func encode(_ name: StaticString, _ statement: Bytes, _ signature: Bytes) -> Bytes {
        var writer = BencodeWriter(capacity: statement.count + 112)
        writer.beginList()
        writer.text(name)
        writer.string(statement)
        writer.string(signature)
        writer.end()
        return writer.bytes
    }

    static func parse(
        _ message: Bytes, name: StaticString, maximumLength: Int
    ) throws(ApprovalError) -> (statement: Bytes, signature: Bytes) {
        guard let parts = try? Bencode.parse(message, maximumLength: maximumLength, maximumDepth: 1, maximumCount: 8),
            let list = parts.list, list.count == 3, list[0].string?.equals(name) == true,
            let statement = list[1].string, let signature = list[2].string, signature.count == 64
        else { throw .malformed }
        return (statement, signature)
    }
}
