/// The numbers of P-256 (SP 800-186 section 3.2.1.3).
extension P256 {
    /// 2^256 - 2^224 + 2^192 + 2^96 - 1.
    enum Prime: PrimeModulus {
        static var bitCount: Int { 256 }
        @inline(__always) static var words: Words<4> { Words([~0, 0xffff_ffff, 0, 0xffff_ffff_0000_0001]) }
        @inline(__always) static var negatedInverse: UInt64 { 1 }
        @inline(__always) static var r: Words<4> { Words([1, 0xffff_ffff_0000_0000, ~0, 0xffff_fffe]) }
        @inline(__always) static var rSquared: Words<4> {
            Words([3, 0xffff_fffb_ffff_ffff, 0xffff_ffff_ffff_fffe, 0x0004_ffff_fffd])
        }
    }

    /// The number of points.
    enum Order: PrimeModulus {
        static var bitCount: Int { 256 }
        @inline(__always) static var words: Words<4> {
            Words([0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, ~0, 0xffff_ffff_0000_0000])
        }
        @inline(__always) static var negatedInverse: UInt64 { 0xccd1_c8aa_ee00_bc4f }
        @inline(__always) static var r: Words<4> {
            Words([0x0c46_353d_039c_daaf, 0x4319_0552_58e8_617b, 0, 0xffff_ffff])
        }
        @inline(__always) static var rSquared: Words<4> {
            Words([0x8324_4c95_be79_eea2, 0x4699_799c_49bd_6fa6, 0x2845_b239_2b6b_ec59, 0x66e1_2d94_f3d9_5620])
        }
    }

    enum Curve: ShortWeierstrassCurve {
        typealias Field = P256.Field
        typealias Order = P256.Order

        static var aIsZero: Bool { false }
        static let generatorMultiples = GeneratorMultiples<Curve>()

        @inline(__always)
        static func timesB(_ element: Field) -> Field {
            Field(
                form: Words([
                    0xd89c_df62_29c4_bddf, 0xacf0_05cd_7884_3090, 0xe5a2_20ab_f721_2ed6, 0xdc30_061d_0487_4834,
                ])) * element
        }

        static var generator: AffinePoint<Curve> {
            AffinePoint(
                x: Field(
                    form: Words([
                        0x79e7_30d4_18a9_143c, 0x75ba_95fc_5fed_b601, 0x79fb_732b_7762_2510, 0x1890_5f76_a537_55c6,
                    ])),
                y: Field(
                    form: Words([
                        0xddf2_5357_ce95_560a, 0x8b4a_b8e4_ba19_e45c, 0xd2e8_8688_dd21_f325, 0x8571_ff18_2588_5d85,
                    ]))
            )
        }
    }
}
