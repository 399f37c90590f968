import Foundation

@testable import QRCodes

/// Takes pictures of symbols: turned, slanted, bent, dark, with noise of a fixed seed.
struct PictureMaker {
    var width = 640
    var height = 480
    /// Pixels a module.
    var module: Float = 6
    /// In degrees.
    var angle: Float = 0
    /// How much nearer the right edge is than the left one: 0 is flat.
    var slant: Float = 0
    /// How far the middle of each row is off the straight, as a share of the symbol.
    var bend: Float = 0
    var isMirrored = false
    var ink: Float = 20
    var paper: Float = 230
    /// The light at the left edge, beside 1 at the right one.
    var light: Float = 1
    /// The largest deviation, in shades.
    var noise: Float = 0

    func picture(_ code: QRCode) throws -> GreyPicture {
        var random = TestRandom(seed: UInt64(code.version))
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height)
        let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        for row in 0..<height {
            for column in 0..<width {
                var dark: Float = 0
                for sample in 0..<9 {
                    let x = (Float(column) + (Float(sample % 3) + 0.5) / 3 - Float(width) / 2) / module
                    let y = (Float(row) + (Float(sample / 3) + 0.5) / 3 - Float(height) / 2) / module
                    if isDark(code, x * cosine + y * sine, y * cosine - x * sine) { dark += 1 / 9 }
                }
                let lit = light + (1 - light) * Float(column) / Float(width)
                let shade = (paper + (ink - paper) * dark) * lit + random.signed() * noise
                pixels.append(UInt8(max(0, min(255, shade))))
            }
        }
        return try GreyPicture(width: width, height: height, pixels: pixels)
    }

    /// - Parameters: modules from the middle of the symbol.
    private func isDark(_ code: QRCode, _ x: Float, _ y: Float) -> Bool {
        let size = Float(code.size)
        let scale = 1 + slant * x / size
        guard scale > 0.1 else { return false }
        var u = x / scale
        var v = y / scale
        let along = 2 * u / size
        v += bend * size * (along * along - 1)
        if isMirrored { swap(&u, &v) }
        let column = (u + size / 2).rounded(.down)
        let row = (v + size / 2).rounded(.down)
        guard abs(column) < 1_000, abs(row) < 1_000 else { return false }
        return code[Int(row), Int(column)]
    }
}

/// SplitMix64: the same numbers in every run.
struct TestRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From -1 to 1.
    mutating func signed() -> Float { Float(next() >> 40) / Float(1 << 23) - 1 }
}
