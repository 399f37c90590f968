import Certificates
import CryptoProvider
import Encodings
import Foundation
import Passkeys
import Testing

/// py_webauthn and we are asked the same about the same answers of a software authenticator.
@Suite("Passkeys: the same verdicts as py_webauthn")
struct PasskeyInteropTests {
    /// What is asked, and our own verdict.
    private struct Question {
        let name: String
        let json: JSON
        let ours: Bool
    }

    /// The answers of the other program, a line for each question.
    private func judge(_ questions: [Question]) throws -> [String] {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let python =
            ProcessInfo.processInfo.environment["TEST_PYTHON"]
            ?? repository.appending(path: ".build-tools/python/bin/python").path
        guard try OtherPrograms.run([python, "-c", "import webauthn"]).status == 0 else {
            throw OtherPrograms.Missing(
                description: "needs TEST_PYTHON with the package webauthn (./test installs it)")
        }
        let input = questions.map { String(decoding: $0.json.serialized(), as: UTF8.self) + "\n" }.joined()
        let script = repository.appending(path: "Tests/Interop/passkeys/judge.py").path
        let result = try OtherPrograms.run([python, script], input: input)
        try #require(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    private func compare(_ questions: [Question]) throws {
        let theirs = try judge(questions)
        try #require(theirs.count == questions.count)
        for (question, verdict) in zip(questions, theirs) {
            #expect(question.ours == (verdict == "accept"), "\(question.name): \(verdict)")
        }
        // A program that says the same to everything proves nothing.
        #expect(questions.contains { $0.ours })
        #expect(questions.contains { !$0.ours })
    }

    private func url(_ bytes: Bytes) -> JSON { .string(Base64.encode(bytes, .url)) }

    private func registration(
        _ name: String, _ registration: SoftwareAuthenticator.Registration, id: Bytes, root: Bytes? = nil
    ) throws -> Question {
        let roots = try root.map { [try TrustedAttestationRoot(der: $0)] } ?? []
        let ours = (try? TestRelyingParty.verify(registration, roots: roots, at: now)) != nil
        return Question(
            name: name,
            json: .members([
                ("kind", .text("registration")), ("challenge", url(TestRelyingParty.challenge)), ("id", url(id)),
                ("client_data", url(registration.clientData)), ("attestation_object", url(registration.object)),
                ("roots", .array(root.map { [.string(PEM.encode($0))] } ?? [])),
            ]), ours: ours)
    }

    private func assertion(
        _ name: String, _ assertion: SoftwareAuthenticator.Assertion, by credential: PasskeyCredential
    ) -> Question {
        Question(
            name: name,
            json: .members([
                ("kind", .text("assertion")), ("challenge", url(TestRelyingParty.challenge)),
                ("id", url(credential.id)), ("client_data", url(assertion.clientData)),
                ("authenticator_data", url(assertion.data)), ("signature", url(assertion.signature)),
                ("public_key", url(credential.publicKey.cose)), ("count", .integer(Int64(credential.signCount))),
            ]), ours: (try? TestRelyingParty.verify(assertion, by: credential)) != nil)
    }

