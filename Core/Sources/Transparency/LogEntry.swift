public import Encodings

/// One entry of our log: what kind of act happened, when, about whom (a pseudonym), and a commitment to the details.
///
/// Nothing in it names a person. The details stay with those concerned as a record and a random opening; without the
/// opening the entry says nothing about them.
public struct LogEntry: Sendable, Equatable {
    /// The longest entry, in bytes.
    public static let maximumLength = 1024
    /// The version of the format.
    public static let version: Int64 = 1
    /// The number of bytes of an opening.
    public static let openingLength = 32

    /// The kind of act, such as `document.issued`: at most 64 of `a-z`, `0-9`, dot, hyphen and underscore.
    public let type: Bytes
    /// When it happened, in seconds since 1970.
    public let time: Int64
    /// The pseudonym of the account concerned, 32 bytes.
    public let label: Bytes
    /// The commitment to the record, 32 bytes.
    public let commitment: Bytes

    /// An entry of these values.
    ///
    /// - Throws: `malformedEntry` when one of them is out of form.
    public init(type: Bytes, time: Int64, label: Bytes, commitment: Bytes) throws(TransparencyError) {
        guard Self.isType(type), time >= 0, time <= JSON.safeInteger, label.count == 32, commitment.count == 32
        else { throw .malformedEntry }
        self.type = type
        self.time = time
        self.label = label
        self.commitment = commitment
    }

    /// Reads an entry: exactly our five members, in canonical form.
    ///
    /// - Throws: `tooLarge` or `malformedEntry`.
    public static func parse(_ bytes: Bytes) throws(TransparencyError) -> LogEntry {
        guard bytes.count <= maximumLength else { throw .tooLarge }
        guard let json = try? JSON.parse(bytes, maximumLength: maximumLength, maximumDepth: 2),
            json["v"]?.integer == version, let type = json["type"]?.string, let time = json["time"]?.integer,
            let label = json["label"]?.string, let commitment = json["commitment"]?.string,
            let labelBytes = Base64.decode(label, .url), let commitmentBytes = Base64.decode(commitment, .url)
        else { throw .malformedEntry }
        let entry = try LogEntry(type: type, time: time, label: labelBytes, commitment: commitmentBytes)
        guard entry.encoded() == bytes else { throw .malformedEntry }
        return entry
    }

    /// The entry as it is logged and hashed: canonical JSON.
    public func encoded() -> Bytes {
        // Written in the canonical order of names.
        JSON.members([
            ("commitment", .string(Base64.encode(commitment, .url))),
            ("label", .string(Base64.encode(label, .url))),
            ("time", .integer(time)),
            ("type", .string(type)),
            ("v", .integer(Self.version)),
        ]).serialized()
    }

    /// The commitment to a record: HMAC-SHA-256 of its canonical JSON under the opening.
    ///
    /// - Parameter opening: 32 random bytes, kept with the record.
    /// - Throws: `malformedReceipt` when the opening has another length, or the record is no object or has a number
    ///   that is not whole.
    public static func commitment(record: JSON, opening: Bytes) throws(TransparencyError) -> Bytes {
        HMACSHA256.authenticate(try committed(record, opening), key: opening)
    }

    /// The same with a suite's SHA-256.
    public static func commitment(
        record: JSON, opening: Bytes, suite: some CryptoSuite
    ) throws(TransparencyError) -> Bytes {
        HMACSHA256.authenticate(try committed(record, opening), key: opening, suite: suite)
    }

    private static func committed(_ record: JSON, _ opening: Bytes) throws(TransparencyError) -> Bytes {
        guard opening.count == openingLength, record.members != nil, let message = try? record.canonical()
        else { throw .malformedReceipt }
        return message
    }

    /// The pseudonym of an account: HMAC-SHA-256 of its identifier under the secret of the log.
    public static func label(account: Bytes, secret: Bytes) -> Bytes {
        HMACSHA256.authenticate(account, key: secret)
    }

    /// The same with a suite's SHA-256.
    public static func label(account: Bytes, secret: Bytes, suite: some CryptoSuite) -> Bytes {
        HMACSHA256.authenticate(account, key: secret, suite: suite)
    }

    private static func isType(_ type: Bytes) -> Bool {
        !type.isEmpty && type.count <= 64
            && type.allSatisfy { byte in
                switch byte {
                case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }
}
