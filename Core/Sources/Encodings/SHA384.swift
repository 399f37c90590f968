/// SHA-384 (FIPS 180-4): SHA-512 with another beginning, cut to 48 bytes.
public enum SHA384 {
    /// The digest of `bytes`, 48 bytes.
    public static func hash(_ bytes: Bytes) -> Bytes {
        var hash = SHA512(state: initial)
        hash.update(bytes)
        return Array(hash.finish()[0..<48])
    }

    private static let initial: [UInt64] = [
        0xcbbb_9d5d_c105_9ed8, 0x629a_292a_367c_d507, 0x9159_015a_3070_dd17, 0x152f_ecd8_f70e_5939,
        0x6733_2667_ffc0_0b31, 0x8eb4_4a87_6858_1511, 0xdb0c_2e0d_64f9_8fa7, 0x47b5_481d_befa_4fa4,
    ]
}
