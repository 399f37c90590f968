import Certificates
import CryptoProvider
import Encodings
import Foundation
import Testing

/// A root, a main administrator, an administrator and a status signer.
struct Hierarchy {
    static let now: Int64 = 1_790_000_000
    static let url = "https://countersign.example.edu"
    let rootKey: SigningKey
    let mainKey: SigningKey
    let administratorKey: SigningKey
    let root: Bytes
    let main: Bytes
    let administrator: Bytes
    let statusSigner: Bytes

    init(
        organisation: String = "Universitetet i Østlandet", now: Int64 = now, url: String = url,
        capabilities: Capabilities = [.identifyMembers, .signDocuments]
    ) throws {
        var random = SystemRandomNumberGenerator()
        rootKey = try SigningKey()
        mainKey = try SigningKey()
        administratorKey = try SigningKey()
        root = try CertificateIssuer.root(
            organisation: organisation, publicURL: url, key: rootKey, notBefore: now, random: &random)
        let rootAuthority = try IssuingAuthority(key: rootKey, certificate: root)
        main = try CertificateIssuer.mainAdministrator(
            name: "Maria Main", key: mainKey.publicKey, issuer: rootAuthority, notBefore: now, random: &random)
        administrator = try CertificateIssuer.administrator(
            name: "Åse Administrator", key: administratorKey.publicKey, capabilities: capabilities,
            status: StatusReference(uri: Bytes(text: url + "/status/0"), index: 131_071),
            issuer: try IssuingAuthority(key: mainKey, certificate: main), notBefore: now, random: &random)
        statusSigner = try CertificateIssuer.statusSigner(
            key: try SigningKey().publicKey, issuer: rootAuthority, notBefore: now, random: &random)
    }

    func validate(
        _ leaf: Bytes, _ intermediates: [Bytes], for purpose: CertificatePurpose, at time: Int64 = now + 60
    ) throws -> ValidatedPath {
        try CertificatePath.validate(
            leaf: try Certificate.parse(leaf), intermediates: try intermediates.map { try Certificate.parse($0) },
            root: try TrustAnchor(der: root), purpose: purpose, at: time, suite: SwiftCryptoSuite())
    }
}

@Suite struct CertificateIssuerTests {
    @Test("What we issue, our own path validation accepts")
    func ownValidation() throws {
        let hierarchy = try Hierarchy()
        let path = try hierarchy.validate(hierarchy.administrator, [hierarchy.main], for: .documents)
        #expect(path.publicKey == hierarchy.administratorKey.publicKey)
        #expect(path.commonName == Bytes(text: "Åse Administrator"))
        #expect(path.organisation == Bytes(text: "Universitetet i Østlandet"))
        #expect(path.publicURL == Bytes(text: Hierarchy.url))
        #expect(path.capabilities == [.identifyMembers, .signDocuments])
        #expect(path.statusReference?.index == 131_071)
        #expect(path.leaf.notAfter == Hierarchy.now + 90 * 86400)
        #expect(path.leaf.serialNumber.count == 16)
        _ = try hierarchy.validate(hierarchy.administrator, [hierarchy.main], for: .identity)
        _ = try hierarchy.validate(hierarchy.statusSigner, [], for: .status)
    }

