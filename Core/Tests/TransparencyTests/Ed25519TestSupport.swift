import Encodings

/// SHA-512 (FIPS 180-4), plainly written, for the tests' Ed25519.
enum SHA512 {
    static func hash(_ message: Bytes) -> Bytes {
        var padded = message + [0x80]
        while padded.count % 128 != 112 { padded.append(0) }
        padded += bigEndianBytes(0) + bigEndianBytes(UInt64(message.count) * 8)
        var state = initial
        for start in stride(from: 0, to: padded.count, by: 128) { compress(&state, Array(padded[start..<start + 128])) }
        return state.flatMap(bigEndianBytes)
    }

    private static func compress(_ state: inout [UInt64], _ block: Bytes) {
        var w = (0..<16).map { word in block[word * 8..<word * 8 + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        for index in 16..<80 {
            let s0 = rotate(w[index - 15], 1) ^ rotate(w[index - 15], 8) ^ w[index - 15] >> 7
            let s1 = rotate(w[index - 2], 19) ^ rotate(w[index - 2], 61) ^ w[index - 2] >> 6
            w.append(w[index - 16] &+ s0 &+ w[index - 7] &+ s1)
        }
        var v = state
        for index in 0..<80 {
            let s1 = rotate(v[4], 14) ^ rotate(v[4], 18) ^ rotate(v[4], 41)
            let t1 = v[7] &+ s1 &+ ((v[4] & v[5]) ^ (~v[4] & v[6])) &+ constants[index] &+ w[index]
            let s0 = rotate(v[0], 28) ^ rotate(v[0], 34) ^ rotate(v[0], 39)
            let t2 = s0 &+ ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]))
            v = [t1 &+ t2, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] &+= v[index] }
    }

    private static func rotate(_ value: UInt64, _ by: UInt64) -> UInt64 { value >> by | value << (64 - by) }

    private static let initial: [UInt64] = [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ]

    private static let constants: [UInt64] = [
        0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
        0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
        0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
        0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
        0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
        0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
        0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
        0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
        0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
        0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
        0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
        0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
        0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
        0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
        0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
        0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
        0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
        0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
        0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
        0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
    ]
}

/// A number modulo 2^255 - 19: four 64-bit limbs, lowest first, any value below 2^256.
private struct Field {
    var limbs: (UInt64, UInt64, UInt64, UInt64)

    init(_ small: UInt64) { limbs = (small, 0, 0, 0) }

