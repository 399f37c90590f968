public import Encodings

/// One signature line of a note: who says to have signed, and the signature.
public struct NoteSignature: Sendable, Equatable {
    /// The name of the key.
    public let name: Bytes
    /// The key ID, which with the name says which key it is.
    public let keyID: UInt32
    /// The bytes after the key ID: 64 bytes for Ed25519, a time and 64 bytes for a cosignature.
    public let signature: Bytes

    /// A signature line of these parts.
    public init(name: Bytes, keyID: UInt32, signature: Bytes) {
        self.name = name
        self.keyID = keyID
        self.signature = signature
    }
}

/// A text with signatures that nobody has checked yet (C2SP signed-note).
public struct SignedNote: Sendable, Equatable {
    /// The longest note that is read, in bytes: 32 post-quantum signatures fit.
    public static let maximumLength = 1 << 18
    /// The most signature lines that are read; the standard asks for at least 16.
    public static let maximumSignatures = 64

    /// The signed text with its last line feed.
    public let text: Bytes
    /// The signature lines, in their order.
    public private(set) var signatures: [NoteSignature]

    /// A note to be signed.
    ///
    /// - Throws: `malformedNote` when the text is not UTF-8, does not end in a line feed, or has another control
    ///   character.
    public init(text: Bytes) throws(TransparencyError) {
        guard text.last == 0x0A, Self.isText(text) else { throw .malformedNote }
        self.text = text
        signatures = []
    }

    /// Adds a signature line.
    public mutating func add(_ signature: NoteSignature) {
        signatures.append(signature)
    }

    /// Reads a note with at least one signature line.
    ///
    /// - Throws: `malformedNote` or `tooLarge`.
    public static func parse(_ note: Bytes) throws(TransparencyError) -> SignedNote {
        guard note.count <= maximumLength else { throw .tooLarge }
        guard note.last == 0x0A, isText(note) else { throw .malformedNote }
        // The text ends at the last empty line.
        var blank = note.count - 1
        while blank > 0, note[blank] != 0x0A || note[blank - 1] != 0x0A { blank -= 1 }
        guard blank > 0 else { throw .malformedNote }
        var result = try SignedNote(text: Array(note[..<blank]))
        let lines = Array(note[(blank + 1)...].dropLast()).split(at: 0x0A)
        guard lines.count <= maximumSignatures else { throw .tooLarge }
        for line in lines { result.signatures.append(try signature(line)) }
        return result
    }

    /// The note as it is stored and sent.
    public func encoded() -> Bytes {
        var note = text
        note.append(0x0A)
        for signature in signatures {
            note.append(contentsOf: Self.dash)
            note.append(contentsOf: signature.name)
            note.append(0x20)
            note.append(contentsOf: Base64.encode(noteKeyIDBytes(signature.keyID) + signature.signature, .standard))
            note.append(0x0A)
        }
        return note
    }

    /// The bytes that a key signs: the text itself, or for a cosignature its header, the time and the text.
    ///
    /// - Parameter time: seconds since 1970; only a cosignature has one.
    public static func message(for algorithm: NoteVerifierKey.Algorithm, text: Bytes, time: UInt64 = 0) -> Bytes {
        switch algorithm {
        case .ed25519: text
        case .cosignature: Bytes(text: "cosignature/v1\ntime ") + decimalBytes(time) + [0x0A] + text
        }
    }

    /// Checks every signature in the name of a trusted key; all other lines are ignored.
    ///
    /// - Throws: `invalidSignature` when one of them is wrong, `unsigned` when there is none.
    public func verify(
        trusting keys: [NoteVerifierKey], suite: some CryptoSuite
    ) throws(TransparencyError) -> VerifiedNote {
        var signers: [VerifiedNote.Signer] = []
        for line in signatures {
            guard let key = keys.first(where: { $0.keyID == line.keyID && $0.name == line.name }) else { continue }
            let signer = try Self.check(line, key, text, suite)
            // A key counts once, however often it signs.
            if !signers.contains(where: { $0.key == key }) { signers.append(signer) }
        }
        guard !signers.isEmpty else { throw .unsigned }
        return VerifiedNote(text: text, signers: signers)
    }

    private static func check(
        _ line: NoteSignature, _ key: NoteVerifierKey, _ text: Bytes, _ suite: some CryptoSuite
    ) throws(TransparencyError) -> VerifiedNote.Signer {
        let timeLength = key.algorithm == .cosignature ? 8 : 0
        guard line.signature.count == timeLength + 64 else { throw .invalidSignature }
        let time = line.signature.prefix(timeLength).reduce(0) { $0 << 8 | UInt64($1) }
        let message = message(for: key.algorithm, text: text, time: time)
        guard time <= UInt64(Int64.max),
            suite.isValidEd25519(Array(line.signature.suffix(64)), over: message, publicKey: key.publicKey)
        else { throw .invalidSignature }
        return VerifiedNote.Signer(key: key, time: timeLength == 0 ? nil : Int64(time))
    }

    /// One signature line without its line feed: dash, name, base64 of key ID and signature.
    private static func signature(_ line: Bytes) throws(TransparencyError) -> NoteSignature {
        guard line.starts(with: dash) else { throw .malformedNote }
        let parts = Array(line.dropFirst(dash.count)).split(at: 0x20)
        guard parts.count == 2, NoteVerifierKey.isName(parts[0]),
            let bytes = Base64.decode(parts[1], .standard), bytes.count > 4
        else { throw .malformedNote }
        return NoteSignature(name: parts[0], keyID: noteKeyID(bytes), signature: Array(bytes.dropFirst(4)))
    }

    /// UTF-8 without control characters other than the line feed.
    private static func isText(_ text: Bytes) -> Bool {
        UTF8Text.isValid(text) && text.allSatisfy { $0 >= 0x20 || $0 == 0x0A }
    }

    /// An em dash and a space.
    private static let dash: Bytes = [0xE2, 0x80, 0x94, 0x20]
}

/// A note that at least one trusted key has signed, and none wrongly.
public struct VerifiedNote: Sendable, Equatable {
    /// A trusted key that signed.
    public struct Signer: Sendable, Equatable {
        /// The key.
        public let key: NoteVerifierKey
        /// When a witness says to have signed, in seconds since 1970; `nil` for a plain signature.
        public let time: Int64?
    }

    /// The signed text with its last line feed.
    public let text: Bytes
    /// The signers, in the order of the lines, each once.
    public let signers: [Signer]
}