    @Test("An administrator without a capability cannot use it")
    func capabilities() throws {
        let hierarchy = try Hierarchy(capabilities: .identifyMembers)
        #expect(throws: CertificateError.wrongPurpose) {
            try hierarchy.validate(hierarchy.administrator, [hierarchy.main], for: .documents)
        }
        _ = try hierarchy.validate(hierarchy.administrator, [hierarchy.main], for: .identity)
    }

    @Test("Two organisations of one name do not accept each other's administrators")
    func namesakes() throws {
        let (ours, theirs) = (try Hierarchy(), try Hierarchy())
        #expect(throws: CertificateError.issuerKeyMismatch) {
            try ours.validate(theirs.administrator, [theirs.main], for: .documents)
        }
        #expect(throws: CertificateError.issuerKeyMismatch) {
            try ours.validate(theirs.administrator, [ours.main], for: .documents)
        }
    }

    @Test("OpenSSL accepts what we issue, strictly, and not without the intermediate")
    func openSSL() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ name: String, _ der: Bytes) throws -> String {
            let file = folder.appending(path: name)
            try Data(PEM.encode(der)).write(to: file)
            return file.path
        }
        let hierarchy = try Hierarchy()
        let root = try write("root.pem", hierarchy.root)
        let main = try write("main.pem", hierarchy.main)
        let leaf = try write("leaf.pem", hierarchy.administrator)
        let status = try write("status.pem", hierarchy.statusSigner)
        let check = ["verify", "-x509_strict", "-attime", "\(Hierarchy.now + 60)", "-CAfile", root]
        #expect(try OtherPrograms.openssl(check + [leaf]).status != 0)
        let later = ["verify", "-x509_strict", "-attime", "\(Hierarchy.now + 91 * 86400)", "-CAfile", root]
        #expect(try OtherPrograms.openssl(later + ["-untrusted", main, leaf]).status != 0)
        for arguments in [[root], [main], [status], ["-untrusted", main, leaf]] {
            let result = try OtherPrograms.openssl(check + arguments)
            #expect(result.status == 0, "\(result.output) \(result.errors)")
        }
    }

    @Test("Validity beyond 2049 is written as our reader and OpenSSL expect it")
    func farFuture() throws {
        let now: Int64 = 2_500_000_000
        let hierarchy = try Hierarchy(now: now)
        _ = try hierarchy.validate(hierarchy.administrator, [hierarchy.main], for: .documents, at: now)
        #expect(try Certificate.parse(hierarchy.root).notAfter == now + 3650 * 86400)
    }

    @Test("A certificate does not outlive its issuer")
    func cut() throws {
        var random = SystemRandomNumberGenerator()
        let hierarchy = try Hierarchy()
        let main = try Certificate.parse(hierarchy.main)
        let leaf = try CertificateIssuer.administrator(
            name: "Late", key: try SigningKey().publicKey, capabilities: .signDocuments,
            status: StatusReference(uri: Bytes(text: "https://x/status/0"), index: 0),
            issuer: try IssuingAuthority(key: hierarchy.mainKey, certificate: hierarchy.main),
            notBefore: main.notAfter - 60, random: &random)
        #expect(try Certificate.parse(leaf).notAfter == main.notAfter)
    }

    @Test("Nobody issues what is not theirs to issue")
    func wrongIssuers() throws {
        var random = SystemRandomNumberGenerator()
        let hierarchy = try Hierarchy()
        let key = try SigningKey().publicKey
        #expect(throws: IssuingError.wrongIssuer) {
            try IssuingAuthority(key: hierarchy.mainKey, certificate: hierarchy.root)
        }
        #expect(throws: IssuingError.wrongIssuer) {
            try IssuingAuthority(key: hierarchy.administratorKey, certificate: hierarchy.administrator)
        }
        let root = try IssuingAuthority(key: hierarchy.rootKey, certificate: hierarchy.root)
        let main = try IssuingAuthority(key: hierarchy.mainKey, certificate: hierarchy.main)
        let status = StatusReference(uri: Bytes(text: "https://x/status/0"), index: 0)
        #expect(throws: IssuingError.wrongIssuer) {
            try CertificateIssuer.mainAdministrator(
                name: "M", key: key, issuer: main, notBefore: Hierarchy.now, random: &random)
        }
        #expect(throws: IssuingError.wrongIssuer) {
            try CertificateIssuer.statusSigner(key: key, issuer: main, notBefore: Hierarchy.now, random: &random)
        }
        for (issuer, capabilities) in [(root, Capabilities.signDocuments), (main, Capabilities())] {
            #expect(throws: IssuingError.wrongIssuer) {
                try CertificateIssuer.administrator(
                    name: "A", key: key, capabilities: capabilities, status: status, issuer: issuer,
                    notBefore: Hierarchy.now, random: &random)
            }
        }
    }

    @Test("A name longer than X.520 allows is shortened at a whole character, and the path holds")
    func longNames() throws {
        var random = SystemRandomNumberGenerator()
        let key = try SigningKey()
        let organisation = String(repeating: "Hochschule für Musik ", count: 9)
        let root = try CertificateIssuer.root(
            organisation: organisation, publicURL: Hierarchy.url, key: key, notBefore: Hierarchy.now, random: &random)
        let authority = try IssuingAuthority(key: key, certificate: root)
        // Letters of several code points; the last one would be cut in two.
        let person = String(repeating: "e\u{301}\u{323}", count: 40)
        let main = try CertificateIssuer.mainAdministrator(
            name: person, key: SigningKey().publicKey, issuer: authority, notBefore: Hierarchy.now, random: &random)
        let (above, below) = (try Certificate.parse(root), try Certificate.parse(main))
        let shown = String(decoding: try #require(above.organisation), as: UTF8.self)
        #expect(
            shown.hasPrefix("Hochschule für Musik Hoch") && shown.hasSuffix("…") && shown.unicodeScalars.count <= 59)
        #expect(below.issuer == above.subject && below.organisation == above.organisation)
        let name = String(decoding: try #require(below.commonName), as: UTF8.self)
        #expect(name == String(repeating: "e\u{301}\u{323}", count: 21) + "…" && name.unicodeScalars.count == 64)
    }

    static let names: [String] = ["", "two\nlines", "nul\0"]

    @Test("Names and addresses that would not be read back are refused", arguments: names)
    func badNames(_ name: String) throws {
        var random = SystemRandomNumberGenerator()
        let key = try SigningKey()
        #expect(throws: IssuingError.badName) {
            try CertificateIssuer.root(
                organisation: name, publicURL: Hierarchy.url, key: key, notBefore: Hierarchy.now, random: &random)
        }
        #expect(throws: IssuingError.badAddress) {
            try CertificateIssuer.root(
                organisation: "O", publicURL: "https://x/ø", key: key, notBefore: Hierarchy.now, random: &random)
        }
        let hierarchy = try Hierarchy()
        let root = try IssuingAuthority(key: hierarchy.rootKey, certificate: hierarchy.root)
        #expect(throws: IssuingError.badName) {
            try CertificateIssuer.mainAdministrator(
                name: name, key: key.publicKey, issuer: root, notBefore: Hierarchy.now, random: &random)
        }
        #expect(throws: IssuingError.badName) {
            try CertificateIssuer.mainAdministrator(
                name: "Universitetet i Østlandet Root", key: key.publicKey, issuer: root, notBefore: Hierarchy.now,
                random: &random)
        }
        let offCurve = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 1, count: 64)))
        #expect(throws: IssuingError.badKey) {
            try CertificateIssuer.mainAdministrator(
                name: "M", key: offCurve, issuer: root, notBefore: Hierarchy.now, random: &random)
        }
        #expect(throws: IssuingError.badValidity) {
            try CertificateIssuer.mainAdministrator(
                name: "M", key: key.publicKey, issuer: root, notBefore: Hierarchy.now, duration: 0, random: &random)
        }
    }

    @Test("Serial numbers come from the given source, positive and sixteen bytes, whatever it gives")
    func serialNumbers() throws {
        for value in [UInt64.zero, .max, 1, 1 << 63] {
            var random = Constant(value: value)
            let der = try CertificateIssuer.root(
                organisation: "O", publicURL: Hierarchy.url, key: try SigningKey(), notBefore: Hierarchy.now,
                random: &random)
            #expect(try Certificate.parse(der).serialNumber.count == 16)
        }
    }
}

/// Always the same number.
struct Constant: RandomNumberGenerator {
    let value: UInt64
    mutating func next() -> UInt64 { value }
}
