import EllipticCurves
public import Encodings

/// One of three shares of a secret, any two of which give it back, and one of which tells nothing (Shamir, 1979).
///
/// Printed it is 16 groups of four letters and digits: a number, a name of the set, the share and a checksum.
public struct RecoveryShare: Sendable, Equatable {
    /// How many shares give the secret back.
    public static let threshold = 2
    /// How many shares there are.
    public static let count = 3

    /// Which share it is, from 1.
    public let number: UInt8
    /// The same for the shares of one secret.
    let set: Bytes
    let value: Bytes

    private static let setByteCount = 4
    private static let checksumByteCount = 3
    private static let version: UInt8 = 0x10

    /// The three shares of a secret.
    public static func split<Suite: VaultCryptoSuite>(
        _ secret: VaultSecret, suite: Suite
    ) throws(VaultError) -> [RecoveryShare] {
        var slope = try suite.fresh(VaultSecret.byteCount)
        var bytes = secret.bytes
        defer {
            slope.wipe()
            bytes.wipe()
        }
        let set = try suite.fresh(setByteCount)
        return (1...UInt8(count)).map { number in
            let value = bytes.indices.map { bytes[$0] ^ FieldOf256.product(slope[$0], number) }
            return RecoveryShare(number: number, set: set, value: value)
        }
    }

    /// The secret of two shares.
    ///
    /// - Throws: `malformed` for the same share twice, or shares of two secrets.
    public static func combine(_ first: RecoveryShare, _ second: RecoveryShare) throws(VaultError) -> VaultSecret {
        guard first.number != second.number, first.set == second.set else { throw .malformed }
        // The line through both points, at 0.
        let divisor = FieldOf256.inverse(first.number ^ second.number)
        let left = FieldOf256.product(second.number, divisor)
        let right = FieldOf256.product(first.number, divisor)
        var bytes = first.value.indices.map {
            FieldOf256.product(first.value[$0], left) ^ FieldOf256.product(second.value[$0], right)
        }
        defer { bytes.wipe() }
        return try VaultSecret(bytes)
    }

    private init(number: UInt8, set: Bytes, value: Bytes) {
        self.number = number
        self.set = set
        self.value = value
    }

    /// The share as it is printed: 79 characters of ASCII, groups of four with a space between them.
    public func text<Suite: VaultCryptoSuite>(_ suite: Suite) -> Bytes {
        let body = [Self.version | number] + set + value
        return Base32Groups.text(body + Self.checksum(body, suite))
    }

    /// Reads what somebody typed: any spaces and hyphens, small letters, I and L for 1, and O for 0.
    ///
    /// - Throws: `malformed` for another length or character, `cannotOpen` if the checksum does not hold,
    ///   `unsupportedVersion`.
    public init<Suite: VaultCryptoSuite>(_ typed: Bytes, suite: Suite) throws(VaultError) {
        guard typed.count <= 256, let bytes = Base32Groups.bytes(typed), bytes.count == 40 else { throw .malformed }
        let body = Array(bytes[..<37])
        guard Self.checksum(body, suite) == Array(bytes[37...]) else { throw .cannotOpen }
        guard body[0] & 0xF0 == Self.version else { throw .unsupportedVersion }
        let number = body[0] & 0x0F
        guard 1...UInt8(Self.count) ~= number else { throw .malformed }
        self.init(number: number, set: Array(body[1..<5]), value: Array(body[5...]))
    }

    private static func checksum<Suite: VaultCryptoSuite>(_ body: Bytes, _ suite: Suite) -> Bytes {
        Array(suite.sha256(VaultLabel.shareChecksum.bytes + body).prefix(checksumByteCount))
    }
}

/// Bytes as Crockford's base 32 in groups of four, for five bytes and their multiples.
enum Base32Groups {
    private static let alphabet = Bytes(text: "0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    static func text(_ bytes: Bytes) -> Bytes {
        var text: Bytes = []
        for place in 0..<bytes.count * 8 / 5 {
            var value = 0
            for bit in 5 * place..<5 * place + 5 { value = value << 1 | Int(bytes[bit >> 3] >> UInt8(7 - bit & 7) & 1) }
            if place > 0, place % 4 == 0 { text.append(0x20) }
            text.append(alphabet[value])
        }
        return text
    }

    /// - Returns: `nil` for another character, or bits that make no whole bytes.
    static func bytes(_ typed: Bytes) -> Bytes? {
        var bytes: Bytes = []
        var value = 0
        var bits = 0
        for character in typed where character != 0x2D && character != 0x20 && !(0x09...0x0D ~= character) {
            guard let digit = alphabet.firstIndex(of: canonical(character)) else { return nil }
            value = value << 5 | digit
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(value >> bits))
                value &= 1 << bits - 1
            }
        }
        return bits == 0 ? bytes : nil
    }

    private static func canonical(_ typed: UInt8) -> UInt8 {
        let capital = 0x61...0x7A ~= typed ? typed - 0x20 : typed
        return switch capital {
        case 0x49, 0x4C: 0x31
        case 0x4F: 0x30
        default: capital
        }
    }
}
