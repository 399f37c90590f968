import CryptoProvider
import Encodings
import Passkeys
import Testing

@Suite("Passkeys: chains of attestation certificates")
struct AttestationChainTests {
    private let maker: TestMaker
    private let authenticator: SoftwareAuthenticator
    private let intermediateKey: SigningKey

    init() throws {
        maker = try TestMaker()
        authenticator = try SoftwareAuthenticator()
        intermediateKey = try SigningKey()
    }

    private func verify(
        _ chain: [Bytes], roots: [Bytes]? = nil, at time: Int64 = TestCertificate.time,
        requirements: PasskeyRequirements = PasskeyRequirements()
    ) throws -> Attestation {
        let registration = try authenticator.register(TestRelyingParty.challenge) { [maker] data, hash in
            let signature = DERWriter.signature(try maker.attestationKey.sign(data + hash))
            let list = CBOR.array(chain.map { .bytes($0) })
            return ("packed", .named([("alg", .number(-7)), ("sig", .bytes(signature)), ("x5c", list)]))
        }
        let anchors = try (roots ?? [maker.root]).map { try TrustedAttestationRoot(der: $0) }
        return try TestRelyingParty.verify(registration, roots: anchors, requirements: requirements, at: time)
            .attestation
    }

    private func refused(_ fault: AttestationFault, _ chain: [Bytes], roots: [Bytes]? = nil) {
        #expect(throws: PasskeyError.attestation(fault)) { try verify(chain, roots: roots) }
    }

    private func certified(_ root: Bytes) -> Attestation { .certified(.packed, root: SHA256.hash(root)) }

    private func leaf(_ spoil: (inout TestCertificate) -> Void = { _ in }) throws -> Bytes {
        var certificate = maker.certificate()
        certificate.issuer = TestCertificate.name("Between", unit: "CA")
        spoil(&certificate)
        return try certificate.signed(by: intermediateKey)
    }

    private func intermediate(_ spoil: (inout TestCertificate) -> Void = { _ in }) throws -> Bytes {
        var certificate = TestCertificate.authority("Between", issuer: "Root", key: intermediateKey)
        spoil(&certificate)
        return try certificate.signed(by: maker.rootKey)
    }

    @Test("A chain leads to its root, with the root sent along or not")
    func genuine() throws {
        let chain = [try leaf(), try intermediate()]
        #expect(try verify(chain) == certified(maker.root))
        #expect(try verify(chain + [maker.root]) == certified(maker.root))
        #expect(try verify(chain, roots: [PasskeyVector.root, maker.root]) == certified(maker.root))
        #expect(try verify(chain, roots: [chain[1]]) == certified(chain[1]))
        #expect(try verify(chain, roots: [chain[0]]) == certified(chain[0]))
    }

    @Test("An attacker's own self-signed root in x5c is no anchor (GHSA-6hxq-p678-4hr2)")
    func ownRoot() throws {
        let key = try SigningKey()
        let fake = try TestCertificate.authority("Root", issuer: "Root", key: key).signed(by: key)
        let leaf = try maker.certificate().signed(by: key)
        for chain in [[leaf, fake], [leaf, fake, fake], [leaf, fake, maker.root], [leaf]] {
            for roots in [[maker.root], [PasskeyVector.root], []] {
                #expect(throws: PasskeyError.self) { try verify(chain, roots: roots) }
            }
        }
        refused(.untrustedRoot, [leaf, fake])
        refused(.brokenChain, [leaf, maker.root])
        var lenient = PasskeyRequirements()
        lenient.acceptsUnrootedAttestation = true
        #expect(try verify([leaf, fake], requirements: lenient) == .unrooted(.packed))
        // The root's name and key, but not its signature.
        let copied = try TestCertificate.authority("Root", issuer: "Root", key: maker.rootKey).signed(by: key)
        #expect(throws: PasskeyError.attestation(.brokenChain)) { try verify([leaf, copied]) }
    }

    @Test("A self-signed attestation certificate is no anchor")
    func selfSigned() throws {
        var certificate = maker.certificate()
        certificate.issuer = certificate.subject
        let der = try certificate.signed(by: maker.attestationKey)
        refused(.untrustedRoot, [der])
        refused(.untrustedRoot, [der], roots: [])
        #expect(try verify([der], roots: [der]) == certified(der))
    }

    @Test("Order, names and signatures must fit")
    func links() throws {
        let (leaf, intermediate) = (try leaf(), try intermediate())
        refused(.untrustedRoot, [leaf])
        refused(.brokenChain, [leaf, maker.root, intermediate])
        refused(.brokenChain, [leaf, leaf])
        refused(.brokenChain, [try self.leaf { $0.issuer = TestCertificate.name("Other") }, intermediate])
        let other = try SigningKey().publicKey.x963
        refused(.brokenChain, [leaf, try self.intermediate { $0.publicKey = other }])
        var broken = intermediate
        broken[broken.count - 1] ^= 1
        refused(.untrustedRoot, [leaf, broken])
    }

