import Encodings

/// Poly1305 (RFC 8439 section 2.5): numbers modulo 2^130 - 5, in five limbs of 26 bits.
///
/// Nothing jumps, and no address depends on a secret.
struct Poly1305 {
    private typealias Limbs = InlineArray<5, UInt64>
    private static let mask: UInt64 = 0x3FF_FFFF

    /// The factor, with the bits cleared that the RFC clears.
    private let r: Limbs
    /// What is added in the end, as four words.
    private let s: InlineArray<4, UInt64>
    private var sum = Limbs(repeating: 0)

    /// Takes a key of 32 bytes; the caller has checked the length.
    init(key: Bytes) {
        let words = unsafe key.withUnsafeBytes { key in
            InlineArray<8, UInt64> {
                unsafe UInt64(UInt32(littleEndian: key.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
            }
        }
        r = [
            words[0] & Self.mask,
            (words[0] >> 26 | words[1] << 6) & 0x3FF_FF03,
            (words[1] >> 20 | words[2] << 12) & 0x3FF_C0FF,
            (words[2] >> 14 | words[3] << 18) & 0x3F0_3FFF,
            words[3] >> 8 & 0xF_FFFF,
        ]
        s = [words[4], words[5], words[6], words[7]]
    }

    /// Adds bytes, and zeros up to the next multiple of 16.
    mutating func updatePadded(_ bytes: UnsafeRawBufferPointer) {
        unsafe update(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count & ~15)]))
        let rest = bytes.count & 15
        guard rest > 0 else { return }
        var block = InlineArray<16, UInt8>(repeating: 0)
        unsafe withUnsafeMutableBytes(of: &block) { block in
            unsafe block.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - rest)...]))
            unsafe update(UnsafeRawBufferPointer(block))
        }
    }

    /// Adds whole blocks of 16 bytes.
    private mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let (r0, r1, r2, r3, r4) = (r[0], r[1], r[2], r[3], r[4])
        let (s1, s2, s3, s4) = (r1 &* 5, r2 &* 5, r3 &* 5, r4 &* 5)
        var (h0, h1, h2, h3, h4) = (sum[0], sum[1], sum[2], sum[3], sum[4])
        var offset = 0
        while offset < bytes.count {
            let low = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let high = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
            h0 &+= low & Self.mask
            h1 &+= low &>> 26 & Self.mask
            h2 &+= (low &>> 52 | high &<< 12) & Self.mask
            h3 &+= high &>> 14 & Self.mask
            h4 &+= high &>> 40 | 1 &<< 24
            var d0 = h0 &* r0 &+ h1 &* s4 &+ h2 &* s3
            d0 = d0 &+ h3 &* s2 &+ h4 &* s1
            var d1 = h0 &* r1 &+ h1 &* r0 &+ h2 &* s4
            d1 = d1 &+ h3 &* s3 &+ h4 &* s2
            var d2 = h0 &* r2 &+ h1 &* r1 &+ h2 &* r0
            d2 = d2 &+ h3 &* s4 &+ h4 &* s3
            var d3 = h0 &* r3 &+ h1 &* r2 &+ h2 &* r1
            d3 = d3 &+ h3 &* r0 &+ h4 &* s4
            var d4 = h0 &* r4 &+ h1 &* r3 &+ h2 &* r2
            d4 = d4 &+ h3 &* r1 &+ h4 &* r0
            d1 &+= d0 &>> 26
            d2 &+= d1 &>> 26
            d3 &+= d2 &>> 26
            d4 &+= d3 &>> 26
            h0 = d0 & Self.mask &+ (d4 &>> 26) &* 5
            h1 = d1 & Self.mask &+ h0 &>> 26
            h0 &= Self.mask
            h2 = d2 & Self.mask
            h3 = d3 & Self.mask
            h4 = d4 & Self.mask
            offset &+= 16
        }
        sum = [h0, h1, h2, h3, h4]
    }

    /// The tag, 16 bytes.
    consuming func finish() -> Bytes {
        var h = sum
        // Twice around: after that every limb has 26 bits.
        for _ in 0..<2 {
            for index in 0..<4 {
                h[index + 1] &+= h[index] >> 26
                h[index] &= Self.mask
            }
            h[0] &+= (h[4] >> 26) &* 5
            h[4] &= Self.mask
        }
        h[1] &+= h[0] >> 26
        h[0] &= Self.mask
        // The sum minus the prime; its sign says by a mask which of both it is.
        var g = h
        g[0] &+= 5
        for index in 0..<4 {
            g[index + 1] &+= g[index] >> 26
            g[index] &= Self.mask
        }
        let isReduced = 0 &- (g[4] >> 26 & 1)
        g[4] &= Self.mask
        for index in 0..<5 { h[index] = h[index] & ~isReduced | g[index] & isReduced }
        let words: InlineArray<4, UInt64> = [
            h[0] | h[1] << 26, h[1] >> 6 | h[2] << 20, h[2] >> 12 | h[3] << 14, h[3] >> 18 | h[4] << 8,
        ]
        var tag: Bytes = []
        tag.reserveCapacity(16)
        var carry: UInt64 = 0
        for index in 0..<4 {
            carry = (words[index] & 0xFFFF_FFFF) &+ s[index] &+ carry
            for shift in stride(from: UInt64(0), through: 24, by: 8) {
                tag.append(UInt8(truncatingIfNeeded: carry >> shift))
            }
            carry >>= 32
        }
        return tag
    }
}
