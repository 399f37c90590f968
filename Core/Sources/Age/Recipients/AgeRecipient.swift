public import Encodings

/// A public key for which files are sealed.
public struct AgeRecipient: Sendable, Equatable {
    enum Key: Sendable, Equatable {
        case x25519(Bytes)
        case hybrid(Bytes)
    }

    let key: Key

    init(key: Key) { self.key = key }

    /// Reads `age1…` or, for hybrid keys, `age1pq1…`.
    public init(_ text: Bytes) throws(AgeError) {
        if let bytes = AgeBech32.decode(text, prefix: Self.prefix), bytes.count == AgeLimits.key {
            key = .x25519(bytes)
        } else if let bytes = AgeBech32.decode(text, prefix: Self.hybridPrefix),
            bytes.count == AgeLimits.hybridPublicKey
        {
            key = .hybrid(bytes)
        } else {
            throw .invalidRecipient
        }
    }

    /// The recipient's spelling.
    public var text: Bytes {
        switch key {
        case .x25519(let bytes): AgeBech32.encode(Self.prefix, bytes)
        case .hybrid(let bytes): AgeBech32.encode(Self.hybridPrefix, bytes)
        }
    }

    /// Whether files stay closed to quantum computers too.
    public var isHybrid: Bool {
        if case .hybrid = key { return true }
        return false
    }

    /// Reads a file of recipients: one on each line; empty lines and lines that begin with `#` do not count.
    ///
    /// - Parameter file: of which at most `maximum` lines may name a recipient.
    public static func readFile(_ file: Bytes, maximum: Int = 256) throws(AgeError) -> [AgeRecipient] {
        let lines = try keyLines(file, maximum: maximum, else: .invalidRecipient)
        return try lines.map { line throws(AgeError) in try AgeRecipient(line) }
    }

    /// The stanza that gives the recipient the file key.
    func wrap<Suite: AgeCryptoSuite>(_ fileKey: AgeFileKey, _ suite: Suite) throws(AgeError) -> AgeStanza {
        switch key {
        case .x25519(let publicKey): try X25519Wrapping.wrap(fileKey, to: publicKey, suite)
        case .hybrid(let publicKey): try HybridWrapping.wrap(fileKey, to: publicKey, suite)
        }
    }

    private static let prefix = Bytes(text: "age")
    private static let hybridPrefix = Bytes(text: "age1pq")
}

/// The lines of a file of keys that hold one.
func keyLines(_ file: Bytes, maximum: Int, else error: AgeError) throws(AgeError) -> [Bytes] {
    var lines: [Bytes] = []
    for line in file.split(at: 0x0A) {
        let text = line.trimmingSpace()
        guard let first = text.first, first != 0x23 else { continue }
        guard lines.count < maximum else { throw error }
        lines.append(text)
    }
    guard !lines.isEmpty else { throw error }
    return lines
}
