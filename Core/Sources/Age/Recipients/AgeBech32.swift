import Encodings

/// Bech32 (BIP 173) without its limit on length: how age spells keys.
enum AgeBech32 {
    /// The text, in lower case.
    ///
    /// - Parameter prefix: in lower case.
    static func encode(_ prefix: Bytes, _ bytes: Bytes) -> Bytes {
        text(prefix, regroup(bytes, from: 8, to: 5))
    }

    /// The text of groups of five bits.
    static func text(_ prefix: Bytes, _ values: Bytes) -> Bytes {
        let sum = checksum(prefix, values + Bytes(repeating: 0, count: 6)) ^ 1
        let check = (0..<6).map { UInt8(truncatingIfNeeded: sum >> UInt32(25 - 5 * $0) & 31) }
        return prefix + [separator] + (values + check).map { alphabet[Int($0)] }
    }

    /// The bytes behind a prefix.
    ///
    /// - Parameters:
    ///   - text: in lower or in upper case.
    ///   - prefix: in lower case.
    /// - Returns: `nil` for another prefix, a wrong checksum, mixed case, or bits set behind the last byte.
    static func decode(_ text: Bytes, prefix: Bytes) -> Bytes? {
        let lower = text.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
        let upper = text.map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }
        guard text == lower || text == upper, lower.count >= prefix.count + 7, lower.starts(with: prefix),
            lower[prefix.count] == separator
        else { return nil }
        var values: Bytes = []
        for character in lower[(prefix.count + 1)...] {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            values.append(UInt8(value))
        }
        guard checksum(prefix, values) == 1 else { return nil }
        values.removeLast(6)
        let bytes = regroup(values, from: 5, to: 8)
        // What was left over has to be less than a character, and zeros.
        let whole = values.count * 5 / 8
        guard values.count * 5 % 8 < 5, bytes.count == whole || bytes[whole] == 0 else { return nil }
        return Array(bytes[..<whole])
    }

    /// The bits in groups of another size; the last group is filled with zeros.
    private static func regroup(_ bytes: Bytes, from: UInt32, to: UInt32) -> Bytes {
        var groups: Bytes = []
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = (bits << from | UInt32(byte)) & 0xFFFF
            count += from
            while count >= to {
                count -= to
                groups.append(UInt8(truncatingIfNeeded: bits >> count & (1 << to - 1)))
            }
        }
        if count > 0 { groups.append(UInt8(truncatingIfNeeded: bits << (to - count) & (1 << to - 1))) }
        return groups
    }

    private static func checksum(_ prefix: Bytes, _ values: Bytes) -> UInt32 {
        var sum: UInt32 = 1
        for value in prefix.map({ $0 >> 5 }) + [0] + prefix.map({ $0 & 31 }) + values {
            let top = sum >> 25
            sum = (sum & 0x1FF_FFFF) << 5 ^ UInt32(value)
            for bit in 0..<5 where top >> UInt32(bit) & 1 == 1 { sum ^= generators[bit] }
        }
        return sum
    }

    private static let separator: UInt8 = 0x31
    private static let alphabet = Bytes(text: "qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    private static let generators: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
}
