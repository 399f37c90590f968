import Foundation
import Testing

@testable import HandSignatures

/// Our own logarithm and its like, beside the platform's.
@Suite("Elementary functions")
struct ElementaryTests {
    /// How many representable numbers lie between two.
    private static func distance(_ first: Double, _ second: Double) -> Int64 {
        abs(Int64(bitPattern: first.bitPattern) - Int64(bitPattern: second.bitPattern))
    }

    @Test("logarithms are within two units in the last place")
    func logarithm() {
        var x = 1e-300
        while x < 1e300 {
            #expect(Self.distance(Elementary.ln(x), Foundation.log(x)) <= 2 || abs(Foundation.log(x)) < 1e-9, "ln \(x)")
            x *= 1.0137
        }
        for step in -1000...1000 where step != 0 {
            let x = 1 + Double(step) * 3e-4
            #expect(abs(Elementary.ln(x) - Foundation.log(x)) <= 2e-16 * max(1, abs(Foundation.log(x))))
        }
        #expect(Elementary.ln(1) == 0)
    }

    @Test("the exponential function is within three units in the last place, and has an end either way")
    func exponential() {
        var x = -700.0
        while x < 700 {
            #expect(Self.distance(Elementary.exp(x), Foundation.exp(x)) <= 3, "exp \(x)")
            x += 0.0371
        }
        #expect(Elementary.exp(0) == 1)
        #expect(Elementary.exp(-1e9) == 0)
        #expect(Elementary.exp(1e9) == Elementary.exp(708))
    }

    @Test("angles are within two units in the last place, in all directions")
    func angle() {
        for step in 0..<20_000 {
            let angle = Double(step) * 0.000314159 * 2 - Double.pi
            let (y, x) = (Foundation.sin(angle) * 17, Foundation.cos(angle) * 17)
            #expect(Self.distance(Elementary.atan2(y, x), Foundation.atan2(y, x)) <= 2, "\(y) \(x)")
        }
        for (y, x, angle) in [
            (0.0, 0.0, 0.0), (0, -3, Double.pi), (2, 0, Double.pi / 2), (-2, 0, -Double.pi / 2), (1, 1, Double.pi / 4),
        ] { #expect(Elementary.atan2(y, x) == angle) }
    }
}
