/// The two spellings of a P-256 signature: JOSE writes r and s as they are, X.509 as a DER sequence.
public enum ECDSASignature {
    /// Turns the DER form (RFC 3279 section 2.2.3) into r and s of 32 bytes each.
    public static func raw(fromDER der: Bytes) throws(DERError) -> Bytes {
        var outer = DERReader(der)
        var pair = try outer.sequence()
        try outer.finish()
        let r = try scalar(pair.integer())
        let s = try scalar(pair.integer())
        try pair.finish()
        return r + s
    }

    private static func scalar(_ integer: Bytes) throws(DERError) -> Bytes {
        guard integer[0] < 0x80 else { throw .unsupported }
        let digits = integer[0] == 0 ? Array(integer.dropFirst()) : integer
        guard digits.count <= 32 else { throw .unsupported }
        return Bytes(repeating: 0, count: 32 - digits.count) + digits
    }
}
