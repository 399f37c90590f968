/// secp192k1 (SEC 2 version 2 section 2.2.1).
///
/// Only for old peers: its strength is 96 bits.
enum Secp192k1: ShortWeierstrassCurve {
    /// 2^192 - 2^32 - 4553.
    enum Prime: PrimeModulus {
        static var bitCount: Int { 192 }
        @inline(__always) static var words: Words<3> { Words([0xffff_fffe_ffff_ee37, ~0, ~0]) }
        @inline(__always) static var negatedInverse: UInt64 { 0xf27a_e55b_7446_d879 }
        @inline(__always) static var r: Words<3> { Words([0x0001_0000_11c9, 0, 0]) }
        @inline(__always) static var rSquared: Words<3> { Words([0x2392_013c_4fd1, 1, 0]) }
    }

    /// The number of points.
    enum Order: PrimeModulus {
        static var bitCount: Int { 192 }
        @inline(__always) static var words: Words<3> { Words([0x0f69_466a_74de_fd8d, 0xffff_fffe_26f2_fc17, ~0]) }
        @inline(__always) static var negatedInverse: UInt64 { 0x8203_e3a8_5604_72bb }
        @inline(__always) static var r: Words<3> { Words([0xf096_b995_8b21_0273, 0x0001_d90d_03e8, 0]) }
        @inline(__always) static var rSquared: Words<3> {
            Words([0x461c_1989_250f_0702, 0xf0f4_f172_195e_97e2, 0x6a21_191c_2ec4_b2b1])
        }
    }

    typealias Field = Montgomery<Prime>

    static var aIsZero: Bool { true }
    static let generatorMultiples = GeneratorMultiples<Secp192k1>()

    /// b is 3.
    @inline(__always)
    static func timesB(_ element: Field) -> Field { element.doubled() + element }

    static var generator: AffinePoint<Secp192k1> {
        AffinePoint(
            x: Field(form: Words([0x104e_f14e_d33e_b108, 0x9997_45b7_654c_0496, 0x411e_2909_023b_8750])),
            y: Field(form: Words([0xc878_707b_e70f_07e2, 0x44b6_b606_fa03_81d8, 0x9688_ad18_fc9a_6f1f]))
        )
    }
}
