public import Encodings

/// Spoils good inputs in the ways that break parsers, the same ways for the same seed: for parsers that libFuzzer does
/// not reach.
public struct Mutator {
    private var state: UInt64

    /// A mutator whose inputs depend only on the seed.
    public init(seed: UInt64) { state = seed }

    /// One of `inputs` with one to six things done to it.
    ///
    /// - Parameters:
    ///   - inputs: good ones, one at least.
    ///   - maximumLength: of the result, in bytes.
    public mutating func mutated(_ inputs: [Bytes], maximumLength: Int) -> Bytes {
        var bytes = inputs[below(inputs.count)]
        for _ in 0...below(6) { change(&bytes, inputs) }
        return Array(bytes.prefix(maximumLength))
    }

    private mutating func change(_ bytes: inout Bytes, _ inputs: [Bytes]) {
        let place = below(bytes.count + 1)
        let length = min(bytes.count - place, 1 + below(below(4) == 0 ? 64 : 4))
        switch below(8) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
        case 1 where place < bytes.count: bytes[place] = UInt8(below(256))
        case 2: bytes.removeSubrange(place..<place + length)
        case 3: bytes.insert(contentsOf: Array(bytes[place..<place + length]), at: below(bytes.count + 1))
        case 4: bytes.replaceSubrange(place..<place + length, with: token())
        case 5: bytes.insert(contentsOf: token(), at: place)
        case 6:
            // The end of another input behind the beginning of this one.
            let other = inputs[below(inputs.count)]
            bytes = Array(bytes[..<place]) + other[below(other.count + 1)...]
        default: bytes.insert(contentsOf: (0...below(3)).map { _ in UInt8(below(256)) }, at: place)
        }
    }

    /// Values that have a meaning somewhere, or are at a limit.
    private mutating func token() -> Bytes {
        let tokens: [StaticString] = [
            "0", "-1", "255", "256", "65536", "2147483648", "4294967296", "9007199254740991", "9007199254740992",
            "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e999", "{", "}", "[", "]", "\"",
            "\\u0000", "\\ud800", ",", ":", "null", "true", "\n", "\r", "\r\n", "\u{0}", ".", "..", "/", "//", "%",
            "%00",
            ";", "=", "#", "@", "::", "\u{7F}", "\u{80}", "\u{FEFF}", "é", "e\u{301}", "😀",
        ]
        return tokens[below(tokens.count)].withUTF8Buffer { unsafe Bytes($0) }
    }

    private mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
