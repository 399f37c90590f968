import Encodings

/// BLAKE2b (RFC 7693), without a key: the hash inside Argon2.
struct Blake2b {
    private var state: InlineArray<8, UInt64>
    private var block: Bytes = []
    private var counter: UInt64 = 0
    private let count: Int

    /// - Parameter count: of the digest's bytes, 1 to 64.
    init(count: Int) {
        self.count = count
        state = InlineArray { Self.initial[$0] }
        state[0] ^= 0x0101_0000 ^ UInt64(count)
        block.reserveCapacity(128)
    }

    /// The digest of bytes.
    static func hash(_ bytes: Bytes, count: Int) -> Bytes {
        var hash = Blake2b(count: count)
        hash.update(bytes)
        return hash.finish()
    }

    /// The variable-length hash of Argon2 (RFC 9106 section 3.3).
    static func long(_ bytes: Bytes, count: Int) -> Bytes {
        let input = littleEndian(UInt64(count), count: 4) + bytes
        guard count > 64 else { return hash(input, count: count) }
        var value = hash(input, count: 64)
        var output = Array(value.prefix(32))
        while count - output.count > 64 {
            value = hash(value, count: 64)
            output += value.prefix(32)
        }
        return output + hash(value, count: count - output.count)
    }

    mutating func update(_ bytes: Bytes) {
        for byte in bytes {
            // A full block waits until more comes: the last one is compressed in another way.
            if block.count == 128 {
                counter += 128
                compress(isLast: false)
                block.removeAll(keepingCapacity: true)
            }
            block.append(byte)
        }
    }

    consuming func finish() -> Bytes {
        counter += UInt64(block.count)
        block += Bytes(repeating: 0, count: 128 - block.count)
        compress(isLast: true)
        var digest: Bytes = []
        for index in 0..<8 { digest += littleEndian(state[index], count: 8) }
        return Array(digest.prefix(count))
    }

    private mutating func compress(isLast: Bool) {
        var v = InlineArray<16, UInt64> { $0 < 8 ? state[$0] : Self.initial[$0 - 8] }
        v[12] ^= counter
        if isLast { v[14] = ~v[14] }
        let m = InlineArray<16, UInt64> { word in
            var value: UInt64 = 0
            for place in (0..<8).reversed() { value = value << 8 | UInt64(block[8 * word + place]) }
            return value
        }
        func mix(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ x: UInt64, _ y: UInt64) {
            v[a] = v[a] &+ v[b] &+ x
            v[d] = turned(v[d] ^ v[a], 32)
            v[c] = v[c] &+ v[d]
            v[b] = turned(v[b] ^ v[c], 24)
            v[a] = v[a] &+ v[b] &+ y
            v[d] = turned(v[d] ^ v[a], 16)
            v[c] = v[c] &+ v[d]
            v[b] = turned(v[b] ^ v[c], 63)
        }
        for round in 0..<12 {
            func word(_ place: Int) -> UInt64 { m[Int(Self.order[round % 10][place])] }
            mix(0, 4, 8, 12, word(0), word(1))
            mix(1, 5, 9, 13, word(2), word(3))
            mix(2, 6, 10, 14, word(4), word(5))
            mix(3, 7, 11, 15, word(6), word(7))
            mix(0, 5, 10, 15, word(8), word(9))
            mix(1, 6, 11, 12, word(10), word(11))
            mix(2, 7, 8, 13, word(12), word(13))
            mix(3, 4, 9, 14, word(14), word(15))
        }
        for index in 0..<8 { state[index] ^= v[index] ^ v[index + 8] }
    }

    private static let initial: InlineArray<8, UInt64> = [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ]

    private static let order: InlineArray<10, InlineArray<16, UInt8>> = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ]
}

@inline(__always)
func turned(_ value: UInt64, _ by: UInt64) -> UInt64 { value &>> by | value &<< (64 &- by) }

/// The lowest `count` bytes of a number, the lowest first.
func littleEndian(_ value: UInt64, count: Int) -> Bytes {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}
