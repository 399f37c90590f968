/// How long something is stored, so that its length tells little (Nikitin and others, "Reducing Metadata Leakage from
/// Encrypted Files and Communication with PURBs", 2019, section 4).
///
/// A length keeps about half as many significant bits as it would need to be exact. The padding is at most 12 %.
public enum Padme {
    /// The shortest padded length, in bytes.
    public static let minimum: UInt64 = 512

    /// The padded length of `length` bytes, at least 512.
    ///
    /// - Parameter length: at most 2^62.
    public static func length(of length: UInt64) -> UInt64 {
        guard length > minimum else { return minimum }
        let exponent = UInt64(63 - length.leadingZeroBitCount)
        let significant = UInt64(64 - exponent.leadingZeroBitCount)
        let mask: UInt64 = 1 << (exponent - significant) - 1
        return (length + mask) & ~mask
    }
}
