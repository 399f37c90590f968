internal import Encodings

/// A way to sign: the kind of key and the hash function.
enum SignatureScheme: Equatable {
    case ecdsa(DigestAlgorithm)
    case rsa(DigestAlgorithm)
    case ed25519
}

/// A public key out of a COSE key or a certificate.
enum PublicKey: Equatable {
    /// An uncompressed point of the length of its curve.
    case elliptic(COSECurve, point: Bytes)
    /// Big-endian, without leading zeros.
    case rsa(modulus: Bytes, exponent: Bytes)
    /// Ed25519, 32 bytes.
    case edwards(Bytes)

    /// Takes an RSA key of a length and with an exponent as FIPS 186-5 section 5.1 wants them.
    static func rsa(checked modulus: Bytes, _ exponent: Bytes) throws(PasskeyError) -> PublicKey {
        guard let first = modulus.first, let last = modulus.last, first != 0, let top = exponent.first, top != 0 else {
            throw .malformedKey
        }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        let isOddExponent = exponent[exponent.count - 1] & 1 == 1
        // From 65537 (three bytes) to four bytes: more only slows the check down.
        guard bits >= 2048, bits <= 4096, last & 1 == 1, isOddExponent, exponent.count == 3 || exponent.count == 4
        else {
            throw .weakKey
        }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    /// Whether the key may sign in that way.
    ///
    /// WebAuthn ties each algorithm to one curve; certificates do not.
    func fits(_ algorithm: COSEAlgorithm) -> Bool {
        switch self {
        case .elliptic(let curve, _): algorithm.curve == curve
        case .rsa: algorithm == .rs256
        case .edwards: algorithm == .edDSA
        }
    }

    /// Whether an elliptic key is a point of its curve; other keys have nothing to check here.
    func isOnCurve<Suite: PasskeyCryptoSuite>(suite: Suite) -> Bool {
        guard case .elliptic(let curve, let point) = self else { return true }
        return suite.isOnCurve(point, curve)
    }

    /// Whether `signature`, in the form of X.509 and WebAuthn section 6.5.5, is valid.
    ///
    /// - Returns: `false` too when the scheme is for another kind of key.
    func isValid<Suite: PasskeyCryptoSuite>(
        _ signature: Bytes, over message: Bytes, scheme: SignatureScheme, suite: Suite
    ) -> Bool {
        switch (self, scheme) {
        case (.elliptic(let curve, let point), .ecdsa(let digest)):
            guard let raw = try? ECDSASignature.raw(fromDER: signature, size: curve.size) else { return false }
            return suite.isValidECDSA(raw, over: message, publicKey: point, curve: curve, digest: digest)
        case (.rsa(let modulus, let exponent), .rsa(let digest)):
            return suite.isValidRSA(
                signature, over: message, modulus: modulus, exponent: exponent, digest: digest)
        case (.edwards(let key), .ed25519):
            return suite.isValidEd25519(signature, over: message, publicKey: key)
        default: return false
        }
    }
}
