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

    private static func scalar(_ integer: Bytes, _ size: Int) throws(DERError) -> Bytes {
        guard integer[0] < 0x80 else { throw .unsupported }
        let digits = integer[0] == 0 ? Array(integer.dropFirst()) : integer
        guard digits.count <= size else { throw .unsupported }
        return Bytes(repeating: 0, count: size - digits.count) + digits
    }
}
