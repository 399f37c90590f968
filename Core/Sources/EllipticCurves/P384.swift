/// P-384 (SP 800-186 section 3.2.1.4).
enum P384: ShortWeierstrassCurve {
    /// 2^384 - 2^128 - 2^96 + 2^32 - 1.
    enum Prime: PrimeModulus {
        static var bitCount: Int { 384 }
        @inline(__always) static var words: Words<6> {
            Words([0xffff_ffff, 0xffff_ffff_0000_0000, 0xffff_ffff_ffff_fffe, ~0, ~0, ~0])
        }
        @inline(__always) static var negatedInverse: UInt64 { 0x0001_0000_0001 }
        @inline(__always) static var r: Words<6> { Words([0xffff_ffff_0000_0001, 0xffff_ffff, 1, 0, 0, 0]) }
        @inline(__always) static var rSquared: Words<6> {
            Words([0xffff_fffe_0000_0001, 0x0002_0000_0000, 0xffff_fffe_0000_0000, 0x0002_0000_0000, 1, 0])
        }
    }

    /// The number of points.
    enum Order: PrimeModulus {
        static var bitCount: Int { 384 }
        @inline(__always) static var words: Words<6> {
            Words([0xecec_196a_ccc5_2973, 0x581a_0db2_48b0_a77a, 0xc763_4d81_f437_2ddf, ~0, ~0, ~0])
        }
        @inline(__always) static var negatedInverse: UInt64 { 0x6ed4_6089_e88f_dc45 }
        @inline(__always) static var r: Words<6> {
            Words([0x1313_e695_333a_d68d, 0xa7e5_f24d_b74f_5885, 0x389c_b27e_0bc8_d220, 0, 0, 0])
        }
        @inline(__always) static var rSquared: Words<6> {
            Words([
                0x2d31_9b24_19b4_09a9, 0xff3d_81e5_df1a_a419, 0xbc3e_483a_fcb8_2947, 0xd40d_4917_4aab_1cc5,
                0x3fb0_5b7a_2826_6895, 0x0c84_ee01_2b39_bf21,
            ])
        }
    }

    typealias Field = Montgomery<Prime>

    static var aIsZero: Bool { false }
    static let generatorMultiples = GeneratorMultiples<P384>()

    @inline(__always)
    static func timesB(_ element: Field) -> Field {
        Field(
            form: Words([
                0x0811_8871_9d41_2dcc, 0xf729_add8_7a4c_32ec, 0x77f2_209b_1920_022e, 0xe337_4bee_9493_8ae2,
                0xb62b_21f4_1f02_2094, 0xcd08_114b_604f_bff9,
            ])) * element
    }

    static var generator: AffinePoint<P384> {
        AffinePoint(
            x: Field(
                form: Words([
                    0x3dd0_7566_49c0_b528, 0x20e3_78e2_a0d6_ce38, 0x879c_3afc_541b_4d6e, 0x6454_8684_59a3_0eff,
                    0x812f_f723_614e_de2b, 0x4d3a_adc2_299e_1513,
                ])),
            y: Field(
                form: Words([
                    0x2304_3dad_4b03_a4fe, 0xa1bf_a8bf_7bb4_a9ac, 0x8bad_e756_2e83_b050, 0xc6c3_5219_68f4_ffd9,
                    0xdd80_0226_3969_a840, 0x2b78_abc2_5a15_c5e9,
                ]))
        )
    }
}
