import Certificates
import CryptoProvider
import Encodings
import Interface
import Testing
import Transparency
import Verification

@testable import Wallet

@Suite("A wallet and log policies")
struct LogPolicyTests {
    private static let url = "https://sign.example.edu"
    private static let now: Int64 = 2_000_000_000
    let scratch: Scratch
    let root: IssuingAuthority
    let log: String

    init() throws {
        scratch = try Scratch()
        var random = SystemRandomNumberGenerator()
        let key = try SigningKey()
        root = try IssuingAuthority(
            key: key,
            certificate: try CertificateIssuer.root(
                organisation: "Example University", publicURL: Self.url, key: key, notBefore: Self.now - 10_000,
                random: &random))
        log = try NoteVerifierKey(
            name: Bytes(text: "sign.example.edu/log"), publicKey: Bytes(repeating: 1, count: 32)
        ).encoded().text
    }

    /// The main administrator by one of their certificates.
    private func owner(_ key: SigningKey, since time: Int64) throws -> IssuingAuthority {
        var random = SystemRandomNumberGenerator()
        return try IssuingAuthority(
            key: key,
            certificate: try CertificateIssuer.mainAdministrator(
                name: "Ragnhild", key: key.publicKey, issuer: root, notBefore: time, random: &random))
    }

    /// The answer of a server whose newest policy is signed so.
    private func organisation(
        _ version: Int64, by key: SigningKey, _ certificate: IssuingAuthority
    ) throws -> Organisation {
        let text = "log \(log)\nquorum none\n"
        let statement = try key.signJWS(
            type: "\(SignedLogPolicy.type)",
            payload: SignedLogPolicy.payload(
                audience: Bytes(text: Self.url), version: version, policy: Bytes(text: text), time: Self.now))
        return Organisation(
            name: "Example University", publicURL: Self.url, isSetUp: true,
            rootCertificate: PEM.encode(root.certificateDER).text,
            rootFingerprint: try TrustAnchor(der: root.certificateDER).fingerprint.hex, logKey: log,
            logPolicy: LogPolicyStatement(
                version: version, policy: text, statement: statement,
                certificate: certificate.certificateDER.base64URL))
    }

    @Test("are not led by the main administrator's old key any more, once her new one has signed")
    func replacedKey() async throws {
        let (old, new) = (try SigningKey(), try SigningKey())
        let first = try owner(old, since: Self.now - 1_000)
        let renewed = try owner(old, since: Self.now - 500)
        let recovered = try owner(new, since: Self.now - 100)
        var wallet = try await scratch.create()
        try wallet.update { _, secrets in
            secrets.root = root.certificateDER.base64URL
            secrets.logKey = log
        }
        let client = WalletClient(
            wallet: wallet, server: ServerClient(address: try ServerAddress(Self.url)), now: { Self.now })
        try await client.follow(try organisation(1, by: old, first))
        try await client.follow(try organisation(2, by: old, renewed))
        // A certificate that the main administrator has renewed since.
        await #expect(throws: WalletError.self) { try await client.follow(try organisation(3, by: old, first)) }
        try await client.follow(try organisation(3, by: new, recovered))
        // The thief's, by the key that was lost: it verifies, and is newer.
        for certificate in [first, renewed] {
            await #expect(throws: WalletError.badLogPolicy("an older certificate has signed it than the one in force"))
            {
                try await client.follow(try organisation(4, by: old, certificate))
            }
        }
        #expect(try await client.trust().policyVersion == 3)
        try await client.follow(try organisation(4, by: new, recovered))
        // It is in the file: the next unlocking knows it, too.
        let again = try await scratch.file.unlock(passphrase: Scratch.passphrase)
        #expect(again.secrets.policyVersion == 4)
        #expect(again.secrets.policyCertified == Self.now - 100)
    }
}
