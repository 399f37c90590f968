import Browser
import BrowserCalls
import Certificates
import Documents
import Encodings
import Transparency
import Verification

extension FuzzTarget {
    static let wholeFiles = [
        FuzzTarget("verification", maximumLength: 12_288, verification),
        FuzzTarget("verification-parts", maximumLength: 6144, verificationParts),
        FuzzTarget("held-document", maximumLength: 12_288, heldDocument),
        FuzzTarget("signing-report", maximumLength: 12_288, signingReport),
        FuzzTarget("browser", maximumLength: 12_288, browser),
    ]

    /// The one file that a verifier gets.
    private static func verification(_ input: Bytes) throws(BrokenPromise) {
        guard let root = WholeFile.root else { throw BrokenPromise(promise: "there is a root") }
        let options = VerificationOptions(time: WholeFile.time)
        for suite in LenientSuite.both {
            let report = Verifier(root: root, policy: WholeFile.policy, suite: suite).verify(input, options: options)
            try expect(report.checks.count == CheckName.allCases.count, "every check is reported")
            let isWhole = report.checks.allSatisfy { $0.result == .passed || $0.result == .notIncluded }
            try expect((report.verdict == .valid) == isWhole, "valid means that no check failed")
            guard report.content != nil else { continue }
            let written = report.json.serialized()
            try expect(
                (try? JSON.parse(written, maximumLength: 1 << 24, maximumDepth: 64)) != nil, "a report is JSON")
            let refused = Verifier(root: root, policy: WholeFile.policy, suite: RefusingSuite())
                .verify(input, options: options)
            try expect(refused.verdict == .notValid, "nothing is valid without its signatures")
        }
    }

    /// The same with the presentation, the only status token and the receipt as parts.
    private static func verificationParts(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let token = ComposedText.statusToken(parts.next())
        let receipt = parts.next()
        let bundle = PresentationBundle(
            presentation: ComposedText.sdJWT(parts.rest()), document: nil, status: [token],
            receipt: UTF8Text.isValid(receipt) ? receipt : nil)
        try verification(bundle.formatted())
    }

    /// A receipt, and the package that the server lists with it.
    private static func heldDocument(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let receipt = parts.next()
        guard let root = WholeFile.root, let policy = WholeFile.policy,
            let package = try? DocumentPackage.parse(parts.rest()),
            let credential = try? UnverifiedSDJWT.parse(package.credential)
        else { return }
        let claims = try? CredentialClaims(payload: credential.credential.payload)
        guard let holder = claims?.holderKey ?? anyKey else { return }
        for suite in LenientSuite.both {
            let listed = ListedDocument(
                credentialDigest: Base64.encode(credential.credentialDigest(suite: suite), .url),
                type: claims?.typeName ?? [], receipt: receipt)
            let held = try? HeldDocument.verified(
                package, listed: listed, holderKey: holder, root: root, policy: policy, suite: suite)
            try expect(held == nil || held?.claims.holderKey == holder, "a document is its holder's")
        }
        let real = ListedDocument(
            credentialDigest: Base64.encode(SHA256.hash(credential.credentialText), .url), type: claims?.typeName ?? [],
            receipt: receipt)
        let refused = try? HeldDocument.verified(
            package, listed: real, holderKey: holder, root: root, policy: policy, suite: RefusingSuite())
        try expect(refused == nil, "nothing is kept without its signatures")
    }

    /// The report of a transaction.
    private static func signingReport(_ input: Bytes) throws(BrokenPromise) {
        guard let root = WholeFile.root else { throw BrokenPromise(promise: "there is a root") }
        for suite in LenientSuite.both {
            let report = try? SigningReport.verify(
                input, root: root, policy: WholeFile.policy, now: WholeFile.time, suite: suite)
            try expect(report.map { $0.loggedAt != nil } ?? true, "with a pinned log there is a receipt")
        }
        let refused = try? SigningReport.verify(
            input, root: root, policy: nil, now: WholeFile.time, suite: RefusingSuite())
        try expect(refused == nil, "nothing is valid without its signatures")
    }

    /// A call of a page, as it travels through the memory of the WebAssembly module.
    private static func browser(_ input: Bytes) throws(BrokenPromise) { try checkAnswer(Browser.answer(input)) }

    /// What every answer to a page promises.
    static func checkAnswer(_ output: Bytes) throws(BrokenPromise) {
        guard let answer = Frames.split(output), answer.count >= 2 else {
            throw BrokenPromise(promise: "an answer is a sequence of whole parts")
        }
        try expect(answer[0] == [0] || answer[0] == [1], "an answer says whether it is one")
        let value = try? JSON.parse(answer[1], maximumLength: 1 << 24, maximumDepth: 64)
        try expect(value != nil, "an answer is JSON")
    }
}
