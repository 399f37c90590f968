public import Encodings

/// What a challenge says about the code that the asking page shows: how long it is, and a commitment to it.
///
/// The code itself never travels with the challenge, so nobody approves without having seen the page that asks.
public struct MatchRequirement: Sendable, Equatable {
    /// How many digits, 2 to 12.
    public let digits: Int
    /// SHA-256 of label, salt and code, 32 bytes.
    public let commitment: Bytes

    init(digits: Int, commitment: Bytes) throws(ApprovalError) {
        guard digits >= 2, digits <= 12, commitment.count == 32 else { throw .malformed }
        self.digits = digits
        self.commitment = commitment
    }

    /// Whether the code and the salt are those that were committed to.
    public func isMet<Suite: CryptoSuite>(code: Bytes, salt: Bytes, suite: Suite) -> Bool {
        code.count == digits && salt.count == 32
            && MatchSecret.commitment(code: code, salt: salt, suite: suite) == commitment
    }

    func write(to writer: inout BencodeWriter) {
        writer.text("match")
        writer.beginDictionary()
        writer.text("commitment")
        writer.string(commitment)
        writer.text("digits")
        writer.integer(Int64(digits))
        writer.end()
    }

    static func read(_ value: Bencode) throws(ApprovalError) -> MatchRequirement {
        var members = try MemberReader(value)
        let commitment = try members.string("commitment", exactly: 32)
        let digits = try members.integer("digits")
        try members.finish()
        guard let count = Int(exactly: digits) else { throw .malformed }
        return try MatchRequirement(digits: count, commitment: commitment)
    }
}

/// The code and the salt that hides it: the server's secret until the request is over, then part of the receipt.
public struct MatchSecret: Sendable, Equatable {
    /// 2 to 12 digits.
    public let code: Bytes
    /// 32 random bytes: without them nobody finds the code by trying all of them.
    public let salt: Bytes

    private static let label = Bytes(text: "authreq/v2/match")

    /// A code and its salt.
    ///
    /// - Throws: `malformed`.
    public init(code: Bytes, salt: Bytes) throws(ApprovalError) {
        guard code.count >= 2, code.count <= 12, code.allSatisfy({ (0x30...0x39).contains($0) }), salt.count == 32
        else { throw .malformed }
        self.code = code
        self.salt = salt
    }

    /// What the challenge says about it.
    public func requirement<Suite: CryptoSuite>(suite: Suite) throws(ApprovalError) -> MatchRequirement {
        try MatchRequirement(
            digits: code.count, commitment: Self.commitment(code: code, salt: salt, suite: suite))
    }

    static func commitment<Suite: CryptoSuite>(code: Bytes, salt: Bytes, suite: Suite) -> Bytes {
        suite.sha256(label + salt + code)
    }
}