    /// The other program takes the time from the clock.
    private var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Authenticators that say something else, each signing what it says.
    private static let changes: [(String, @Sendable (inout SoftwareAuthenticator) -> Void)] = [
        ("as it should be", { _ in }),
        ("nobody present", { $0.flags = 0x04 }),
        ("nobody verified", { $0.flags = 0x01 }),
        ("eligible for backup", { $0.flags = 0x0D }),
        ("backed up", { $0.flags = 0x1D }),
        ("backed up, not eligible", { $0.flags = 0x15 }),
        ("reserved bits", { $0.flags = 0x27 }),
        ("counter", { $0.count = 7 }),
        ("subdomain", { $0.origin = "https://login.example.org" }),
        ("no TLS", { $0.origin = "http://example.org" }),
        ("port", { $0.origin = "https://example.org:8443" }),
        ("other relying party", { $0.rpID = "example.com" }),
        ("unknown member", { $0.clientMembers = #","crossOrigin":false,"later":[1,{"a":null}]"# }),
        ("no member", { $0.clientMembers = "" }),
        ("text behind", { $0.clientMembers = "}{" }),
        ("extension", { $0.extensions = .named([("hmac-secret", .bool(true))]) }),
        ("no model", { $0.aaguid = Bytes(repeating: 0, count: 16) }),
        ("long ID", { $0.id = Bytes(repeating: 0x5A, count: 700) }),
    ]

    @Test("Registrations without attestation and with the credential's own key")
    func registrations() throws {
        var questions: [Question] = []
        for (name, change) in Self.changes {
            var authenticator = try SoftwareAuthenticator()
            change(&authenticator)
            let challenge = TestRelyingParty.challenge
            questions.append(
                try registration("none, \(name)", try authenticator.register(challenge), id: authenticator.id))
            let own = try authenticator.register(challenge, statement: authenticator.selfAttestation())
            questions.append(try registration("self, \(name)", own, id: authenticator.id))
        }
        let authenticator = try SoftwareAuthenticator()
        func add(_ name: String, _ spoilt: SoftwareAuthenticator.Registration) throws {
            questions.append(try registration(name, spoilt, id: authenticator.id))
        }
        try add("other challenge", try authenticator.register(Bytes(0..<32)))
        try add("no challenge", try authenticator.register([]))
        try add("other ceremony", try authenticator.register(TestRelyingParty.challenge, type: "webauthn.get"))
        let good = try authenticator.register(
            TestRelyingParty.challenge, statement: authenticator.selfAttestation())
        let stranger = authenticator.selfAttestation(by: try SigningKey())
        try add("other key", try authenticator.register(TestRelyingParty.challenge, statement: stranger))
        for algorithm: Int64 in [-8, -35, -257] {
            let statement = authenticator.selfAttestation(algorithm: algorithm)
            try add("alg \(algorithm)", try authenticator.register(TestRelyingParty.challenge, statement: statement))
        }
        for index in stride(from: 0, to: good.object.count, by: 5) {
            var spoilt = good
            spoilt.object[index] ^= 0x04
            try add("bit at \(index)", spoilt)
            spoilt.object = Array(good.object.prefix(index))
            try add("cut at \(index)", spoilt)
        }
        try compare(questions)
    }

    @Test("Assertions")
    func assertions() throws {
        let challenge = TestRelyingParty.challenge
        var questions: [Question] = []
        for (name, change) in Self.changes {
            var authenticator = try SoftwareAuthenticator()
            change(&authenticator)
            for stored: UInt32 in [0, 6, 7] {
                let credential = PasskeyCredential(
                    id: authenticator.id, publicKey: try COSEKey(cose: authenticator.coseKey()), signCount: stored,
                    isBackupEligible: authenticator.flags & 8 != 0, isBackedUp: false, aaguid: authenticator.aaguid)
                let answer = try authenticator.assert(challenge)
                questions.append(assertion("\(name), stored count \(stored)", answer, by: credential))
            }
        }
        let authenticator = try SoftwareAuthenticator()
        let credential = PasskeyCredential(
            id: authenticator.id, publicKey: try COSEKey(cose: authenticator.coseKey()), signCount: 0,
            isBackupEligible: false, isBackedUp: false, aaguid: authenticator.aaguid)
        func add(_ name: String, _ spoilt: SoftwareAuthenticator.Assertion) {
            questions.append(assertion(name, spoilt, by: credential))
        }
        add("other challenge", try authenticator.assert(Bytes(0..<32)))
        add("other ceremony", try authenticator.assert(challenge, type: "webauthn.create"))
        add("other key", try authenticator.assert(challenge, by: try SigningKey()))
        let good = try authenticator.assert(challenge)
        for index in good.signature.indices {
            var spoilt = good
            spoilt.signature[index] ^= 0x01
            add("signature, bit at \(index)", spoilt)
            spoilt.signature = Array(good.signature.prefix(index))
            add("signature, cut at \(index)", spoilt)
        }
        for index in good.data.indices {
            var spoilt = good
            spoilt.data[index] ^= 0x04
            add("data, bit at \(index)", spoilt)
        }
        try compare(questions)
    }

    @Test("Attestations by makers, with their root, without it, and with a root of the attacker's own")
    func attestations() throws {
        let maker = try TestMaker()
        let attacker = try TestMaker()
        let authenticator = try SoftwareAuthenticator()
        func statement(_ leaf: Bytes, _ more: Bytes..., key: SigningKey) -> SoftwareAuthenticator.Statement {
            let list = CBOR.array(([leaf] + more).map { .bytes($0) })
            return { data, hash in
                let signature = DERWriter.signature(try key.sign(data + hash))
                return ("packed", .named([("alg", .number(-7)), ("sig", .bytes(signature)), ("x5c", list)]))
            }
        }
        var leaf = maker.certificate()
        leaf.notAfter = "29990101000000Z"
        let good = try leaf.signed(by: maker.rootKey)
        leaf.publicKey = attacker.attestationKey.publicKey.x963
        let forged = try leaf.signed(by: attacker.rootKey)
        let cases: [(String, SoftwareAuthenticator.Statement, Bytes)] = [
            ("genuine", statement(good, key: maker.attestationKey), maker.root),
            ("genuine, root sent along", statement(good, maker.root, key: maker.attestationKey), maker.root),
            ("other root configured", statement(good, key: maker.attestationKey), attacker.root),
            ("attacker's leaf", statement(forged, key: attacker.attestationKey), maker.root),
            ("attacker's root sent along", statement(forged, attacker.root, key: attacker.attestationKey), maker.root),
            ("other key", statement(good, key: attacker.attestationKey), maker.root),
        ]
        let questions = try cases.map { name, statement, root in
            let answer = try authenticator.register(TestRelyingParty.challenge, statement: statement)
            return try registration(name, answer, id: authenticator.id, root: root)
        }
        try compare(questions)
    }
}
