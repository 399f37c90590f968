import Documents
import Encodings

extension FuzzTarget {
    static let documents = [
        FuzzTarget("zlib", maximumLength: 2048, zlib),
        FuzzTarget("status-token", maximumLength: 4096, statusToken),
        FuzzTarget("status-token-parts", maximumLength: 4096, statusTokenParts),
        FuzzTarget("disclosure", maximumLength: 1024, disclosure),
        FuzzTarget("sd-jwt", maximumLength: 6144, sdJWT),
        FuzzTarget("sd-jwt-parts", maximumLength: 4096, sdJWTParts),
        FuzzTarget("key-binding", maximumLength: 1024, keyBinding),
        FuzzTarget("credential-claims", maximumLength: 1024, claims),
        FuzzTarget("catalogue", maximumLength: 2048, catalogue),
        FuzzTarget("package", maximumLength: 4096, package),
        FuzzTarget("bundle", maximumLength: 4096, bundle),
    ]

    /// Any key: signatures are taken for good here.
    static let anyKey = P256PublicKey(x963: [4] + Bytes(repeating: 7, count: 64))

    private static func zlib(_ input: Bytes) throws(BrokenPromise) {
        let maximum = 1 << 16
        if let output = try? Zlib.decompress(input, maximumLength: maximum) {
            try expect(output.count <= maximum, "no more comes out than allowed")
            try expect(
                (try? Zlib.decompress(Zlib.compress(output), maximumLength: maximum)) == output,
                "what is packed is unpacked")
        }
        try expect(
            (try? Zlib.decompress(Zlib.compress(input), maximumLength: input.count)) == input,
            "what is packed is unpacked")
    }

    private static func statusToken(_ input: Bytes) throws(BrokenPromise) {
        guard let token = try? UnverifiedStatusListToken.parse(input), let anyKey else { return }
        let time = token.issuedAt
        let refused = try? token.verified(by: anyKey, uri: token.uri, at: time, suite: RefusingSuite())
        try expect(refused == nil, "no token counts without its signature")
        guard let verified = try? token.verified(by: anyKey, uri: token.uri, at: time, suite: LenientSuite.real)
        else { return }
        let count = verified.list.count
        try expect(verified.list.bytes.count <= StatusList.maximumBytes, "a list has its limit")
        try expect((try? verified.list.status(at: Int64(count))) == nil, "nothing lies behind the end")
        if count > 0 { try expect((try? verified.list.status(at: Int64(count) - 1)) != nil, "the last one is there") }
        _ = verified.revocationTime(at: 0)
    }

    private static func statusTokenParts(_ input: Bytes) throws(BrokenPromise) {
        try statusToken(ComposedText.statusToken(input))
    }

    /// As text, and as the JSON in it.
    private static func disclosure(_ input: Bytes) throws(BrokenPromise) {
        for text in [input, Base64.encode(input, .url)] {
            guard let disclosure = try? Disclosure.parse(text) else { continue }
            try expect(disclosure.encoded == text, "what is hashed is the text as it came")
        }
    }

    private static func sdJWTParts(_ input: Bytes) throws(BrokenPromise) { try sdJWT(ComposedText.sdJWT(input)) }

    private static func sdJWT(_ input: Bytes) throws(BrokenPromise) {
        guard let parsed = try? UnverifiedSDJWT.parse(input), let anyKey else { return }
        try expect(parsed.boundText + (parsed.keyBindingText ?? []) == input, "every byte is in one of the parts")
        try expect(parsed.disclosures.count <= UnverifiedSDJWT.maximumDisclosures, "disclosures are limited")
        _ = try? parsed.certificates()
        let names = parsed.disclosures.compactMap { $0.name }
        if let text = try? parsed.presentation(disclosing: names) {
            try expect((try? UnverifiedSDJWT.parse(text)) != nil, "what is presented is read")
        }
        try expect((try? parsed.signed(by: anyKey, suite: RefusingSuite())) == nil, "nothing counts unsigned")
        for suite in LenientSuite.both {
            _ = try? KeyBinding.verified(in: parsed, holder: anyKey, suite: suite)
            guard let verified = try? parsed.signed(by: anyKey, suite: suite).processed(suite: suite) else { continue }
            for claim in verified.disclosed {
                try expect(!claim.name.equals("iss") && !claim.name.equals("cnf"), "what judges is never withheld")
            }
            _ = verified.fields
        }
    }

    /// The key binding of a presentation that is well formed otherwise.
    private static func keyBinding(_ input: Bytes) throws(BrokenPromise) {
        let input = input.filter { $0 != 0x7E }
        let unsigned = CompactJWS.signingInput(type: "dc+sd-jwt", payload: .object([]))
        let credential = CompactJWS.text(signingInput: unsigned, signature: Bytes(repeating: 1, count: 64)) + [0x7E]
        guard let parsed = try? UnverifiedSDJWT.parse(credential + input), let anyKey else { return }
        let refused = try? KeyBinding.verified(in: parsed, holder: anyKey, suite: RefusingSuite())
        try expect(refused == nil, "nobody is the holder without a signature")
        for suite in LenientSuite.both {
            guard let binding = try? KeyBinding.verified(in: parsed, holder: anyKey, suite: suite) else { continue }
            try expect(!binding.audience.isEmpty && !binding.nonce.isEmpty, "a binding names verifier and nonce")
            try expect(binding.expiresAt > binding.issuedAt, "a binding ends after it begins")
            _ = try? binding.check(at: 0, maximumAge: 300, clockSkew: 60)
        }
    }

    private static func claims(_ input: Bytes) throws(BrokenPromise) {
        guard let json = try? JSON.parse(input) else { return }
        if let descriptor = try? DocumentDescriptor(json: json) {
            try expect((try? DocumentDescriptor(json: descriptor.json)) == descriptor, "what is written is read")
        }
        guard let claims = try? CredentialClaims(payload: json), claims.notBefore == nil else { return }
        try expect((try? CredentialClaims(payload: .object(claims.members))) == claims, "what is written is read")
    }

    private static func catalogue(_ input: Bytes) throws(BrokenPromise) {
        guard let members = (try? JSON.parse(input))?.members else { return }
        for type in DocumentCatalogue.types {
            let problems = type.problems(with: members)
            let isAccepted = (try? type.validate(members)) != nil
            try expect(problems.isEmpty == isAccepted, "what has no problems is accepted")
            guard isAccepted else { continue }
            let names = members.map { $0.name }
            try expect(type.mandatoryFields(missingFrom: names).isEmpty, "what is accepted is complete")
        }
    }

    private static func package(_ input: Bytes) throws(BrokenPromise) {
        guard let package = try? DocumentPackage.parse(input) else { return }
        try expect(package.formatted() == input, "one spelling for one package")
    }

    private static func bundle(_ input: Bytes) throws(BrokenPromise) {
        guard let bundle = try? PresentationBundle.parse(input) else { return }
        try expect(bundle.formatted() == input, "one spelling for one bundle")
    }
}
