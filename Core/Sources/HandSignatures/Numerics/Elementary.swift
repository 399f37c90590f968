/// The few functions beyond arithmetic that scores need.
///
/// They use only addition, multiplication, division and square root, in a fixed order, and IEEE 754 rounds these in
/// only one way. So a score made in a page equals the server's to the last bit. The mathematical libraries of platforms
/// do not promise that. Results are within two units in the last place of the true value.
enum Elementary {
    static let pi = 3.141592653589793

    private static let ln2High = 0.693147180369123816490
    private static let ln2Low = 1.90821492927058770002e-10

    /// The natural logarithm of a positive, finite and normal number.
    ///
    /// x = m 2^e with m near 1, and ln m = 2 artanh((m - 1) / (m + 1)) as its series: the argument is at most 0.172.
    static func ln(_ x: Double) -> Double {
        var bits = x.bitPattern
        var exponent = Int(bits >> 52) - 1023
        bits = bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000
        var mantissa = Double(bitPattern: bits)
        if mantissa > 1.4142135623730951 {
            mantissa *= 0.5
            exponent += 1
        }
        let s = (mantissa - 1) / (mantissa + 1)
        let square = s * s
        var sum = 0.0
        // 0.0295^11 / 23 is below the last place.
        for divisor in stride(from: 23, through: 3, by: -2) { sum = (sum + 1 / Double(divisor)) * square }
        let scale = Double(exponent)
        return scale * ln2High + (2 * s + (2 * s * sum + scale * ln2Low))
    }

    /// The exponential function; 0 below -708 and the value at 708 above it.
    static func exp(_ x: Double) -> Double {
        guard x > -708 else { return 0 }
        let x = min(x, 708)
        let power = (x * 1.4426950408889634).rounded(.toNearestOrEven)
        let rest = (x - power * ln2High) - power * ln2Low
        // |rest| is at most 0.347: 0.347^15 / 15! is below the last place.
        var sum = 1.0
        for divisor in stride(from: 14, through: 1, by: -1) { sum = 1 + sum * rest / Double(divisor) }
        return sum * Double(bitPattern: UInt64(1023 + Int(power)) << 52)
    }

    /// The length of a vector.
    static func hypot(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

    /// The angle of the vector (x, y), from -pi to pi; 0 for no vector.
    static func atan2(_ y: Double, _ x: Double) -> Double {
        let (across, along) = (y.magnitude, x.magnitude)
        guard along > 0 || across > 0 else { return 0 }
        let acute = across <= along ? arctangent(across / along) : pi / 2 - arctangent(along / across)
        let upper = x < 0 ? pi - acute : acute
        return y < 0 ? -upper : upper
    }

    /// arctan(k / 8) for k = 0...8.
    private static let arctangents: [Double] = [
        0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.46364760900080615, 0.5585993153435624,
        0.6435011087932844, 0.7188299996216245, 0.7853981633974483,
    ]

    /// arctan of a number from 0 to 1: that of the nearest eighth, and the series of what is left, at most 1/16.
    private static func arctangent(_ x: Double) -> Double {
        let eighth = (x * 8).rounded(.toNearestOrEven)
        let near = eighth / 8
        let rest = (x - near) / (1 + x * near)
        let square = rest * rest
        var sum = 0.0
        for divisor in stride(from: 15, through: 3, by: -2) { sum = (1 / Double(divisor) - sum) * square }
        return arctangents[Int(eighth)] + (rest - rest * sum)
    }
}
