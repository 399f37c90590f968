public import Encodings

/// A public key that a reader of signed notes trusts (C2SP signed-note): name, key ID and Ed25519 key.
///
/// Written as `name+hash+base64key`, the form of the Go module `sumdb/note`.
public struct NoteVerifierKey: Sendable, Equatable {
    /// What the key signs, and how.
    public enum Algorithm: UInt8, Sendable {
        /// Ed25519 over the text of the note: the log itself.
        case ed25519 = 1
        /// Ed25519 over a time and the text (C2SP tlog-cosignature v1): a witness.
        case cosignature = 4
    }

    /// The name, for a log its origin.
    public let name: Bytes
    /// What the key signs.
    public let algorithm: Algorithm
    /// The Ed25519 key, 32 bytes.
    public let publicKey: Bytes
    /// The first four bytes of SHA-256 of name, line feed, algorithm and key, big-endian.
    public let keyID: UInt32

    /// A key of that name.
    ///
    /// - Throws: `malformedKey` when the name is empty or has a space, plus sign or control character, or the key is
    ///   not 32 bytes.
    public init(
        name: Bytes, publicKey: Bytes, algorithm: Algorithm = .ed25519
    ) throws(TransparencyError) {
        guard Self.isName(name), publicKey.count == 32 else { throw .malformedKey }
        self.name = name
        self.algorithm = algorithm
        self.publicKey = publicKey
        let digest = SHA256.hash(name + [0x0A, algorithm.rawValue] + publicKey)
        keyID = noteKeyID(digest)
    }

    /// Reads `name+hash+base64key`; one line feed may follow, as files have it.
    ///
    /// - Throws: `malformedKey`, also when the hash is not that of name and key; `unsupportedKey` for another
    ///   algorithm.
    public static func parse(_ text: Bytes) throws(TransparencyError) -> NoteVerifierKey {
        guard text.count <= 1024 else { throw .tooLarge }
        let line = text.last == 0x0A ? Array(text.dropLast()) : text
        guard let first = line.firstIndex(of: 0x2B),
            let second = line[(first + 1)...].firstIndex(of: 0x2B),
            let material = Base64.decode(Array(line[(second + 1)...]), .standard), let type = material.first
        else { throw .malformedKey }
        guard let algorithm = Algorithm(rawValue: type) else { throw .unsupportedKey }
        let key = try NoteVerifierKey(
            name: Array(line[..<first]), publicKey: Array(material.dropFirst()), algorithm: algorithm)
        guard key.encoded() == line else { throw .malformedKey }
        return key
    }

    /// `name+hash+base64key`, without a line end.
    public func encoded() -> Bytes {
        var text = name + [0x2B]
        text.append(contentsOf: Hex.encode(noteKeyIDBytes(keyID)))
        text.append(0x2B)
        text.append(contentsOf: Base64.encode([algorithm.rawValue] + publicKey, .standard))
        return text
    }

    /// The signature line's content for a finished signature.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes over `SignedNote.message(for:text:time:)`.
    ///   - time: of a cosignature in seconds since 1970; must be zero for a plain signature.
    /// - Throws: `invalidSignature` when the length is wrong or the time does not fit the algorithm.
    public func line(_ signature: Bytes, time: Int64 = 0) throws(TransparencyError) -> NoteSignature {
        guard signature.count == 64, time >= 0, algorithm == .cosignature || time == 0 else {
            throw .invalidSignature
        }
        let prefix = algorithm == .cosignature ? bigEndianBytes(UInt64(time)) : []
        return NoteSignature(name: name, keyID: keyID, signature: prefix + signature)
    }

    /// Whether `name` may be in a signature line: UTF-8 without spaces, plus signs and control characters.
    static func isName(_ name: Bytes) -> Bool {
        guard !name.isEmpty, name.count <= 255 else { return false }
        var index = 0
        while index < name.count {
            guard let (scalar, length) = UTF8Text.scalar(in: name, at: index) else { return false }
            switch scalar {
            case 0...0x20, 0x2B, 0x7F...0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
                return false
            default: index += length
            }
        }
        return true
    }
}

/// The key ID that begins a digest or a signature.
func noteKeyID(_ bytes: Bytes) -> UInt32 {
    bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
}

/// The four bytes of a key ID.
func noteKeyIDBytes(_ keyID: UInt32) -> Bytes {
    Array(bigEndianBytes(UInt64(keyID)).suffix(4))
}
