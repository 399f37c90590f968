public import Encodings

/// scrypt (RFC 7914), in Swift: a key from a passphrase, at a price in time and memory.
///
/// Which memory is read depends on the passphrase. That is scrypt's design: use it where nobody watches the caches.
public enum Scrypt {
    /// Derives bytes.
    ///
    /// Takes 128 · 2^`logWork` · `blockSize` bytes of memory, with a block size of 8 1 KiB · 2^`logWork`.
    /// - Parameters:
    ///   - logWork: the base-two logarithm of the work factor N, 1 to 30.
    ///   - blockSize: r, 1 to 64.
    ///   - parallelism: p, 1 to 64; one after the other.
    ///   - count: how many bytes, at most 1,024.
    /// - Returns: `nil` for parameters out of range.
    public static func derive(
        _ passphrase: Bytes, salt: Bytes, logWork: Int, blockSize: Int = 8, parallelism: Int = 1, count: Int = 32
    ) -> Bytes? {
        guard 1...30 ~= logWork, 1...64 ~= blockSize, 1...64 ~= parallelism, 1...1024 ~= count else { return nil }
        let blockLength = 128 * blockSize
        var blocks = stretch(passphrase, salt: salt, count: parallelism * blockLength)
        var mixer = Mixer(logWork: logWork, blockSize: blockSize)
        for index in 0..<parallelism { mixer.mix(&blocks, at: index * blockLength) }
        return stretch(passphrase, salt: blocks, count: count)
    }

    /// PBKDF2 with HMAC-SHA-256 and one iteration (RFC 8018 section 5.2).
    private static func stretch(_ passphrase: Bytes, salt: Bytes, count: Int) -> Bytes {
        var output: Bytes = []
        output.reserveCapacity(count + 31)
        var index: UInt64 = 1
        while output.count < count {
            let number = bigEndianBytes(index).suffix(4)
            output.append(contentsOf: HMACSHA256.authenticate(salt + number, key: passphrase))
            index += 1
        }
        output.removeLast(output.count - count)
        return output
    }
}

/// ROMix (RFC 7914 section 5) and the memory that it fills.
@safe private struct Mixer: ~Copyable {
    private let wordCount: Int
    private let work: Int
    private let table: UnsafeMutablePointer<UInt32>
    private let x: UnsafeMutablePointer<UInt32>
    private let y: UnsafeMutablePointer<UInt32>

    init(logWork: Int, blockSize: Int) {
        wordCount = 32 * blockSize
        work = 1 << logWork
        unsafe table = .allocate(capacity: wordCount * work)
        unsafe x = .allocate(capacity: wordCount)
        unsafe y = .allocate(capacity: wordCount)
    }

    deinit {
        unsafe table.deallocate()
        unsafe x.deallocate()
        unsafe y.deallocate()
    }

    mutating func mix(_ bytes: inout Bytes, at offset: Int) {
        unsafe bytes.withUnsafeBytes { bytes in
            for index in 0..<wordCount {
                unsafe x[index] = UInt32(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self))
            }
        }
        for row in 0..<work {
            unsafe (table + row * wordCount).update(from: x, count: wordCount)
            mixBlock()
        }
        for _ in 0..<work {
            // Masked first: on wasm32 an Int has 32 bits.
            let row = unsafe Int(x[wordCount - 16] & UInt32(work - 1))
            let other = unsafe table + row * wordCount
            for index in 0..<wordCount { unsafe x[index] ^= other[index] }
            mixBlock()
        }
        unsafe bytes.withUnsafeMutableBytes { bytes in
            for index in 0..<wordCount {
                unsafe bytes.storeBytes(of: x[index].littleEndian, toByteOffset: offset + 4 * index, as: UInt32.self)
            }
        }
    }

    /// BlockMix with Salsa20/8 (section 4), from `x` to `x`.
    private func mixBlock() {
        var state = InlineArray<16, UInt32>(repeating: 0)
        for index in 0..<16 { unsafe state[index] = x[wordCount - 16 + index] }
        let half = wordCount / 2
        for block in 0..<wordCount / 16 {
            for index in 0..<16 { unsafe state[index] ^= x[16 * block + index] }
            Salsa20.eightRounds(&state)
            // Blocks with even numbers first, then those with odd ones.
            let place = (block & 1) * half + (block >> 1) * 16
            for index in 0..<16 { unsafe y[place + index] = state[index] }
        }
        unsafe x.update(from: y, count: wordCount)
    }
}

/// The Salsa20/8 core (RFC 7914 section 3).
private enum Salsa20 {
    @inline(__always)
    static func eightRounds(_ state: inout InlineArray<16, UInt32>) {
        var (x0, x1, x2, x3) = (state[0], state[1], state[2], state[3])
        var (x4, x5, x6, x7) = (state[4], state[5], state[6], state[7])
        var (x8, x9, x10, x11) = (state[8], state[9], state[10], state[11])
        var (x12, x13, x14, x15) = (state[12], state[13], state[14], state[15])
        for _ in 0..<4 {
            quarter(&x0, &x4, &x8, &x12)
            quarter(&x5, &x9, &x13, &x1)
            quarter(&x10, &x14, &x2, &x6)
            quarter(&x15, &x3, &x7, &x11)
            quarter(&x0, &x1, &x2, &x3)
            quarter(&x5, &x6, &x7, &x4)
            quarter(&x10, &x11, &x8, &x9)
            quarter(&x15, &x12, &x13, &x14)
        }
        let mixed: InlineArray<16, UInt32> = [
            x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15,
        ]
        for index in 0..<16 { state[index] &+= mixed[index] }
    }

    @inline(__always)
    private static func quarter(_ a: inout UInt32, _ b: inout UInt32, _ c: inout UInt32, _ d: inout UInt32) {
        b ^= rotate(a &+ d, 7)
        c ^= rotate(b &+ a, 9)
        d ^= rotate(c &+ b, 13)
        a ^= rotate(d &+ c, 18)
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &<< count | word &>> (32 &- count)
    }
}