    @Test("Who issues must be an authority that may")
    func authorities() throws {
        let leaf = try leaf()
        refused(.issuerNotAuthority, [leaf, try intermediate { $0.extensions.removeFirst() }])
        refused(
            .issuerNotAuthority,
            [leaf, try intermediate { $0.extensions[0] = TestCertificate.constraints(isAuthority: false) }])
        refused(
            .issuerNotAuthority, [leaf, try intermediate { $0.extensions[1].value = [DERTag.bitString, 2, 7, 0x80] }])
        let unlimited = try intermediate { $0.extensions.removeLast() }
        #expect(try verify([leaf, unlimited]) == certified(maker.root))
        // A genuine authenticator's certificate issues nothing, no matter who has its key.
        let key = try SigningKey()
        let stolen = try maker.certificate(key.publicKey.x963).signed(by: maker.rootKey)
        var forged = maker.certificate()
        forged.issuer = TestCertificate.name("Test")
        refused(.issuerNotAuthority, [try forged.signed(by: key), stolen])
        // Nor does a root that is no authority.
        let plain = try maker.certificate(maker.rootKey.publicKey.x963).signed(by: maker.rootKey)
        var below = maker.certificate()
        below.issuer = TestCertificate.name("Test")
        refused(.issuerNotAuthority, [try below.signed(by: maker.rootKey)], roots: [plain])
    }

    @Test("Path lengths are kept")
    func pathLengths() throws {
        let chain = [try leaf(), try intermediate()]
        let short = try TestCertificate.authority("Root", issuer: "Root", key: maker.rootKey, pathLength: 0)
            .signed(by: maker.rootKey)
        refused(.pathLengthExceeded, chain, roots: [short])
        #expect(try verify([try maker.certificate().signed(by: maker.rootKey)], roots: [short]) == certified(short))
        let enough = try TestCertificate.authority("Root", issuer: "Root", key: maker.rootKey, pathLength: 1)
            .signed(by: maker.rootKey)
        #expect(try verify(chain, roots: [enough]) == certified(enough))
        // Three: the highest of two intermediates allows none below itself.
        let lowKey = try SigningKey()
        let low = try TestCertificate.authority("Low", issuer: "Between", key: lowKey).signed(by: intermediateKey)
        var last = maker.certificate()
        last.issuer = TestCertificate.name("Low", unit: "CA")
        let lowLeaf = try last.signed(by: lowKey)
        #expect(try verify([lowLeaf, low, try intermediate()]) == certified(maker.root))
        let none = try intermediate { $0.extensions[0] = TestCertificate.constraints(isAuthority: true, pathLength: 0) }
        refused(.pathLengthExceeded, [lowLeaf, low, none])
    }

    @Test("Every certificate up to the root must be valid at the time")
    func validity() throws {
        let old = "20250101000000Z"
        refused(.expired, [try leaf { $0.notAfter = old }, try intermediate()])
        refused(.expired, [try leaf(), try intermediate { $0.notAfter = old }])
        refused(.notYetValid, [try leaf(), try intermediate { $0.notBefore = "29000101000000Z" }])
        var root = TestCertificate.authority("Root", issuer: "Root", key: maker.rootKey)
        root.notAfter = old
        refused(.expired, [try leaf(), try intermediate()], roots: [try root.signed(by: maker.rootKey)])
    }

    @Test("Critical extensions that we do not know are refused; name constraints also when they are not critical")
    func criticalExtensions() throws {
        let unknown = TestCertificate.Extension(identifier: [0x2A, 0x03, 0x04], isCritical: true, value: [0x30, 0])
        var constraints = unknown
        constraints.identifier = TestCertificate.Identifier.nameConstraints
        var quiet = constraints
        quiet.isCritical = false
        for refused in [unknown, constraints, quiet] {
            self.refused(.unknownCriticalExtension, [try leaf { $0.extensions.append(refused) }, try intermediate()])
            self.refused(.unknownCriticalExtension, [try leaf(), try intermediate { $0.extensions.append(refused) }])
        }
        var harmless = unknown
        harmless.isCritical = false
        let chain = [try leaf { $0.extensions.append(harmless) }, try intermediate()]
        #expect(try verify(chain) == certified(maker.root))
    }

    @Test("What openssl issues with other keys and hash functions is followed; SHA-1 and short keys are not")
    func otherAlgorithms() throws {
        let genuine: [(key: [String], digest: String)] = [
            (["rsa:2048"], "sha256"), (["rsa:3072"], "sha512"), (["rsa:4096"], "sha384"),
            (["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], "sha384"),
            (["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], "sha256"),
            (["ec", "-pkeyopt", "ec_paramgen_curve:P-521"], "sha512"),
            (["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "sha384"), (["ed25519"], "sha256"),
        ]
        for (key, digest) in genuine {
            let issued = try OpenSSLChain(rootKey: key, digest: digest)
            #expect(try issued.verify() == certified(issued.root), "\(key) \(digest)")
        }
        let weak = try OpenSSLChain(rootKey: ["rsa:2048"], digest: "sha1")
        #expect(throws: PasskeyError.attestation(.untrustedRoot)) { try weak.verify() }
        let short = try OpenSSLChain(rootKey: ["rsa:1024"], digest: "sha256")
        #expect(throws: PasskeyError.attestation(.malformedCertificate)) { try short.verify() }
    }
}
