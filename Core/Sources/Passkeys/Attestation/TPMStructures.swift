internal import Encodings

/// A reader of the TPM's big-endian structures (TPM 2.0 Library Part 2).
struct TPMReader {
    private let bytes: Bytes
    private var offset = 0

    init(_ bytes: Bytes) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    /// An unsigned number of `count` bytes, 8 at most.
    mutating func number(_ count: Int) throws(AttestationFault) -> UInt64 {
        try take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A TPM2B: two bytes of length and as many bytes.
    mutating func sized() throws(AttestationFault) -> Bytes {
        try take(Int(try number(2)))
    }

    mutating func take(_ count: Int) throws(AttestationFault) -> Bytes {
        guard count <= bytes.count - offset else { throw .malformedTPMStructure }
        let taken = Array(bytes[offset..<offset + count])
        offset += count
        return taken
    }

    func finish() throws(AttestationFault) {
        guard isAtEnd else { throw .malformedTPMStructure }
    }
}

/// A public key as a TPM describes it: TPMT_PUBLIC (Part 2 section 12.2.4), of keys that sign.
struct TPMPublicArea {
    let key: PublicKey
    private let bytes: Bytes
    private let nameAlgorithm: DigestAlgorithm
    private let nameAlgorithmNumber: Bytes

    private static let rsa: UInt64 = 0x0001
    private static let ecc: UInt64 = 0x0023
    private static let null: UInt64 = 0x0010
    /// RSASSA, RSAPSS and ECDSA; each is followed by its hash.
    private static let signingSchemes: [UInt64] = [0x0014, 0x0016, 0x0018]

    init(_ bytes: Bytes) throws(AttestationFault) {
        self.bytes = bytes
        var reader = TPMReader(bytes)
        let type = try reader.number(2)
        nameAlgorithmNumber = try reader.take(2)
        nameAlgorithm = try Self.digest(nameAlgorithmNumber)
        // Attributes and policy say how the key may be used; the procedure does not ask.
        _ = try reader.number(4)
        _ = try reader.sized()
        guard try reader.number(2) == Self.null else { throw .malformedTPMStructure }
        let scheme = try reader.number(2)
        if scheme != Self.null {
            guard Self.signingSchemes.contains(scheme) else { throw .malformedTPMStructure }
            _ = try reader.number(2)
        }
        switch type {
        case Self.rsa: key = try Self.rsaKey(&reader)
        case Self.ecc: key = try Self.eccKey(&reader)
        default: throw .malformedTPMStructure
        }
        try reader.finish()
    }

    /// The object's name: the hash function's number and the hash of the area (Part 1 section 16).
    func name<Suite: PasskeyCryptoSuite>(suite: Suite) -> Bytes {
        nameAlgorithmNumber + suite.digest(bytes, nameAlgorithm)
    }

    private static func rsaKey(_ reader: inout TPMReader) throws(AttestationFault) -> PublicKey {
        let bits = try reader.number(2)
        let exponent = try reader.number(4)
        let modulus = try reader.sized()
        guard UInt64(modulus.count) * 8 == bits else { throw .malformedTPMStructure }
        // Zero means the usual 65537.
        let written = bigEndianBytes(exponent == 0 ? 65537 : exponent)
        do { return try PublicKey.rsa(checked: modulus, Array(written.drop { $0 == 0 })) } catch {
            throw .malformedTPMStructure
        }
    }

    private static func eccKey(_ reader: inout TPMReader) throws(AttestationFault) -> PublicKey {
        let curve: COSECurve
        switch try reader.number(2) {
        case 3: curve = .p256
        case 4: curve = .p384
        case 5: curve = .p521
        default: throw .malformedTPMStructure
        }
        guard try reader.number(2) == null else { throw .malformedTPMStructure }
        let x = try coordinate(reader.sized(), curve)
        let y = try coordinate(reader.sized(), curve)
        return .elliptic(curve, point: [4] + x + y)
    }

    /// A TPM may leave out leading zeros.
    private static func coordinate(_ bytes: Bytes, _ curve: COSECurve) throws(AttestationFault) -> Bytes {
        guard bytes.count <= curve.size else { throw .malformedTPMStructure }
        return Bytes(repeating: 0, count: curve.size - bytes.count) + bytes
    }

    private static func digest(_ number: Bytes) throws(AttestationFault) -> DigestAlgorithm {
        if number == [0, 0x0B] { return .sha256 }
        if number == [0, 0x0C] { return .sha384 }
        if number == [0, 0x0D] { return .sha512 }
        throw .unsupportedHash
    }
}

/// A TPM's statement about a key that it holds: TPMS_ATTEST of the type certify (Part 2 section 10.12.8).
struct TPMCertifyInfo {
    /// What the caller gave: a hash of the data that the statement is about.
    let extraData: Bytes
    /// The name of the certified key.
    let name: Bytes

    /// TPM_GENERATED_VALUE.
    private static let magic: UInt64 = 0xFF54_4347
    /// TPM_ST_ATTEST_CERTIFY.
    private static let certify: UInt64 = 0x8017

    init(_ bytes: Bytes) throws(AttestationFault) {
        var reader = TPMReader(bytes)
        guard try reader.number(4) == Self.magic else { throw .notGeneratedByTPM }
        guard try reader.number(2) == Self.certify else { throw .notCertified }
        // The signer's name, clock and firmware are for others.
        _ = try reader.sized()
        extraData = try reader.sized()
        _ = try reader.take(17 + 8)
        name = try reader.sized()
        _ = try reader.sized()
        try reader.finish()
    }
}
