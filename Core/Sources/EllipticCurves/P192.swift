/// P-192, which RFC 5480 calls secp192r1 and ANSI X9.62 prime192v1 (FIPS 186-4 appendix D.1.2.1).
///
/// Only for old peers: it is no longer approved, and its strength is 96 bits.
enum P192: ShortWeierstrassCurve {
    /// 2^192 - 2^64 - 1.
    enum Prime: PrimeModulus {
        static var bitCount: Int { 192 }
        @inline(__always) static var words: Words<3> { Words([~0, 0xffff_ffff_ffff_fffe, ~0]) }
        @inline(__always) static var negatedInverse: UInt64 { 1 }
        @inline(__always) static var r: Words<3> { Words([1, 1, 0]) }
        @inline(__always) static var rSquared: Words<3> { Words([1, 2, 1]) }
    }

    /// The number of points.
    enum Order: PrimeModulus {
        static var bitCount: Int { 192 }
        @inline(__always) static var words: Words<3> { Words([0x146b_c9b1_b4d2_2831, 0xffff_ffff_99de_f836, ~0]) }
        @inline(__always) static var negatedInverse: UInt64 { 0x8826_7207_0ddb_cf2f }
        @inline(__always) static var r: Words<3> { Words([0xeb94_364e_4b2d_d7cf, 0x6621_07c9, 0]) }
        @inline(__always) static var rSquared: Words<3> {
            Words([0xce66_bacc_deb3_5961, 0x4696_ea5b_bb3a_6bee, 0x28be_5677_ea05_81a2])
        }
    }

    typealias Field = Montgomery<Prime>

    static var aIsZero: Bool { false }
    static let generatorMultiples = GeneratorMultiples<P192>()

    @inline(__always)
    static func timesB(_ element: Field) -> Field {
        Field(form: Words([0x62d9_e406_a6e3_3a98, 0x7281_cdb2_1907_6ae2, 0x73c8_eec5_57c0_b131])) * element
    }

    static var generator: AffinePoint<P192> {
        AffinePoint(
            x: Field(form: Words([0x0d8c_b30c_332f_a108, 0x8a4b_d3f7_76d1_2909, 0x954c_c8f9_f3d2_18f7])),
            y: Field(form: Words([0x7b12_a337_1e42_2289, 0xde22_b524_8966_f05e, 0x6a29_3d83_6aed_a84d]))
        )
    }
}
