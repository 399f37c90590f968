public import Encodings

/// A backup of accounts in our own format: one JSON object, sealed under a key that Argon2id makes of a recovery phrase.
///
/// The command line and the pages write the same bytes. The phrase has 120 random bits; Argon2id stretches it all the
/// same, since people shorten what they write down. Format, derivation and contents are authenticated together with
/// AES-256-GCM, which the surroundings compute: nothing of it counts before that has held.
public struct AccountBackupFile: Sendable, Equatable {
    /// How a phrase becomes a key (RFC 9106).
    public struct Derivation: Sendable, Equatable {
        /// In KiB.
        public let memory: Int
        /// Passes over the memory.
        public let passes: Int
        /// Lanes.
        public let lanes: Int
        /// 16 random bytes.
        public let salt: Bytes

        /// A derivation as a file has it; whether it is acceptable is another question.
        public init(memory: Int, passes: Int, lanes: Int, salt: Bytes) {
            (self.memory, self.passes, self.lanes, self.salt) = (memory, passes, lanes, salt)
        }

        /// What new files are made with: the second recommended option of RFC 9106 section 4.
        public static func recommended(salt: Bytes) -> Self { Self(memory: 65_536, passes: 3, lanes: 4, salt: salt) }

        /// Whether guessing is dear enough, and the memory not too much: 19 MiB to 1 GiB, 2 to 16 passes, 1 to 16 lanes.
        public var isAcceptable: Bool {
            19_456...1 << 20 ~= memory && 2...16 ~= passes && 1...16 ~= lanes && memory >= 8 * lanes
        }
    }

    /// The largest file, in bytes: a full wallet with the longest extra data is a quarter of it.
    public static let maximumSize = 4 << 20
    /// The length of a salt in bytes.
    public static let saltLength = 16
    /// How many characters a phrase has without its hyphens, and how many random bytes it is made of.
    public static let phraseLength = 24
    private static let format: StaticString = "countersign-accounts-v1"
    private static let nonce = 12
    private static let tag = 16

    /// From the phrase to the key.
    public let derivation: Derivation
    /// The nonce of 12 bytes, the ciphertext, and the tag of 16 bytes.
    public let sealed: Bytes

    /// A file of its parts.
    ///
    /// - Throws: `malformed` unless the salt has 16 bytes and the box room for its nonce and tag, `tooLarge`.
    public init(derivation: Derivation, sealed: Bytes) throws(PicoError) {
        guard derivation.salt.count == Self.saltLength, sealed.count >= Self.nonce + Self.tag else { throw .malformed }
        guard sealed.count <= Self.maximumSize / 2 else { throw .tooLarge }
        (self.derivation, self.sealed) = (derivation, sealed)
    }

    /// Reads a file.
    ///
    /// - Throws: `malformed`, `tooLarge`, or `unsupportedVersion` for a backup of the original's app.
    public init(_ file: Bytes) throws(PicoError) {
        guard file.count <= Self.maximumSize else { throw .tooLarge }
        guard let json = try? JSON.parse(file, maximumLength: Self.maximumSize, maximumDepth: 3, maximumCount: 16),
            let members = json.members
        else { throw .malformed }
        guard json["encryptedData"] == nil else { throw .unsupportedVersion }
        guard members.count == 3, json["format"]?.isString(Self.format) == true,
            let derivation = json["derivation"], derivation.members?.count == 5,
            derivation["name"]?.isString("argon2id") == true, let memory = Self.number(derivation["memory_kib"]),
            let passes = Self.number(derivation["passes"]), let lanes = Self.number(derivation["lanes"]),
            let salt = Self.bytes(derivation["salt"]), let sealed = Self.bytes(json["sealed"])
        else { throw .malformed }
        try self.init(
            derivation: Derivation(memory: memory, passes: passes, lanes: lanes, salt: salt), sealed: sealed)
    }

    /// The file's bytes.
    public var encoded: Bytes {
        let json = JSON.members([
            ("format", .string(Self.text(Self.format))), ("derivation", Self.json(derivation)),
            ("sealed", .string(Base64.encode(sealed, .url))),
        ])
        return json.serialized() + [0x0A]
    }

    /// What the seal also covers: the format and the derivation, as canonical JSON.
    public static func purpose(of derivation: Derivation) -> Bytes {
        let json = JSON.members([("derivation", json(derivation)), ("format", .string(text(format)))])
        return (try? json.canonical()) ?? []
    }

    /// A new phrase, six groups of four characters.
    ///
    /// - Throws: `malformed` unless there are 24 random bytes.
    public static func phrase(of random: Bytes) throws(PicoError) -> Bytes {
        guard random.count == phraseLength else { throw .malformed }
        return CrockfordCode.text(of: random)
    }

    /// What Argon2id is given of a phrase that a person typed.
    ///
    /// - Returns: `nil` for what is no phrase.
    public static func password(of typed: Bytes) -> Bytes? {
        guard typed.count <= 256, let text = CrockfordCode.normalised(typed), text.count == phraseLength else {
            return nil
        }
        return text
    }

    private static func json(_ derivation: Derivation) -> JSON {
        .members([
            ("name", .text("argon2id")), ("memory_kib", .integer(Int64(derivation.memory))),
            ("passes", .integer(Int64(derivation.passes))), ("lanes", .integer(Int64(derivation.lanes))),
            ("salt", .string(Base64.encode(derivation.salt, .url))),
        ])
    }

    private static func number(_ json: JSON?) -> Int? {
        guard let number = json?.integer, 0...1 << 30 ~= number else { return nil }
        return Int(number)
    }

    private static func bytes(_ json: JSON?) -> Bytes? { json?.string.flatMap { Base64.decode($0, .url) } }

    private static func text(_ literal: StaticString) -> Bytes { literal.withUTF8Buffer { unsafe Bytes($0) } }
}
