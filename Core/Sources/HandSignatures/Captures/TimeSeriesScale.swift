/// The scale of a channel's whole numbers: how many of them make one of the channel's unit (ISO/IEC 19794-7).
///
/// In a record of bytes it is a number of 16 bits. The upper five are an exponent from -16, and the lower eleven are
/// the fraction of a mantissa from 1 to 2. So the finest is 65,520.
struct TimeSeriesScale: Equatable {
    /// Steps in `denominator` units; positive, as is the other.
    let numerator, denominator: Int64

    /// The numbers are the unit's: what holds of a channel without a scale.
    static let one = TimeSeriesScale(numerator: 1, denominator: 1)

    init(numerator: Int64, denominator: Int64) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// As a record has it.
    init(encoded: UInt16) {
        let (exponent, mantissa) = (Int64(encoded >> 11), Int64(encoded & 0x7FF) + 2_048)
        // Eleven bits of the mantissa and the sixteen of the exponent's bias are behind the point.
        numerator = exponent > 27 ? mantissa << (exponent - 27) : mantissa
        denominator = exponent > 27 ? 1 : 1 << (27 - exponent)
    }

    /// As a record has it; `nil` when that would not be the same number, or when it is below 1.
    var encoded: UInt16? {
        guard denominator == 1 else { return nil }
        let exponent = Int64(63 - numerator.leadingZeroBitCount)
        guard exponent < 16 else { return nil }
        let mantissa = numerator << 11
        guard mantissa & ((1 << exponent) - 1) == 0 else { return nil }
        return UInt16((exponent + 16) << 11 | (mantissa >> exponent) & 0x7FF)
    }

    /// How many parts `count` steps are, when `parts` of them make one unit: the nearest number, and the larger of two.
    ///
    /// - Returns: `nil` below 0, and when it does not fit.
    func value(of count: Int64, parts: Int64) -> Int64? {
        guard count >= 0 else { return nil }
        let (product, overflow) = parts.multipliedReportingOverflow(by: denominator)
        let (whole, tooLarge) = product.multipliedReportingOverflow(by: count)
        let (rounded, carry) = whole.addingReportingOverflow(numerator / 2)
        return overflow || tooLarge || carry ? nil : rounded / numerator
    }
}
