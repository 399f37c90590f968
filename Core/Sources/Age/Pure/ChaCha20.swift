import Encodings

/// ChaCha20 (RFC 8439 section 2.4): four blocks at a time, one in each lane.
///
/// Additions, rotations and exclusive ors alone: nothing jumps, and no address depends on a secret.
struct ChaCha20 {
    private typealias Lanes = SIMD4<UInt32>

    private var key = InlineArray<8, UInt32>(repeating: 0)
    private var nonce = InlineArray<3, UInt32>(repeating: 0)

    /// Takes 32 bytes of key and 12 of nonce; the caller has checked the lengths.
    init(key: Bytes, nonce: Bytes) {
        for index in 0..<8 { self.key[index] = Self.word(key, 4 * index) }
        for index in 0..<3 { self.nonce[index] = Self.word(nonce, 4 * index) }
    }

    /// The first `count` bytes of the keystream of a block, at most 64.
    func keystream(block: UInt32, count: Int) -> Bytes {
        var bytes = Bytes(repeating: 0, count: count)
        unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe apply(to: UnsafeRawBufferPointer(bytes), into: bytes, firstBlock: block)
        }
        return bytes
    }

    /// Writes input ⊕ keystream; input and output are as long, and may be the same memory.
    func apply(to input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, firstBlock: UInt32) {
        var block = firstBlock
        var offset = 0
        while offset + 256 <= input.count {
            unsafe fourBlocks(
                block, UnsafeRawBufferPointer(rebasing: input[offset..<offset + 256]),
                UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + 256]))
            block &+= 4
            offset += 256
        }
        guard offset < input.count else { return }
        var rest = InlineArray<256, UInt8>(repeating: 0)
        let count = input.count - offset
        unsafe withUnsafeMutableBytes(of: &rest) { rest in
            unsafe rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[offset...]))
            unsafe fourBlocks(block, UnsafeRawBufferPointer(rest), rest)
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[offset...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
        }
    }

    private func fourBlocks(
        _ block: UInt32, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) {
        func all(_ word: UInt32) -> Lanes { Lanes(repeating: word) }
        let counters = all(block) &+ Lanes(0, 1, 2, 3)
        var (x0, x1, x2, x3) = (all(0x6170_7865), all(0x3320_646e), all(0x7962_2d32), all(0x6b20_6574))
        var (x4, x5, x6, x7) = (all(key[0]), all(key[1]), all(key[2]), all(key[3]))
        var (x8, x9, x10, x11) = (all(key[4]), all(key[5]), all(key[6]), all(key[7]))
        var (x12, x13, x14, x15) = (counters, all(nonce[0]), all(nonce[1]), all(nonce[2]))
        for _ in 0..<10 {
            Self.quarter(&x0, &x4, &x8, &x12)
            Self.quarter(&x1, &x5, &x9, &x13)
            Self.quarter(&x2, &x6, &x10, &x14)
            Self.quarter(&x3, &x7, &x11, &x15)
            Self.quarter(&x0, &x5, &x10, &x15)
            Self.quarter(&x1, &x6, &x11, &x12)
            Self.quarter(&x2, &x7, &x8, &x13)
            Self.quarter(&x3, &x4, &x9, &x14)
        }
        x0 &+= all(0x6170_7865)
        x1 &+= all(0x3320_646e)
        x2 &+= all(0x7962_2d32)
        x3 &+= all(0x6b20_6574)
        unsafe Self.write(0, x0, x1, x2, x3, input, output)
        unsafe Self.write(
            16, x4 &+ all(key[0]), x5 &+ all(key[1]), x6 &+ all(key[2]), x7 &+ all(key[3]), input, output)
        unsafe Self.write(
            32, x8 &+ all(key[4]), x9 &+ all(key[5]), x10 &+ all(key[6]), x11 &+ all(key[7]), input, output)
        unsafe Self.write(
            48, x12 &+ counters, x13 &+ all(nonce[0]), x14 &+ all(nonce[1]), x15 &+ all(nonce[2]), input, output)
    }

    @inline(__always)
    private static func quarter(_ a: inout Lanes, _ b: inout Lanes, _ c: inout Lanes, _ d: inout Lanes) {
        a &+= b
        d = rotate(d ^ a, 16)
        c &+= d
        b = rotate(b ^ c, 12)
        a &+= b
        d = rotate(d ^ a, 8)
        c &+= d
        b = rotate(b ^ c, 7)
    }

    @inline(__always)
    private static func rotate(_ lanes: Lanes, _ count: UInt32) -> Lanes {
        lanes &<< Lanes(repeating: count) | lanes &>> Lanes(repeating: 32 - count)
    }

    /// Four words of each of the four blocks, `offset` bytes into them.
    @inline(__always)
    private static func write(
        _ offset: Int, _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes, _ input: UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer
    ) {
        for lane in 0..<4 {
            let place = 64 * lane + offset
            let words = Lanes(a[lane], b[lane], c[lane], d[lane])
            let mixed = unsafe words ^ input.loadUnaligned(fromByteOffset: place, as: Lanes.self)
            unsafe output.storeBytes(of: mixed, toByteOffset: place, as: Lanes.self)
        }
    }

    private static func word(_ bytes: Bytes, _ offset: Int) -> UInt32 {
        UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
            | UInt32(bytes[offset + 3]) << 24
    }
}
