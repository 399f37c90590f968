internal import Encodings

/// The members that the statements of several formats share.
struct AttestationStatement {
    let value: CBOR

    init(_ value: CBOR) throws(AttestationFault) {
        guard value.map != nil else { throw .malformedStatement }
        self.value = value
    }

    /// `sig`.
    func signature() throws(AttestationFault) -> Bytes {
        guard let signature = value["sig"]?.bytes, !signature.isEmpty else { throw .malformedStatement }
        return signature
    }

    /// `alg`.
    func algorithm() throws(AttestationFault) -> COSEAlgorithm {
        guard let number = value["alg"]?.integer else { throw .malformedStatement }
        guard let algorithm = COSEAlgorithm(rawValue: number) else { throw .algorithmMismatch }
        return algorithm
    }

    /// `x5c`, the attestation certificate first; never empty.
    func certificates() throws(AttestationFault) -> [AttestationCertificate] {
        guard let list = value["x5c"]?.array, !list.isEmpty else { throw .malformedStatement }
        guard list.count <= AttestationChain.maximumCount else { throw .chainTooLong }
        var certificates: [AttestationCertificate] = []
        for item in list {
            guard let der = item.bytes else { throw .malformedStatement }
            certificates.append(try AttestationCertificate(der: der))
        }
        return certificates
    }
}

extension PublicKey {
    /// Checks the signature of a statement: with the algorithm that it names, which must fit the key.
    func check<Suite: PasskeyCryptoSuite>(
        _ signature: Bytes, over message: Bytes, algorithm: COSEAlgorithm, suite: Suite
    ) throws(AttestationFault) {
        guard fits(algorithm) else { throw .algorithmMismatch }
        guard isValid(signature, over: message, scheme: algorithm.scheme, suite: suite) else { throw .badSignature }
    }
}
