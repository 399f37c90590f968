import Certificates
import Crypto
import CryptoProvider
import Encodings
import Foundation
import SwiftASN1
import Testing
import X509

/// Core's template and swift-certificates, byte for byte.
@Suite("The template of an administrator's certificate")
struct CertificateTemplateTests {
    /// Gives the numbers in turn, then zeros.
    struct Numbers: RandomNumberGenerator {
        var left: [UInt64]
        mutating func next() -> UInt64 { left.isEmpty ? 0 : left.removeFirst() }
    }

    /// What an administrator's certificate is made of.
    struct Values {
        var name = "Åse Administrator"
        var capabilities: Capabilities = [.identifyMembers, .signDocuments]
        var status = StatusReference(uri: Bytes(text: "https://countersign.example.edu/status/0"), index: 131_071)
        var notBefore = Hierarchy.now
        var duration = CertificateIssuer.administratorDuration
        var random: [UInt64] = [0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210]
    }

    /// Compares the certificates of both for these values under the main administrator of a hierarchy.
    private func compare(_ values: Values, in hierarchy: Hierarchy) throws {
        let key = hierarchy.administratorKey.publicKey
        var random = Numbers(left: values.random)
        let der = try CertificateIssuer.administrator(
            name: values.name, key: key, capabilities: values.capabilities, status: values.status,
            issuer: try IssuingAuthority(key: hierarchy.mainKey, certificate: hierarchy.main),
            notBefore: values.notBefore, duration: values.duration, random: &random)
        let issued = try Certificates.Certificate.parse(der)
        let template = try CertificateTemplate.administrator(
            name: Bytes(text: values.name), key: key, capabilities: values.capabilities, status: values.status,
            issuer: try Certificates.Certificate.parse(hierarchy.main), notBefore: values.notBefore,
            duration: values.duration, serialNumber: issued.serialNumber)
        let parts = try Parts(der)
        #expect(template == parts.signedBytes)
        #expect(try CertificateTemplate.certificate(template, signature: parts.signature) == der)
    }

    /// The two parts of a certificate that a template makes and takes.
    private struct Parts {
        let signedBytes: Bytes
        /// r and s.
        let signature: Bytes

        init(_ der: Bytes) throws {
            var file = DERReader(der)
            var certificate = try file.sequence()
            signedBytes = try certificate.any().encoded
            _ = try certificate.any()
            signature = try ECDSASignature.raw(fromDER: try certificate.wholeBitString())
        }
    }

    @Test(
        "gives the same bytes for every choice of capabilities",
        arguments: [Capabilities.identifyMembers, .signDocuments, [.identifyMembers, .signDocuments]])
    func capabilities(_ capabilities: Capabilities) throws {
        var values = Values()
        values.capabilities = capabilities
        try compare(values, in: try Hierarchy())
    }

    @Test(
        "gives the same bytes for names of every length and script",
        arguments: [
            "A", "Ada Admin", String(repeating: "x", count: 64), String(repeating: "ø", count: 64), "管理者 一郎", "🖋",
        ])
    func names(_ name: String) throws {
        var values = Values()
        values.name = name
        try compare(values, in: try Hierarchy())
        try compare(values, in: try Hierarchy(organisation: "A/S Østre, \"Anlæg\" + Co."))
    }

    @Test(
        "gives the same bytes for every size of status index",
        arguments: [0, 1, 127, 128, 255, 256, 32_767, 32_768, 8_388_607, 8_388_608, 2_147_483_647])
    func indices(_ index: Int) throws {
        var values = Values()
        let uri = "https://countersign.example.edu/status/" + String(repeating: "9", count: index % 200)
        values.status = StatusReference(uri: Bytes(text: uri), index: index)
        try compare(values, in: try Hierarchy())
    }

    static let times: [(now: Int64, duration: Int64)] = [
        (1, 2), (951_782_399, 1), (1_709_164_799, 86_400), (2_524_607_998, 1), (2_524_607_999, 1), (2_524_608_000, 1),
        (2_524_521_600, 90 * 86_400), (4_107_542_399, 1), (3_000_000_000, 730 * 86_400),
    ]

    @Test("gives the same bytes around 2050 and at leap days", arguments: times)
    func boundaries(_ time: (now: Int64, duration: Int64)) throws {
        var values = Values()
        values.notBefore = time.now
        values.duration = time.duration
        try compare(values, in: try Hierarchy(now: time.now))
    }

