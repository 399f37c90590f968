import Encodings

/// RSASSA-PKCS1-v1_5 with SHA-384 (RFC 8017 section 8.2.2): verification only, for challenges of original servers.
///
/// Nothing here is secret, and nothing is constant time.
enum RSAVerification {
    /// The DER of `DigestInfo` up to the digest: SHA-384, with NULL parameters.
    private static let digestInfo: Bytes = [
        0x30, 0x41, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02, 0x05, 0x00, 0x04,
        0x30,
    ]

    static func isValid(_ signature: Bytes, over message: Bytes, modulus: Bytes, exponent: Bytes) -> Bool {
        guard modulus.count >= 256, modulus.count <= 512, modulus[0] >= 0x80, signature.count == modulus.count,
            signature.precedes(modulus), let field = ModularField(modulus), let power = small(exponent)
        else { return false }
        // The whole encoding is built and compared, so nothing in it is parsed leniently.
        let padding = modulus.count - digestInfo.count - 48 - 3
        let expected = [0, 1] + Bytes(repeating: 0xFF, count: padding) + [0] + digestInfo + SHA384.hash(message)
        return field.power(signature, power) == expected
    }

    /// An odd exponent from 3 on that fits 32 bits; every key in use has 65537.
    private static func small(_ exponent: Bytes) -> UInt32? {
        guard !exponent.isEmpty, exponent.count <= 4, exponent[0] != 0 else { return nil }
        let value = exponent.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return value >= 3 && value & 1 == 1 ? value : nil
    }
}

/// Numbers modulo an odd number of some thousand bits, in Montgomery's form: limbs of 64 bits, lowest first.
struct ModularField {
    private let modulus: [UInt64]
    private let negatedInverse: UInt64
    private let length: Int

    /// - Returns: `nil` for an even modulus, or one whose length is no multiple of eight bytes.
    init?(_ bigEndian: Bytes) {
        guard bigEndian.count % 8 == 0, let last = bigEndian.last, last & 1 == 1 else { return nil }
        length = bigEndian.count
        modulus = Self.limbs(bigEndian)
        // Newton: each step doubles the number of right bits, from three on.
        var inverse = modulus[0]
        for _ in 0..<5 { inverse = inverse &* (2 &- modulus[0] &* inverse) }
        negatedInverse = 0 &- inverse
    }

    /// `base` to the power of `exponent`, big-endian and as long as the modulus.
    ///
    /// - Parameter base: below the modulus and as long.
    func power(_ base: Bytes, _ exponent: UInt32) -> Bytes {
        let factor = scaled(Self.limbs(base))
        var result = factor
        for bit in (0..<31 - exponent.leadingZeroBitCount).reversed() {
            result = product(result, result)
            if exponent >> UInt32(bit) & 1 == 1 { result = product(result, factor) }
        }
        var one = [UInt64](repeating: 0, count: modulus.count)
        one[0] = 1
        return Self.bytes(product(result, one))
    }

    /// Times 2 to the power of the modulus's bits: as many doublings, and no constant to be computed first.
    private func scaled(_ number: [UInt64]) -> [UInt64] {
        var number = number
        for _ in 0..<length * 8 {
            var carry: UInt64 = 0
            for index in 0..<number.count {
                let next = number[index] >> 63
                number[index] = number[index] << 1 | carry
                carry = next
            }
            if carry == 1 || !isBelowModulus(number) { subtractModulus(from: &number) }
        }
        return number
    }

    /// Montgomery's product (CIOS).
    private func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        let count = modulus.count
        var sum = [UInt64](repeating: 0, count: count + 2)
        for limb in left {
            add(limb, right, to: &sum)
            let quotient = sum[0] &* negatedInverse
            add(quotient, modulus, to: &sum)
            // The lowest limb is zero now.
            for index in 0...count { sum[index] = sum[index + 1] }
            sum[count + 1] = 0
        }
        let carry = sum[count]
        var result = Array(sum[0..<count])
        if carry != 0 || !isBelowModulus(result) { subtractModulus(from: &result) }
        return result
    }

    private func add(_ factor: UInt64, _ number: [UInt64], to sum: inout [UInt64]) {
        var carry: UInt64 = 0
        for index in 0..<number.count {
            let wide = UInt128(factor) * UInt128(number[index]) + UInt128(sum[index]) + UInt128(carry)
            sum[index] = UInt64(truncatingIfNeeded: wide)
            carry = UInt64(truncatingIfNeeded: wide >> 64)
        }
        let wide = UInt128(sum[number.count]) + UInt128(carry)
        sum[number.count] = UInt64(truncatingIfNeeded: wide)
        sum[number.count + 1] &+= UInt64(truncatingIfNeeded: wide >> 64)
    }

    private func isBelowModulus(_ number: [UInt64]) -> Bool {
        for index in (0..<modulus.count).reversed() where number[index] != modulus[index] {
            return number[index] < modulus[index]
        }
        return false
    }

    private func subtractModulus(from number: inout [UInt64]) {
        var borrow = false
        for index in 0..<modulus.count {
            let (first, one) = number[index].subtractingReportingOverflow(modulus[index])
            let (second, two) = first.subtractingReportingOverflow(borrow ? 1 : 0)
            number[index] = second
            borrow = one || two
        }
    }

    private static func limbs(_ bigEndian: Bytes) -> [UInt64] {
        stride(from: bigEndian.count - 8, through: 0, by: -8).map { start in
            bigEndian[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
    }

    private static func bytes(_ limbs: [UInt64]) -> Bytes { limbs.reversed().flatMap { bigEndianBytes($0) } }
}
