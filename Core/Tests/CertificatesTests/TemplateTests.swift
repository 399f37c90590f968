import Certificates
import EllipticCurves
import Encodings
import Testing

/// That it is byte for byte what swift-certificates makes, the root package tests.
@Suite("The template of an administrator's certificate")
struct TemplateTests {
    /// Takes every signature for good: what comes before it is tested here.
    private struct TrustingSuite: CryptoSuite {
        func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { true }
        func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    }

    private static let status = StatusReference(uri: Bytes(text: "https://x.example/status/0"), index: 131_071)
    private static let serial = Bytes(repeating: 0x41, count: 16)
    private static let signature = Bytes(repeating: 0x80, count: 64)

    private let issuer: Certificate
    private let key: P256PublicKey

    init() throws {
        issuer = try Certificate.parse(try Fixtures.path("good")[1])
        key = try Certificate.parse(try Fixtures.path("good")[0]).publicKey
    }

    private func template(
        name: Bytes = Bytes(text: "Åse"), key: P256PublicKey? = nil,
        capabilities: Capabilities = [.identifyMembers, .signDocuments], status: StatusReference = status,
        issuer: Certificate? = nil, notBefore: Int64 = Fixtures.time, duration: Int64 = 3600, serial: Bytes = serial
    ) throws(CertificateTemplateError) -> Bytes {
        try CertificateTemplate.administrator(
            name: name, key: key ?? self.key, capabilities: capabilities, status: status,
            issuer: issuer ?? self.issuer, notBefore: notBefore, duration: duration, serialNumber: serial)
    }

