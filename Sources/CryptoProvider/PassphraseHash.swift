public import Encodings
internal import Foundation

/// Why a passphrase is not hashed or checked.
public enum PassphraseHashError: Error, Equatable, Sendable {
    /// Too many are waiting already: try later.
    case busy
    /// The asking task was cancelled before its turn came.
    case cancelled
    /// The stored text is not a PHC string of Argon2id version 19.
    case malformed
    /// Parameters outside the limits, a salt of fewer than 8 bytes, or a passphrase beyond its longest.
    case badParameters
    /// The system has not so much memory to give.
    case outOfMemory
}

/// A stored passphrase: Argon2id in the PHC string format, `$argon2id$v=19$m=65536,t=3,p=4$salt$hash`.
///
/// Hashing takes long and blocks, so it is asked of `Argon2Workers`.
public struct PassphraseHash: Sendable, Equatable {
    /// A longer passphrase is refused, in bytes.
    public static let maximumLength = 1024

    /// The cost of making and checking it.
    public let parameters: Argon2Parameters
    let salt: Bytes
    let hash: Bytes

    init(parameters: Argon2Parameters, salt: Bytes, hash: Bytes) {
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
    }

    /// Reads a PHC string strictly.
    ///
    /// - Parameter limits: which parameters are accepted.
    public init(_ text: String, limits: Argon2Limits = .standard) throws(PassphraseHashError) {
        let bytes = Bytes(text: text)
        guard bytes.count <= 256 else { throw .malformed }
        let fields = bytes.split(at: 0x24)
        guard fields.count == 6, fields[0].isEmpty, fields[1].equals("argon2id"), fields[2].equals("v=19") else {
            throw .malformed
        }
        let numbers = fields[3].split(at: 0x2C)
        guard numbers.count == 3, let memory = Self.number(numbers[0], "m="),
            let passes = Self.number(numbers[1], "t="), let lanes = Self.number(numbers[2], "p="),
            let salt = Self.unpadded(fields[4]), let hash = Self.unpadded(fields[5])
        else { throw .malformed }
        parameters = Argon2Parameters(memory: memory, passes: passes, lanes: lanes)
        guard limits.allow(parameters), (8...64).contains(salt.count), (16...64).contains(hash.count) else {
            throw .badParameters
        }
        self.salt = salt
        self.hash = hash
    }

    /// The PHC string.
    public var text: String {
        func encoded(_ bytes: Bytes) -> String {
            String(decoding: Base64.encode(bytes, .standard).filter { $0 != 0x3D }, as: UTF8.self)
        }
        let costs = "m=\(parameters.memory),t=\(parameters.passes),p=\(parameters.lanes)"
        return "$argon2id$v=19$\(costs)$\(encoded(salt))$\(encoded(hash))"
    }

    /// A typed passphrase as bytes: UTF-8 in normalisation form C, so that two keyboards agree (RFC 8265 section 4).
    public static func bytes(of passphrase: String) -> Bytes {
        Bytes(text: passphrase.precomposedStringWithCanonicalMapping)
    }

    /// Hashes on the calling thread.
    static func makeBlocking(
        _ passphrase: Bytes, salt: Bytes, parameters: Argon2Parameters
    ) throws(PassphraseHashError) -> PassphraseHash {
        let hash = try Argon2.deriveBlocking(passphrase: passphrase, salt: salt, parameters: parameters, length: 32)
        return PassphraseHash(parameters: parameters, salt: salt, hash: hash)
    }

    /// Checks on the calling thread; the comparison takes constant time.
    func matchesBlocking(_ passphrase: Bytes) throws(PassphraseHashError) -> Bool {
        let probe = try Argon2.deriveBlocking(
            passphrase: passphrase, salt: salt, parameters: parameters, length: hash.count)
        return probe.equalsInConstantTime(hash)
    }

    private static func number(_ field: Bytes, _ name: String) -> Int? {
        guard field.starts(with: name.utf8), let number = parseDecimal(Bytes(field.dropFirst(2))) else { return nil }
        return Int(exactly: number)
    }

    private static func unpadded(_ text: Bytes) -> Bytes? {
        guard text.last != 0x3D else { return nil }
        return Base64.decode(text + Bytes(repeating: 0x3D, count: (4 - text.count % 4) % 4), .standard)
    }
}
