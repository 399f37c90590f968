import Documents
import EllipticCurves
import Encodings
import Testing

@Suite("SD-JWT")
struct SDJWTTests {
    @Test("presentations made by the Python reference give the claims that were shown", arguments: 0..<18)
    func foreignPresentations(position: Int) throws {
        let fixture = try Fixture.json("sd-jwt")
        let item = try fixture.list("cases")[position]
        let issuer = try #require(fixture["issuer"].flatMap { P256PublicKey(jwk: $0) })
        let presentation = try UnverifiedSDJWT.parse(try item.text("presentation"))
        let verified = try presentation.signed(by: issuer, suite: PureSuite()).processed(suite: PureSuite())
        let claims = try members(verified.claims).filter { !$0.name.equals("cnf") }
        let expected = try #require(item["claims"])
        // Python's order of members is not ours: compare canonically.
        #expect(string(try JSON.object(claims).canonical()) == string(try expected.canonical()))

        let jwk = try #require(verified.payload["cnf"]?["jwk"])
        let holder = try #require(P256PublicKey(jwk: jwk))
        let binding = try KeyBinding.verified(in: presentation, holder: holder, suite: PureSuite())
        #expect(string(binding.audience) == "https://employer.example")
        try binding.check(nonce: Bytes(text: "n-0S6_WzA2Mj"))
        #expect(throws: KeyBindingError.wrongNonce) { try binding.check(nonce: Bytes(text: "n-0S6_WzA2MJ")) }
    }

    @Test("credentials issued by the Python reference disclose everything", arguments: 0..<18)
    func foreignCredentials(position: Int) throws {
        let fixture = try Fixture.json("sd-jwt")
        let item = try fixture.list("cases")[position]
        let issuer = try #require(fixture["issuer"].flatMap { P256PublicKey(jwk: $0) })
        let issued = try UnverifiedSDJWT.parse(try item.text("issued"))
        #expect(issued.keyBindingText == nil)
        _ = try issued.signed(by: issuer, suite: PureSuite()).processed(suite: PureSuite())
        let holder = try #require(fixture["holder"].flatMap { P256PublicKey(jwk: $0) })
        #expect(throws: SDJWTError.credential(.badSignature)) { try issued.signed(by: holder, suite: PureSuite()) }
    }

    private func issue(
        visible: [(String, JSON)] = [("iss", .text("x"))],
        disclosable: [(String, JSON)] = [("given_name", .text("Ada")), ("degree", .text("MSc"))], decoys: Int = 0
    ) throws -> SignableSDJWT {
        var random = CountingGenerator()
        return try SDJWTBuilder(
            visible: members(.members(visible)), disclosable: members(.members(disclosable)), decoys: decoys
        ).signable(certificates: [[1], [2, 3]], random: &random, suite: TrustingSuite())
    }

    @Test("that we build are parsed again, with sorted digests and the chain in the header")
    func roundTrip() throws {
        let signable = try issue(decoys: 3)
        let parsed = try UnverifiedSDJWT.parse(signable.compact(signature: signature))
        #expect(parsed.disclosures == signable.disclosures)
        #expect(try parsed.certificates() == [[1], [2, 3]])
        #expect(parsed.credential.signingInput == signable.signingInput)
        let digests = try parsed.credential.payload.list("_sd").compactMap(\.string)
        #expect(digests.count == 5)
        #expect(digests == digests.sorted { $0.precedes($1) })
        let verified = try parsed.signed(by: try #require(key), suite: TrustingSuite()).processed(
            suite: TrustingSuite())
        #expect(verified.disclosed.map { string($0.name) }.sorted() == ["degree", "given_name"])
    }

