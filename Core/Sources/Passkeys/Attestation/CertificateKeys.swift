internal import Encodings

/// Keys and signature algorithms as certificates write them (RFC 5480, RFC 8017 appendix A, RFC 8410).
enum CertificateKeys {
    /// Reads a SubjectPublicKeyInfo.
    static func publicKey(_ body: inout DERReader) throws(DERError) -> PublicKey {
        var information = try body.sequence()
        var algorithm = try information.sequence()
        let identifier = try algorithm.objectIdentifier()
        let bits = try information.wholeBitString()
        try information.finish()
        if identifier == OID.ecPublicKey {
            let curve = try curve(algorithm.objectIdentifier())
            try algorithm.finish()
            guard bits.count == 2 * curve.size + 1, bits[0] == 4 else { throw .unsupported }
            return .elliptic(curve, point: bits)
        }
        if identifier == OID.rsaEncryption {
            try requireNull(&algorithm)
            return try rsa(bits)
        }
        guard identifier == OID.ed25519, algorithm.isAtEnd, bits.count == 32 else { throw .unsupported }
        return .edwards(bits)
    }

    /// Reads the content of an AlgorithmIdentifier of a signature.
    ///
    /// - Returns: `nil` for one that we do not check.
    static func scheme(_ content: Bytes) throws(DERError) -> SignatureScheme? {
        var reader = DERReader(content)
        let identifier = try reader.objectIdentifier()
        if identifier == OID.ed25519, reader.isAtEnd { return .ed25519 }
        guard let last = identifier.last else { throw .notCanonical }
        let family = Array(identifier.dropLast())
        if family == OID.ecdsaWithSHA2, reader.isAtEnd {
            return digest(last, first: 2).map { .ecdsa($0) }
        }
        if family == OID.pkcs1 {
            if !reader.isAtEnd { try requireNull(&reader) }
            return digest(last, first: 11).map { .rsa($0) }
        }
        return nil
    }

    private static func digest(_ number: UInt8, first: UInt8) -> DigestAlgorithm? {
        switch Int(number) - Int(first) {
        case 0: .sha256
        case 1: .sha384
        case 2: .sha512
        default: nil
        }
    }

    private static func curve(_ identifier: Bytes) throws(DERError) -> COSECurve {
        if identifier == OID.p256 { return .p256 }
        if identifier == OID.p384 { return .p384 }
        if identifier == OID.p521 { return .p521 }
        throw .unsupported
    }

    private static func rsa(_ der: Bytes) throws(DERError) -> PublicKey {
        var outer = DERReader(der)
        var pair = try outer.sequence()
        try outer.finish()
        let modulus = try positive(&pair)
        let exponent = try positive(&pair)
        try pair.finish()
        do throws(PasskeyError) { return try PublicKey.rsa(checked: modulus, exponent) } catch { throw .unsupported }
    }

    /// An INTEGER above zero, without its sign.
    private static func positive(_ reader: inout DERReader) throws(DERError) -> Bytes {
        let content = try reader.integer()
        guard content[0] < 0x80, content != [0] else { throw .unsupported }
        return content[0] == 0 ? Array(content.dropFirst()) : content
    }

    private static func requireNull(_ reader: inout DERReader) throws(DERError) {
        guard try reader.element(0x05).content.isEmpty else { throw .notCanonical }
        try reader.finish()
    }
}
