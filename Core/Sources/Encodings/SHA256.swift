/// SHA-256 (FIPS 180-4), incremental.
///
/// On server and command line `CryptoSuite` offers a faster one; this one runs everywhere, the page included.
public struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var block: Bytes = []
    private var length: UInt64 = 0

    /// An empty hash.
    public init() {
        block.reserveCapacity(64)
    }

    /// The digest of `bytes`, 32 bytes.
    public static func hash(_ bytes: Bytes) -> Bytes {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Appends bytes to what is hashed.
    public mutating func update(_ bytes: Bytes) {
        length &+= UInt64(bytes.count)
        var index = 0
        if !block.isEmpty {
            let take = min(64 - block.count, bytes.count)
            block.append(contentsOf: bytes[0..<take])
            index = take
            guard block.count == 64 else { return }
            compress(block, 0)
            block.removeAll(keepingCapacity: true)
        }
        while bytes.count - index >= 64 {
            compress(bytes, index)
            index += 64
        }
        if index < bytes.count { block.append(contentsOf: bytes[index..<bytes.count]) }
    }

    /// The digest of everything appended, 32 bytes.
    public consuming func finish() -> Bytes {
        let bits = length &* 8
        var tail: Bytes = [0x80]
        let used = (block.count + 1) % 64
        tail.append(contentsOf: Bytes(repeating: 0, count: used <= 56 ? 56 - used : 120 - used))
        tail.append(contentsOf: bigEndianBytes(bits))
        update(tail)
        var digest: Bytes = []
        digest.reserveCapacity(32)
        for word in state {
            digest.append(UInt8(truncatingIfNeeded: word >> 24))
            digest.append(UInt8(truncatingIfNeeded: word >> 16))
            digest.append(UInt8(truncatingIfNeeded: word >> 8))
            digest.append(UInt8(truncatingIfNeeded: word))
        }
        return digest
    }

    private mutating func compress(_ bytes: Bytes, _ offset: Int) {
        var w = InlineArray<64, UInt32>(repeating: 0)
        for index in 0..<16 {
            let at = offset + index * 4
            let high = UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16
            w[index] = high | UInt32(bytes[at + 2]) << 8 | UInt32(bytes[at + 3])
        }
        for index in 16..<64 {
            let x = w[index - 15]
            let y = w[index - 2]
            let s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >> 3)
            let s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >> 10)
            w[index] = w[index - 16] &+ s0 &+ w[index - 7] &+ s1
        }
        var a = state[0]
        var b = state[1]
        var c = state[2]
        var d = state[3]
        var e = state[4]
        var f = state[5]
        var g = state[6]
        var h = state[7]
        for index in 0..<64 {
            let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let choice = (e & f) ^ (~e & g)
            let t1 = h &+ s1 &+ choice &+ Self.constants[index] &+ w[index]
            let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let t2 = s0 &+ majority
            h = g
            g = f
            f = e
            e = d &+ t1
            d = c
            c = b
            b = a
            a = t1 &+ t2
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    @inline(__always) private func rotate(_ value: UInt32, _ by: UInt32) -> UInt32 {
        value >> by | value << (32 - by)
    }

    private static let constants: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

/// HMAC with SHA-256 (RFC 2104), 32 bytes.
public enum HMACSHA256 {
    /// The authentication code of `message` under `key` of any length.
    public static func authenticate(_ message: Bytes, key: Bytes) -> Bytes {
        var padded = key.count > 64 ? SHA256.hash(key) : key
        padded.append(contentsOf: Bytes(repeating: 0, count: 64 - padded.count))
        var inner = SHA256()
        inner.update(padded.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(padded.map { $0 ^ 0x5C })
        outer.update(inner.finish())
        return outer.finish()
    }

    /// The same with a suite's SHA-256, which may be a faster one.
    public static func authenticate(_ message: Bytes, key: Bytes, suite: some CryptoSuite) -> Bytes {
        var padded = key.count > 64 ? suite.sha256(key) : key
        padded.append(contentsOf: Bytes(repeating: 0, count: 64 - padded.count))
        let inner = suite.sha256(padded.map { $0 ^ 0x36 } + message)
        return suite.sha256(padded.map { $0 ^ 0x5C } + inner)
    }
}
