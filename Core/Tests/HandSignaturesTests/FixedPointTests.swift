import Encodings
import Testing

@testable import HandSignatures

/// Decimals that become whole numbers without floating point between.
@Suite("Decimals")
struct FixedPointTests {
    @Test("are read exactly, and rounded once, away from zero")
    func values() {
        let cases: [(String, Int, Int64)] = [
            ("0", 0, 0), ("-0", 6, 0), ("1", 2, 100), ("1.5", 2, 150), ("007.5", 1, 75), ("1.005", 2, 101),
            ("-1.005", 2, -101), ("1.00499999999999999999999999999999999999999999999999", 2, 100),
            ("1e2", 0, 100), ("1.25E-1", 2, 13), ("12e-1", 0, 1), ("15e-1", 0, 2), ("5e-1", 0, 1), ("4e-1", 0, 0),
            ("5e-3", 2, 1), ("5e-4", 2, 0), ("1e-999", 6, 0), ("0e999", 6, 0), ("0.1e+3", 0, 100),
            ("9223372036854775806", 0, .max - 1), ("-9223372036854.775806", 6, -.max + 1),
            ("1700000000.123456", 6, 1_700_000_000_123_456), ("0.000000000000000000000000000000001e33", 0, 1),
        ]
        for (text, places, value) in cases {
            #expect(FixedPoint.parse(Bytes(text: text), places: places) == value, "\(text)")
        }
    }

    @Test("are nothing else, and not too large")
    func others() {
        for text in [
            "", "-", "+1", "--1", ".", ".5", "5.", "1..2", "1.2.3", "e", "e5", "1e", "1e+", "1e-", "1e1234", "1e1.5",
            "1e5e5",
            "nan", "NaN", "inf", "-inf", "Infinity", "0x10", "1_000", "1 ", " 1", "1,5", "٣", "1\u{0}",
            "9223372036854775807", "9223372036854775808", "1e19", "1e999", String(repeating: "0", count: 65),
        ] {
            #expect(FixedPoint.parse(Bytes(text: text), places: 0) == nil, "\(text)")
        }
    }
}
