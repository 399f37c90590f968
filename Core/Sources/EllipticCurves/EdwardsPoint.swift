import Encodings

/// A point of edwards25519 in extended coordinates (RFC 8032 section 5.1.4): x = X/Z, y = Y/Z, x·y = T/Z.
///
/// The formulas hold for all points of the curve without exception.
struct EdwardsPoint: GroupElement {
    typealias Field = Field25519

    private let x: Field
    private let y: Field
    private let z: Field
    private let t: Field

    private init(x: Field, y: Field, z: Field, t: Field) {
        self.x = x
        self.y = y
        self.z = z
        self.t = t
    }

    private init(x: Field, y: Field) {
        self.init(x: x, y: y, z: .one, t: x * y)
    }

    static var neutral: Self { Self(x: .zero, y: .one) }

    static let generator = Self(
        x: Field(
            Words256(0xc956_2d60_8f25_d51a, 0x692c_c760_9525_a7b2, 0xc0a4_e231_fdd6_dc5c, 0x2169_36d3_cd6e_53fe)),
        y: Field(
            Words256(0x6666_6666_6666_6658, 0x6666_6666_6666_6666, 0x6666_6666_6666_6666, 0x6666_6666_6666_6666)))

    /// The curve's d, -121665/121666.
    private static let d = Field(
        Words256(0x75eb_4dca_1359_78a3, 0x0070_0a4d_4141_d8ab, 0x8cc7_4079_7779_e898, 0x5203_6cee_2b6f_fe73))
    private static let rootOfMinusOne = Field(
        Words256(0xc4ee_1b27_4a0e_a0b0, 0x2f43_1806_ad2f_e478, 0x2b4d_0099_3dfb_d7a7, 0x2b83_2480_4fc1_df0b))

    /// Reads a compressed point (RFC 8032 section 5.1.3).
    ///
    /// - Returns: `nil` when y is not below the prime, no point has this y, or x is zero and said to be odd.
    init?(compressed: Words256) {
        let isOdd = compressed.w3 >> 63 == 1
        var number = compressed
        number.w3 &= ~0 >> 1
        guard let y = Field(canonical: number) else { return nil }
        let u = y.squared() - .one
        let v = Self.d * y.squared() + .one
        // A root of u/v, if there is one: u v^3 (u v^7)^((p - 5) / 8).
        let cube = v.squared() * v
        var x = u * cube * (u * cube.squared() * v).rootPower()
        if v * x.squared() != u { x = x * Self.rootOfMinusOne }
        guard v * x.squared() == u, !(x.isZero && isOdd) else { return nil }
        self.init(x: x.isOdd == isOdd ? x : x.negated(), y: y)
    }

    /// The compressed form (RFC 8032 section 5.1.2).
    var compressed: Words256 {
        let inverse = z.inverse()
        var number = (y * inverse).number
        if (x * inverse).isOdd { number.w3 |= 1 << 63 }
        return number
    }

    /// Whether the point is one of the eight whose order divides 8.
    var hasSmallOrder: Bool {
        let eightfold = doubled().doubled().doubled()
        return eightfold.x.isZero && eightfold.y == eightfold.z
    }

    func negated() -> Self { Self(x: x.negated(), y: y, z: z, t: t.negated()) }

    func doubled() -> Self {
        let a = x.squared()
        let b = y.squared()
        let h = a + b
        let e = h - (x + y).squared()
        let g = a - b
        let f = z.squared().doubled() + g
        return Self(x: e * f, y: g * h, z: f * g, t: e * h)
    }

    static func + (left: Self, right: Self) -> Self {
        let a = (left.y - left.x) * (right.y - right.x)
        let b = (left.y + left.x) * (right.y + right.x)
        let c = left.t * right.t.doubled() * d
        let z = left.z.doubled() * right.z
        let e = b - a
        let f = z - c
        let g = z + c
        let h = b + a
        return Self(x: e * f, y: g * h, z: f * g, t: e * h)
    }
}