    @Test("gives a certificate that our path validation accepts")
    func accepted() throws {
        let der = try CertificateTemplate.certificate(try template(), signature: Self.signature)
        let path = try CertificatePath.validate(
            chain: [der, issuer.der], root: try Fixtures.root(), purpose: .identity, at: Fixtures.time + 3600,
            suite: TrustingSuite())
        #expect(path.commonName == Bytes(text: "Åse"))
        #expect(path.publicKey == key)
        #expect(path.capabilities == [.identifyMembers, .signDocuments])
        #expect(path.statusReference == Self.status)
        #expect(path.leaf.serialNumber == Self.serial)
        #expect(path.leaf.notBefore == Fixtures.time)
        #expect(path.leaf.notAfter == Fixtures.time + 3600)
        // The signature is none; with real curves the chain does not hold.
        #expect(throws: CertificateError.badSignature) {
            try CertificatePath.validate(
                chain: [der, issuer.der], root: try Fixtures.root(), purpose: .identity, at: Fixtures.time,
                suite: PureSuite())
        }
    }

    @Test("permits what it was made for and nothing else")
    func capabilities() throws {
        let der = try CertificateTemplate.certificate(
            try template(capabilities: .signDocuments), signature: Self.signature)
        #expect(try Certificate.parse(der).capabilities == .signDocuments)
    }

    @Test("does not outlive its issuer")
    func cut() throws {
        for duration in [issuer.notAfter - Fixtures.time + 1, .max] {
            let der = try CertificateTemplate.certificate(
                try template(duration: duration), signature: Self.signature)
            #expect(try Certificate.parse(der).notAfter == issuer.notAfter)
        }
    }

    @Test("refuses names that would not be read back or could pretend")
    func names() throws {
        for name in [
            Bytes(), Bytes(text: "two\nlines"), Bytes(text: "nul\0"), Bytes(text: "c1\u{85}"), [0xFF], [0xC3],
            Bytes(repeating: 0x78, count: 65),
        ] {
            #expect(throws: CertificateTemplateError.badName) { try template(name: name) }
        }
        _ = try template(name: Bytes(text: String(repeating: "Å", count: 64)))
    }

    @Test("refuses addresses, keys, serial numbers and validities out of form")
    func refused() throws {
        for uri in ["", "https://x/ø", "https://x/a b", String(repeating: "a", count: 256)] {
            #expect(throws: CertificateTemplateError.badAddress) {
                try template(status: StatusReference(uri: Bytes(text: uri), index: 0))
            }
        }
        for index in [-1, 1 << 31] {
            #expect(throws: CertificateTemplateError.badAddress) {
                try template(status: StatusReference(uri: Self.status.uri, index: index))
            }
        }
        let offCurve = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 1, count: 64)))
        #expect(throws: CertificateTemplateError.badKey) { try template(key: offCurve) }
        for serial in [Bytes(), [0], Bytes(repeating: 0, count: 16), Bytes(repeating: 0x80, count: 16)] {
            #expect(throws: CertificateTemplateError.badSerialNumber) { try template(serial: serial) }
        }
        for (notBefore, duration) in [
            (Fixtures.time, Int64(0)), (Fixtures.time, -1), (issuer.notAfter, 60), (-1, 3600), (.max, 1),
        ] {
            #expect(throws: CertificateTemplateError.badValidity) {
                try template(notBefore: notBefore, duration: duration)
            }
        }
    }

    @Test("is only for the main administrator, and for some capability")
    func issuers() throws {
        let leaf = try Certificate.parse(try Fixtures.path("good")[0])
        for other in [leaf, try Fixtures.root().certificate] {
            #expect(throws: CertificateTemplateError.wrongIssuer) { try template(issuer: other) }
        }
        #expect(throws: CertificateTemplateError.wrongIssuer) { try template(capabilities: []) }
    }

    @Test("takes signatures as r and s, and signed bytes that are a certificate's")
    func assembly() throws {
        let template = try template()
        for count in [0, 63, 65, 70] {
            #expect(throws: CertificateTemplateError.badSignature) {
                try CertificateTemplate.certificate(template, signature: Bytes(repeating: 1, count: count))
            }
        }
        #expect(throws: CertificateTemplateError.badSignature) {
            try CertificateTemplate.certificate(template, signature: Bytes(repeating: 0, count: 64))
        }
        for bytes in [Bytes(), [0x30, 0], Array(template.dropLast()), template + [0]] {
            #expect(throws: CertificateTemplateError.malformed) {
                try CertificateTemplate.certificate(bytes, signature: Self.signature)
            }
        }
    }

    @Test("has serial numbers of sixteen bytes, positive, whatever the random source gives")
    func serialNumbers() throws {
        for value in [UInt8.min, .max, 0x80, 0x3F] {
            let number = try #require(CertificateTemplate.serialNumber(random: Bytes(repeating: value, count: 16)))
            let der = try CertificateTemplate.certificate(try template(serial: number), signature: Self.signature)
            #expect(try Certificate.parse(der).serialNumber == number)
            #expect(number.count == 16 && number[0] >= 0x40 && number[0] < 0x80)
        }
        #expect(CertificateTemplate.serialNumber(random: Bytes(repeating: 1, count: 15)) == nil)
    }
}

@Suite("Chains as they travel")
struct ChainTests {
    @Test("are followed leaf first to the pinned root")
    func accepted() throws {
        let path = try CertificatePath.validate(
            chain: try Fixtures.path("good"), root: try Fixtures.root(), purpose: .documents, at: Fixtures.time,
            suite: PureSuite())
        #expect(path.intermediates.count == 1)
    }

    @Test("are refused empty, too long or unreadable")
    func refused() throws {
        let root = try Fixtures.root()
        let leaf = try Fixtures.path("good")[0]
        for chain in [[], [leaf, leaf, leaf, leaf]] {
            #expect(throws: CertificateError.pathTooLong) {
                try CertificatePath.validate(
                    chain: chain, root: root, purpose: .documents, at: Fixtures.time, suite: PureSuite())
            }
        }
        #expect(throws: CertificateError.malformed(.truncated)) {
            try CertificatePath.validate(
                chain: [[]], root: root, purpose: .documents, at: Fixtures.time, suite: PureSuite())
        }
    }
}