    init(littleEndian bytes: Bytes) {
        func limb(_ at: Int) -> UInt64 { bytes[at..<at + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        limbs = (limb(0), limb(8), limb(16), limb(24))
    }

    private init(_ wide: [UInt64], overflow: UInt64 = 0) {
        // 2^256 is 38 modulo the prime.
        var carry = overflow
        var w = wide
        while carry > 0 {
            var add = carry * 38
            carry = 0
            for index in 0..<4 {
                let (sum, over) = w[index].addingReportingOverflow(add)
                w[index] = sum
                add = over ? 1 : 0
            }
            carry = add
        }
        limbs = (w[0], w[1], w[2], w[3])
    }

    private var words: [UInt64] { [limbs.0, limbs.1, limbs.2, limbs.3] }

    static func + (left: Field, right: Field) -> Field {
        var carry: UInt64 = 0
        var sum: [UInt64] = []
        let (a, b) = (left.words, right.words)
        for index in 0..<4 {
            let (first, over) = a[index].addingReportingOverflow(b[index])
            let (second, again) = first.addingReportingOverflow(carry)
            sum.append(second)
            carry = (over ? 1 : 0) + (again ? 1 : 0)
        }
        return Field(sum, overflow: carry)
    }

    static func - (left: Field, right: Field) -> Field { left + right * minusOne }

    static func * (left: Field, right: Field) -> Field {
        var product = [UInt64](repeating: 0, count: 8)
        let (a, b) = (left.words, right.words)
        for i in 0..<4 {
            var carry: UInt64 = 0
            for j in 0..<4 { (carry, product[i + j]) = mulAdd(a[i], b[j], product[i + j], carry) }
            product[i + 4] = carry
        }
        var carry: UInt64 = 0
        for index in 0..<4 { (carry, product[index]) = mulAdd(product[index + 4], 38, product[index], carry) }
        return Field(product, overflow: carry)
    }

    /// a * b + c + d, which fits two words.
    private static func mulAdd(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) -> (UInt64, UInt64) {
        var (high, low) = a.multipliedFullWidth(by: b)
        var over: Bool
        (low, over) = low.addingReportingOverflow(c)
        high &+= over ? 1 : 0
        (low, over) = low.addingReportingOverflow(d)
        high &+= over ? 1 : 0
        return (high, low)
    }

    /// The power by a little-endian exponent.
    func power(_ exponent: Bytes) -> Field {
        var result = Field(1)
        for byte in exponent.reversed() {
            for bit in (0..<8).reversed() {
                result = result * result
                if byte >> UInt8(bit) & 1 == 1 { result = result * self }
            }
        }
        return result
    }

    var inverse: Field { power([0xEB] + Bytes(repeating: 0xFF, count: 30) + [0x7F]) }

    /// The one form below the prime, little-endian.
    var bytes: Bytes {
        var value = words
        // 2^255 is 19 modulo the prime.
        for _ in 0..<2 where value[3] >> 63 == 1 {
            value[3] &= ~(1 << 63)
            value = Field.adding19(value)
        }
        let next = Field.adding19(value)
        if next[3] >> 63 == 1 {
            value = next
            value[3] &= ~(1 << 63)
        }
        return value.flatMap { bigEndianBytes($0).reversed() }
    }

    private static func adding19(_ value: [UInt64]) -> [UInt64] {
        var carry: UInt64 = 19
        return value.map { limb in
            let (sum, over) = limb.addingReportingOverflow(carry)
            carry = over ? 1 : 0
            return sum
        }
    }

    static let minusOne = Field(littleEndian: [0xEC] + Bytes(repeating: 0xFF, count: 30) + [0x7F])
    static let d = minusOne * Field(121_665) * Field(121_666).inverse
    static let rootOfMinusOne = Field(2).power([0xFB] + Bytes(repeating: 0xFF, count: 30) + [0x1F])
}

/// A point of edwards25519 in projective coordinates (RFC 8032 section 5.1.4, without the extended fourth).
private struct Point {
    var x: Field
    var y: Field
    var z = Field(1)

    static let zero = Point(x: Field(0), y: Field(1))
    static let base = Point(compressed: (Field(4) * Field(5).inverse).bytes) ?? zero

    init(x: Field, y: Field, z: Field = Field(1)) { (self.x, self.y, self.z) = (x, y, z) }

    init?(compressed: Bytes) {
        var bytes = compressed
        let sign = bytes[31] >> 7
        bytes[31] &= 0x7F
        y = Field(littleEndian: bytes)
        guard y.bytes == bytes else { return nil }
        let u = y * y - Field(1)
        let v = Field.d * y * y + Field(1)
        let exponent = [0xFE] + Bytes(repeating: 0xFF, count: 30) + [0x0F]
        let square = u * v.inverse
        x = square.power(exponent)
        if (x * x).bytes != square.bytes { x = x * Field.rootOfMinusOne }
        guard (x * x).bytes == square.bytes else { return nil }
        if x.bytes[0] & 1 != sign { x = x * Field.minusOne }
        guard x.bytes[0] & 1 == sign else { return nil }
    }

    static func + (p: Point, q: Point) -> Point {
        let a = p.z * q.z
        let b = a * a
        let c = p.x * q.x
        let d = p.y * q.y
        let e = Field.d * c * d
        let f = b - e
        let g = b + e
        let cross = (p.x + p.y) * (q.x + q.y) - c - d
        return Point(x: a * f * cross, y: a * g * (d + c), z: f * g)
    }

    func times(_ scalar: Bytes) -> Point {
        var result = Point.zero
        for byte in scalar.reversed() {
            for bit in (0..<8).reversed() {
                result = result + result
                if byte >> UInt8(bit) & 1 == 1 { result = result + self }
            }
        }
        return result
    }

    var compressed: Bytes {
        let inverse = z.inverse
        var bytes = (y * inverse).bytes
        bytes[31] |= (x * inverse).bytes[0] << 7
        return bytes
    }
}

/// Numbers modulo the order of the base point, little-endian bytes, one bit at a time.
private enum Scalar {
    static let order: Bytes =
        [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
        + Bytes(repeating: 0, count: 15) + [0x10]

    static func isReduced(_ value: Bytes) -> Bool { Bytes(value.reversed()).precedes(Bytes(order.reversed())) }

    static func add(_ left: Bytes, _ right: Bytes) -> Bytes {
        var carry: UInt16 = 0
        var sum: Bytes = []
        for index in 0..<32 {
            carry += UInt16(left[index]) + UInt16(right[index])
            sum.append(UInt8(carry & 255))
            carry >>= 8
        }
        guard !isReduced(sum) else { return sum }
        var borrow: Int16 = 0
        for index in 0..<32 {
            let difference = Int16(sum[index]) - Int16(order[index]) - borrow
            sum[index] = UInt8(difference & 255)
            borrow = difference < 0 ? 1 : 0
        }
        return sum
    }

    static func multiply(_ left: Bytes, _ right: Bytes) -> Bytes {
        var result = Bytes(repeating: 0, count: 32)
        for byte in right.reversed() {
            for bit in (0..<8).reversed() {
                result = add(result, result)
                if byte >> UInt8(bit) & 1 == 1 { result = add(result, left) }
            }
        }
        return result
    }

    /// A number of any length, reduced.
    static func reduce(_ value: Bytes) -> Bytes { multiply([1] + Bytes(repeating: 0, count: 31), value) }
}

/// Ed25519 (RFC 8032 section 5.1): small, slow, not constant time: for tests and nothing else.
enum TestEd25519 {
    static func isValid(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        guard signature.count == 64, publicKey.count == 32, let key = Point(compressed: publicKey) else { return false }
        let r = Bytes(signature.prefix(32))
        let s = Bytes(signature.suffix(32))
        guard Scalar.isReduced(s) else { return false }
        let k = Scalar.reduce(SHA512.hash(r + publicKey + message))
        let negated = Point(x: key.x * Field.minusOne, y: key.y)
        return (Point.base.times(s) + negated.times(k)).compressed == r
    }

    static func publicKey(seed: Bytes) -> Bytes { Point.base.times(secret(seed)).compressed }

    static func sign(_ message: Bytes, seed: Bytes) -> Bytes {
        let prefix = Bytes(SHA512.hash(seed).suffix(32))
        let r = Scalar.reduce(SHA512.hash(prefix + message))
        let point = Point.base.times(r).compressed
        let k = Scalar.reduce(SHA512.hash(point + publicKey(seed: seed) + message))
        return point + Scalar.add(r, Scalar.multiply(Scalar.reduce(secret(seed)), k))
    }

    private static func secret(_ seed: Bytes) -> Bytes {
        var bytes = Bytes(SHA512.hash(seed).prefix(32))
        bytes[0] &= 248
        bytes[31] = bytes[31] & 127 | 64
        return bytes
    }
}
