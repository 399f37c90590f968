import CryptoProvider
import Encodings
import Foundation
import Passkeys
import Testing

/// An attestation certificate and its root, both by openssl.
struct OpenSSLChain {
    let root: Bytes
    let leaf: Bytes
    private let attestationKey: SigningKey

    /// - Parameters:
    ///   - rootKey: what follows `-newkey`.
    ///   - digest: of the leaf's signature; Ed25519 ignores it.
    init(rootKey: [String], digest: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "attestation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String) -> String { folder.appending(path: name).path }
        func run(_ arguments: [String]) throws {
            let result = try OtherPrograms.openssl(arguments)
            try #require(result.status == 0, "\(result.errors)")
        }
        try run(
            ["req", "-x509", "-newkey"] + rootKey + [
                "-nodes", "-keyout", file("root.key"), "-out", file("root.der"), "-outform", "DER", "-days", "400",
                "-subj", "/C=NO/O=Countersign/CN=Root",
            ])
        try run(["x509", "-inform", "DER", "-in", file("root.der"), "-out", file("root.pem")])
        try run([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", file("leaf.key"),
            "-out", file("leaf.csr"), "-subj", "/C=NO/O=Countersign/OU=Authenticator Attestation/CN=Test",
        ])
        try "basicConstraints=critical,CA:FALSE\n".write(toFile: file("leaf.cnf"), atomically: true, encoding: .utf8)
        try run([
            "x509", "-req", "-in", file("leaf.csr"), "-CA", file("root.pem"), "-CAkey", file("root.key"),
            "-CAcreateserial", "-days", "300", "-\(digest)", "-extfile", file("leaf.cnf"), "-outform", "DER", "-out",
            file("leaf.der"),
        ])
        try run(["pkcs8", "-topk8", "-nocrypt", "-in", file("leaf.key"), "-outform", "DER", "-out", file("leaf.p8")])
        root = Bytes(try Data(contentsOf: folder.appending(path: "root.der")))
        leaf = Bytes(try Data(contentsOf: folder.appending(path: "leaf.der")))
        attestationKey = try SigningKey(
            rawRepresentation: try Self.secret(Bytes(try Data(contentsOf: folder.appending(path: "leaf.p8")))))
    }

    /// The secret number in a PKCS #8 key (RFC 5915 inside RFC 5958).
    private static func secret(_ der: Bytes) throws -> Bytes {
        var file = DERReader(der)
        var outer = try file.sequence()
        _ = try outer.integer()
        _ = try outer.sequence()
        var inner = DERReader(try outer.element(DERTag.octetString).content)
        var key = try inner.sequence()
        _ = try key.integer()
        return try key.element(DERTag.octetString).content
    }

    func verify() throws -> Attestation {
        let authenticator = try SoftwareAuthenticator()
        let registration = try authenticator.register(TestRelyingParty.challenge) { [attestationKey, leaf] data, hash in
            let signature = DERWriter.signature(try attestationKey.sign(data + hash))
            return (
                "packed",
                .named([("alg", .number(-7)), ("sig", .bytes(signature)), ("x5c", .array([.bytes(leaf)]))])
            )
        }
        return try TestRelyingParty.verify(
            registration, roots: [try TrustedAttestationRoot(der: root)],
            at: Int64(Date().timeIntervalSince1970) + 60
        ).attestation
    }
}
