/// The two spellings of an ECDSA signature: JOSE writes r and s as they are, X.509 as a DER sequence.
public enum ECDSASignature {
    /// Turns the DER form (RFC 3279 section 2.2.3) into r and s of `size` bytes each: 32 for P-256.
    public static func raw(fromDER der: Bytes, size: Int = 32) throws(DERError) -> Bytes {
        var outer = DERReader(der)
        var pair = try outer.sequence()
        try outer.finish()
        let r = try scalar(pair.integer(), size)
        let s = try scalar(pair.integer(), size)
        try pair.finish()
        return r + s
    }

    /// Turns r and s of 32 bytes each, a signature with P-256, into the DER form.
    ///
    /// - Returns: `nil` for another length, or when one of them is zero, which no signature has.
    public static func der(fromRaw raw: Bytes) -> Bytes? {
        guard raw.count == 64 else { return nil }
        let r = Array(raw[0..<32])
        let s = Array(raw[32..<64])
        guard r.contains(where: { $0 != 0 }), s.contains(where: { $0 != 0 }) else { return nil }
        return DERWriter.sequence(DERWriter.unsignedInteger(r) + DERWriter.unsignedInteger(s))
    }

    /// The order of P-256, big-endian (SP 800-186 section 3.2.1.3).
    private static let order: Bytes = [
        0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
        0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// Of the two signatures (r, s) and (r, n - s), which both verify, the one with the smaller s.
    ///
    /// Our own signatures have only this form. Verifiers take both, as FIPS 186-5 has it, so nothing is told apart by
    /// the bytes of a signature.
    ///
    /// - Parameter raw: r and s with P-256, 32 bytes each; anything else comes back as it is.
    public static func lowS(_ raw: Bytes) -> Bytes {
        guard raw.count == 64 else { return raw }
        let s = Array(raw[32..<64])
        var other = Bytes(repeating: 0, count: 32)
        var borrow = 0
        for index in (0..<32).reversed() {
            let digit = Int(order[index]) - Int(s[index]) - borrow
            borrow = digit < 0 ? 1 : 0
            other[index] = UInt8(truncatingIfNeeded: digit)
        }
        return borrow == 0 && other.precedes(s) ? Array(raw[0..<32]) + other : raw
    }

    private static func scalar(_ integer: Bytes, _ size: Int) throws(DERError) -> Bytes {
        guard integer[0] < 0x80 else { throw .unsupported }
        let digits = integer[0] == 0 ? Array(integer.dropFirst()) : integer
        guard digits.count <= size else { throw .unsupported }
        return Bytes(repeating: 0, count: size - digits.count) + digits
    }
}
