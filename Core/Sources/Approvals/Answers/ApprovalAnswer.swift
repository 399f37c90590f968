public import Encodings

/// A device that may answer: its key, and the account that it was enrolled for.
public struct EnrolledApprovalDevice: Sendable, Equatable {
    /// The device's key for this service; no other service sees it.
    public let key: P256PublicKey
    /// The label of the account at this service, 32 bytes.
    public let account: Bytes

    /// A device as it was stored.
    public init(key: P256PublicKey, account: Bytes) {
        self.key = key
        self.account = account
    }
}

/// An answer as it travels; nobody has checked the signature yet.
///
/// It does not repeat the challenge. The server that checks it has the challenge, and puts the signed bytes together.
public struct ApprovalAnswer: Sendable, Equatable {
    /// The longest message, in bytes: it fits one QR code.
    public static let maximumLength = 512

    /// The id of the challenge, 16 bytes.
    public let challenge: Bytes
    /// What the person decided.
    public let decision: ApprovalDecision
    /// The hash of what they were shown, 32 bytes.
    public let shown: Bytes
    /// The key that signed.
    public let key: P256PublicKey
    /// The signature: r and s, 32 bytes each.
    public let signature: Bytes

    /// An answer that was just signed.
    ///
    /// - Parameter signature: over `SignedApprovalChallenge.bytesToSign`.
    public init<Suite: CryptoSuite>(
        to challenge: SignedApprovalChallenge, _ decision: ApprovalDecision, key: P256PublicKey, signature: Bytes,
        suite: Suite
    ) {
        self.challenge = challenge.challenge.id
        self.decision = decision
        self.key = key
        self.signature = signature
        shown = challenge.challenge.shown(suite: suite)
    }

    private init(challenge: Bytes, decision: ApprovalDecision, shown: Bytes, key: P256PublicKey, signature: Bytes) {
        self.challenge = challenge
        self.decision = decision
        self.shown = shown
        self.key = key
        self.signature = signature
    }

    /// Reads a message: the list of `answer`, `allow` or `deny`, the id, the signed dictionary, key and signature.
    ///
    /// - Throws: `malformed`.
    public static func parse(_ message: Bytes) throws(ApprovalError) -> ApprovalAnswer {
        guard let parts = try? Bencode.parse(message, maximumLength: maximumLength, maximumDepth: 2, maximumCount: 16),
            let list = parts.list, list.count == 6, list[0].string?.equals("answer") == true,
            let label = list[1].string, let id = list[2].string, id.count == 16,
            let key = list[4].string.flatMap({ P256PublicKey(x963: $0) }),
            let signature = list[5].string, signature.count == 64
        else { throw .malformed }
        let (decision, shown) = try ApprovalDecision.read(label, list[3])
        return ApprovalAnswer(challenge: id, decision: decision, shown: shown, key: key, signature: signature)
    }

    /// The message that travels.
    public func encoded() -> Bytes {
        var writer = BencodeWriter(capacity: 320)
        writer.beginList()
        writer.text("answer")
        writer.text(decision.name)
        writer.string(challenge)
        writer.encoded(decision.dictionary(shown: shown))
        writer.string(key.x963)
        writer.string(signature)
        writer.end()
        return writer.bytes
    }

    /// Checks the answer against its challenge.
    ///
    /// - Parameters:
    ///   - challenge: the stored challenge of this id, if there is one.
    ///   - device: the enrolled device with this key, if there is one.
    ///   - match: the code that the asking page shows, when the challenge asks for one.
    /// - Throws: `unknownChallenge`, `unknownDevice`, `malformed`, `otherText`, `invalidSignature`, or, when all else is
    ///   right, `wrongCode`.
    public func verified<Suite: CryptoSuite>(
        for challenge: SignedApprovalChallenge?, device: EnrolledApprovalDevice?, match: MatchSecret?, suite: Suite
    ) throws(ApprovalError) -> GivenAnswer {
        guard let challenge, challenge.challenge.id == self.challenge else { throw .unknownChallenge }
        guard let device, device.key == key, challenge.challenge.approvers.contains(device.account) else {
            throw .unknownDevice
        }
        guard decision.fits(challenge.challenge.match) else { throw .malformed }
        guard shown == challenge.challenge.shown(suite: suite) else { throw .otherText }
        let bytes = ApprovalStatement.device(
            decision.label, answering: challenge.statement, decision.dictionary(shown: shown))
        guard suite.isValidP256(signature, over: bytes, publicKey: key.x963) else { throw .invalidSignature }
        if case .allow(let code?) = decision {
            guard let match, match.code.equalsInConstantTime(code) else { throw .wrongCode }
        }
        return GivenAnswer(approver: device.account, key: key, decision: decision)
    }
}
