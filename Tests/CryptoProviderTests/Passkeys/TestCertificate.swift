import CryptoProvider
import Encodings
import Passkeys

/// The parts of an attestation certificate, to be spoilt one at a time and then signed.
struct TestCertificate {
    var version: UInt8 = 2
    var issuer: Bytes
    var subject: Bytes
    var notBefore = "20240101000000Z"
    var notAfter = "30240101000000Z"
    var publicKey: Bytes
    var extensions: [Extension] = []

    struct Extension {
        var identifier: Bytes
        var isCritical = false
        var value: Bytes
    }

    /// 2027-01-01T00:00:00Z.
    static let time: Int64 = 1_798_761_600

    enum Identifier {
        static let basicConstraints: Bytes = [0x55, 0x1D, 0x13]
        static let keyUsage: Bytes = [0x55, 0x1D, 0x0F]
        static let nameConstraints: Bytes = [0x55, 0x1D, 0x1E]
        static let extendedKeyUsage: Bytes = [0x55, 0x1D, 0x25]
        static let alternativeName: Bytes = [0x55, 0x1D, 0x11]
        static let aaguid: Bytes = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0xE5, 0x1C, 0x01, 0x01, 0x04]
        static let android: Bytes = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xD6, 0x79, 0x02, 0x01, 0x11]
        static let apple: Bytes = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x08, 0x02]
        static let country: Bytes = [0x55, 0x04, 0x06]
        static let organisation: Bytes = [0x55, 0x04, 0x0A]
        static let unit: Bytes = [0x55, 0x04, 0x0B]
        static let commonName: Bytes = [0x55, 0x04, 0x03]
    }

    /// The subject of section 8.2.1, with another unit if the test says so.
    static func name(_ commonName: String, unit: String = "Authenticator Attestation", country: String = "NO") -> Bytes
    {
        DERWriter.name([
            (Identifier.country, country), (Identifier.organisation, "Countersign"), (Identifier.unit, unit),
            (Identifier.commonName, commonName),
        ])
    }

    static func constraints(isAuthority: Bool, pathLength: UInt8? = nil) -> Extension {
        let flag: Bytes = isAuthority ? [DERTag.boolean, 1, 0xFF] : []
        let length = pathLength.map { DERWriter.integer($0) } ?? []
        return Extension(
            identifier: Identifier.basicConstraints, isCritical: true, value: DERWriter.sequence(flag + length))
    }

    /// An authority that may sign certificates.
    static func authority(_ name: String, issuer: String, key: SigningKey, pathLength: UInt8? = nil) -> TestCertificate
    {
        TestCertificate(
            issuer: TestCertificate.name(issuer, unit: "CA"), subject: TestCertificate.name(name, unit: "CA"),
            publicKey: key.publicKey.x963,
            extensions: [
                constraints(isAuthority: true, pathLength: pathLength),
                Extension(identifier: Identifier.keyUsage, isCritical: true, value: [DERTag.bitString, 2, 1, 0x06]),
            ])
    }

    mutating func replace(_ identifier: Bytes, with value: Extension?) {
        extensions.removeAll { $0.identifier == identifier }
        if let value { extensions.append(value) }
    }

    func signed(by key: SigningKey) throws -> Bytes {
        let algorithm = DERWriter.sequence(
            DERWriter.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
        let keyAlgorithm = DERWriter.sequence(
            DERWriter.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]),
            DERWriter.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]))
        let list = extensions.flatMap { item in
            DERWriter.sequence(
                DERWriter.identifier(item.identifier), item.isCritical ? [DERTag.boolean, 1, 0xFF] : [],
                DERWriter.octets(item.value))
        }
        let body = DERWriter.sequence(
            DERWriter.explicit(0, DERWriter.integer(version)), DERWriter.integer(7), algorithm, issuer,
            DERWriter.sequence(time(notBefore), time(notAfter)), subject,
            DERWriter.sequence(keyAlgorithm, DERWriter.element(DERTag.bitString, [0] + publicKey)),
            DERWriter.explicit(3, DERWriter.sequence(list)))
        let signature = DERWriter.signature(try key.sign(body))
        return DERWriter.sequence(body, algorithm, DERWriter.element(DERTag.bitString, [0] + signature))
    }

    /// UTCTime until 2049, as RFC 5280 asks.
    private func time(_ text: String) -> Bytes {
        text < "2050"
            ? DERWriter.element(DERTag.utcTime, Bytes(text: String(text.dropFirst(2))))
            : DERWriter.element(DERTag.generalizedTime, Bytes(text: text))
    }
}

/// A maker of authenticators: its root, and the key in its authenticators.
struct TestMaker {
    let rootKey: SigningKey
    let attestationKey: SigningKey
    let root: Bytes

    init(pathLength: UInt8? = nil) throws {
        rootKey = try SigningKey()
        attestationKey = try SigningKey()
        root = try TestCertificate.authority("Root", issuer: "Root", key: rootKey, pathLength: pathLength)
            .signed(by: rootKey)
    }

    /// The certificate of section 8.2.1 over a key, the authenticators' own if none is given.
    func certificate(_ key: Bytes? = nil) -> TestCertificate {
        TestCertificate(
            issuer: TestCertificate.name("Root", unit: "CA"), subject: TestCertificate.name("Test"),
            publicKey: key ?? attestationKey.publicKey.x963,
            extensions: [TestCertificate.constraints(isAuthority: false)])
    }

    func roots() throws -> [TrustedAttestationRoot] { [try TrustedAttestationRoot(der: root)] }
}