    @Test("show only the claims that were chosen, and refuse to show others")
    func selection() throws {
        let issued = try UnverifiedSDJWT.parse(issue().compact(signature: signature))
        let shown = try UnverifiedSDJWT.parse(issued.presentation(disclosing: [Bytes(text: "degree")]))
        #expect(shown.disclosures.map { $0.name.map(string) } == ["degree"])
        #expect(shown.credentialText == issued.credentialText)
        #expect(shown.credentialDigest(suite: TrustingSuite()) == issued.credentialDigest(suite: TrustingSuite()))
        #expect(throws: SDJWTError.unknownClaim) { try issued.presentation(disclosing: [Bytes(text: "grade")]) }
        #expect(try issued.presentation(disclosing: []) == issued.credentialText + [0x7E])
    }

    @Test(
        "are not built with names that a verifier would refuse",
        arguments: ["_sd", "...", "_sd_alg", "iss", "cnf", "status"])
    func reserved(name: String) {
        #expect(throws: SDJWTError.reservedName) { try issue(visible: [], disclosable: [(name, .null)]) }
    }

    @Test("are not built with one name twice")
    func twice() {
        #expect(throws: SDJWTError.duplicateClaim) { try issue(visible: [("a", .null)], disclosable: [("a", .null)]) }
    }

    @Test("keep the salt of every claim apart")
    func salts() throws {
        let signable = try issue()
        #expect(signable.disclosures[0].salt != signable.disclosures[1].salt)
        #expect(try decoded(signable.disclosures[0].salt).count == 16)
    }

    @Test("give the digest of the example in RFC 9901 section 4.2.3")
    func exampleDigest() throws {
        let encoded = Bytes(text: "WyI2cU1RdlJMNWhhaiIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0")
        let disclosure = try Disclosure.parse(encoded)
        #expect(disclosure.name.map(string) == "family_name")
        #expect(disclosure.value == .text("Möbius"))
        #expect(string(disclosure.digest(suite: TrustingSuite())) == "uutlBuYeMDyjLLTpf6Jxi7yNkEF35jdyWMn9U7b_RYY")
    }
}

@Suite("Key binding")
struct KeyBindingTests {
    private func presentation(at time: Int64 = 1000, lifetime: Int64 = 200) throws -> UnverifiedSDJWT {
        var random = CountingGenerator()
        let signable = try SDJWTBuilder(visible: [], disclosable: [JSON.Member("a", .null)])
            .signable(certificates: [[1]], random: &random, suite: TrustingSuite())
        let issued = signable.compact(signature: signature)
        let input = KeyBinding.signingInput(
            audience: Bytes(text: "https://employer.example"), nonce: Bytes(text: "nonce"), issuedAt: time,
            expiresAt: time + lifetime, presentation: issued, suite: TrustingSuite())
        return try UnverifiedSDJWT.parse(
            KeyBinding.presentation(issued, signingInput: input, signature: signature))
    }

    @Test("made by us says what it was made for")
    func roundTrip() throws {
        let binding = try KeyBinding.verified(
            in: presentation(), holder: try #require(key), suite: TrustingSuite())
        #expect(binding.issuedAt == 1000 && binding.expiresAt == 1200)
        try binding.check(audience: Bytes(text: "https://employer.example"))
        #expect(throws: KeyBindingError.wrongAudience) { try binding.check(audience: Bytes(text: "https://employer")) }
    }

    @Test(
        "counts within its window only: its holder's, and the verifier's",
        arguments: [
            (1000, 100, nil), (1100, 100, nil), (995, 100, nil), (994, 100, .fromTheFuture), (1101, 100, .tooOld),
            (1199, nil, nil), (1200, nil, .lapsed), (1199, 1000, nil), (1200, 1000, .lapsed),
        ] as [(Int64, Int64?, KeyBindingError?)])
    func window(now: Int64, maximumAge: Int64?, error: KeyBindingError?) throws {
        let binding = try KeyBinding.verified(
            in: presentation(), holder: try #require(key), suite: TrustingSuite())
        var caught: KeyBindingError?
        do { try binding.check(at: now, maximumAge: maximumAge, clockSkew: 5) } catch { caught = error }
        #expect(caught == error)
    }
}