    @Test("is cut to its issuer's life in the same way")
    func cut() throws {
        let hierarchy = try Hierarchy()
        let end = try Certificates.Certificate.parse(hierarchy.main).notAfter
        var values = Values()
        values.notBefore = end - 60
        try compare(values, in: hierarchy)
        values.notBefore = end
        #expect(throws: IssuingError.badValidity) { try compare(values, in: hierarchy) }
        #expect(throws: CertificateTemplateError.badValidity) {
            try CertificateTemplate.administrator(
                name: Bytes(text: "A"), key: hierarchy.administratorKey.publicKey, capabilities: .signDocuments,
                status: values.status, issuer: try Certificates.Certificate.parse(hierarchy.main), notBefore: end,
                serialNumber: [1])
        }
    }

    @Test(
        "makes the same serial number of the same random bytes",
        arguments: [[0, 0], [.max, .max], [1 << 63, 1], [0x3FFF_FFFF_FFFF_FFFF, 0], [0x80 << 48, 0x80 << 56]])
    func randomSerialNumbers(_ numbers: [UInt64]) throws {
        var values = Values()
        values.random = numbers
        let hierarchy = try Hierarchy()
        try compare(values, in: hierarchy)
        var random = Numbers(left: numbers)
        let der = try CertificateIssuer.administrator(
            name: "A", key: hierarchy.administratorKey.publicKey, capabilities: .signDocuments, status: values.status,
            issuer: try IssuingAuthority(key: hierarchy.mainKey, certificate: hierarchy.main),
            notBefore: Hierarchy.now, random: &random)
        var again = Numbers(left: numbers)
        let bytes = RandomBytes.make(16, using: &again)
        #expect(try Certificates.Certificate.parse(der).serialNumber == CertificateTemplate.serialNumber(random: bytes))
    }

    static let serials: [Bytes] = [
        [1], [0x7F], [0x80], [0xFF], [0, 1], [0, 0x80], [0x80, 0], [0xFF] + Bytes(repeating: 0, count: 14),
        [0x7F] + Bytes(repeating: 0xFF, count: 15), [0] + Bytes(repeating: 0x80, count: 15), [0, 0, 0, 0x12, 0x34],
    ]

    @Test("writes serial numbers as swift-certificates does, high bits and leading zeros too", arguments: serials)
    func serialNumbers(_ serial: Bytes) throws {
        let hierarchy = try Hierarchy()
        let template = try CertificateTemplate.administrator(
            name: Bytes(text: "A"), key: hierarchy.administratorKey.publicKey, capabilities: .signDocuments,
            status: Values().status, issuer: try Certificates.Certificate.parse(hierarchy.main),
            notBefore: Hierarchy.now, serialNumber: serial)
        let key = P256.Signing.PrivateKey()
        let other = try X509.Certificate(
            version: .v3, serialNumber: .init(bytes: serial), publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSince1970: 1), notValidAfter: Date(timeIntervalSince1970: 2),
            issuer: X509.DistinguishedName([RelativeDistinguishedName]()),
            subject: X509.DistinguishedName([RelativeDistinguishedName]()), signatureAlgorithm: .ecdsaWithSHA256,
            extensions: X509.Certificate.Extensions(),
            issuerPrivateKey: .init(key))
        var serializer = DER.Serializer()
        try serializer.serialize(other)
        #expect(try number(in: template) == number(in: try Parts(serializer.serializedBytes).signedBytes))
    }

    /// The serial number's element of a TBSCertificate.
    private func number(in signedBytes: Bytes) throws -> Bytes {
        var reader = DERReader(signedBytes)
        var body = try reader.sequence()
        _ = try body.any()
        return try body.element(DERTag.integer).encoded
    }

    @Test("OpenSSL accepts a certificate that was made from the template")
    func openSSL() throws {
        let hierarchy = try Hierarchy()
        let template = try CertificateTemplate.administrator(
            name: Bytes(text: "From a page"), key: hierarchy.administratorKey.publicKey, capabilities: .signDocuments,
            status: Values().status, issuer: try Certificates.Certificate.parse(hierarchy.main),
            notBefore: Hierarchy.now,
            serialNumber: try #require(CertificateTemplate.serialNumber(random: RandomBytes.make(16))))
        let leaf = try CertificateTemplate.certificate(template, signature: try hierarchy.mainKey.sign(template))
        _ = try hierarchy.validate(leaf, [hierarchy.main], for: .documents)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ name: String, _ der: Bytes) throws -> String {
            let file = folder.appending(path: name)
            try Data(PEM.encode(der)).write(to: file)
            return file.path
        }
        let result = try OtherPrograms.openssl([
            "verify", "-x509_strict", "-attime", "\(Hierarchy.now + 60)", "-CAfile",
            try write("root.pem", hierarchy.root), "-untrusted", try write("main.pem", hierarchy.main),
            try write("leaf.pem", leaf),
        ])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("refuses what the issuer refuses", arguments: CertificateIssuerTests.names)
    func refused(_ name: String) throws {
        let hierarchy = try Hierarchy()
        #expect(throws: CertificateTemplateError.badName) {
            try CertificateTemplate.administrator(
                name: Bytes(text: name), key: hierarchy.administratorKey.publicKey, capabilities: .signDocuments,
                status: Values().status, issuer: try Certificates.Certificate.parse(hierarchy.main),
                notBefore: Hierarchy.now, serialNumber: [1])
        }
    }
}
