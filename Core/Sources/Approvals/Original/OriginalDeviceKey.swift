import Certificates
public import Encodings

/// The public key of an original device: a P-256 point as the app writes it, in PEM.
public enum OriginalDeviceKey {
    /// The SubjectPublicKeyInfo of an uncompressed P-256 point up to the point (RFC 5480 section 2).
    private static let prefix: Bytes = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// Reads the PEM; lines may end in CR LF, and the last one may end at all.
    ///
    /// - Throws: `unsupportedKey` for any other key, another form of the point, a path, or a point off the curve.
    public static func parse<Suite: ApprovalCryptoSuite>(
        _ pem: Bytes, suite: Suite
    ) throws(ApprovalError) -> P256PublicKey {
        guard let blocks = try? PEM.decode(pem, label: "PUBLIC KEY", maximumCount: 1, maximumLength: 1024),
            blocks[0].starts(with: prefix), let key = P256PublicKey(x963: Array(blocks[0].dropFirst(prefix.count))),
            suite.isOnP256(key.x963)
        else { throw .unsupportedKey }
        return key
    }

    /// The PEM as the app writes it: without a line end after the last line.
    public static func pem(_ key: P256PublicKey) -> Bytes {
        PEM.encode(prefix + key.x963, label: "PUBLIC KEY").dropLast()
    }
}
