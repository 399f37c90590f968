import Certificates
import Documents
import Encodings
import Testing
import Transparency
import Verification

@Suite("Reports")
struct ReportTests {
    private func report(_ name: String) throws -> VerificationReport {
        let all = try #require(Forgeries.all)
        let item = try #require((all.good + all.forged).first { $0.name == name })
        let verifier = Verifier(
            root: try TrustAnchor(der: all.root), policy: LogPolicy(logKey: all.logKey), suite: all.suite)
        return verifier.verify(item.file, options: item.options)
    }

    @Test("name every reason once, in snake case, with a sentence")
    func reasons() {
        let codes = Reason.allCases.map { string($0.code) }
        #expect(Set(codes).count == codes.count)
        for reason in Reason.allCases {
            let isSnake = string(reason.code).utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A || $0 == 0x5F }
            #expect(isSnake)
            #expect(reason.sentence.hasSuffix("."))
        }
    }

    @Test("list all checks in one order, whatever happens", arguments: ["everything", "a cut file", "no audience"])
    func order(name: String) throws {
        #expect(try report(name).checks.map(\.name) == CheckName.allCases)
    }

    @Test("tell who signed, what, when and for whom")
    func content() throws {
        let report = try report("everything")
        let signer = try #require(report.signer)
        #expect(string(signer.organisation) == "University of Examples")
        #expect(string(signer.name) == "Ada Admin")
        let content = try #require(report.content)
        #expect(string(content.claims.typeName) == "degree")
        #expect(content.fields.map { string($0.name) }.sorted() == ["degree", "family_name", "given_name"])
        #expect(content.withheld.map(\.name) == ["field_of_study", "conferred_on"])
        #expect(content.document.map { string($0.name) } == "degree.pdf")
        #expect(report.binding.map { string($0.audience) } == "https://employer.example")
        #expect(report.loggedAt == 1_790_000_060)
        #expect(report.statusAt == 1_790_003_000)
        #expect(report.verdict.exitCode == 0)
    }

    @Test("tell nothing from a credential whose issuer is not proved")
    func silence() throws {
        let report = try report("a changed payload")
        #expect(report.signer == nil)
        #expect(report.content == nil)
        #expect(report.binding == nil)
        #expect(report.json["claims"] == nil)
        #expect(report.verdict.exitCode == 1)
        #expect(report.check(.holder).reason == .notReached)
    }

    @Test(
        "answer three questions, each by its own checks",
        arguments: [
            ("everything", "yes yes yes"), ("a changed payload", "no open open"),
            ("a revoked credential", "yes no yes"), ("an expired credential", "yes no yes"),
            ("no status at all", "yes open yes"), ("replay: presented to another verifier", "yes yes no"),
            ("nobody has said who it is for", "yes yes open"), ("the holder's time is over", "yes yes open"),
            ("replay: another nonce", "yes yes no"), ("a plain PDF", "open open open"),
        ])
    func answers(name: String, expected: String) throws {
        let report = try report(name)
        #expect(Question.allCases.map { string(report.answer($0).code) }.joined(separator: " ") == expected)
        for question in Question.allCases {
            #expect((report.obstacle(question) == nil) == (report.answer(question) == .yes))
            if let obstacle = report.obstacle(question) { #expect(obstacle.name.question == question) }
        }
        let told = try #require(report.json["answers"]?.array).map { string($0["answer"]?.string ?? []) }
        #expect(told.joined(separator: " ") == expected)
    }

    @Test("say «could not tell» when only the status is missing")
    func unknown() throws {
        let report = try report("no status at all")
        #expect(report.verdict == .couldNotTell)
        #expect(report.verdict.exitCode == 2)
        #expect(report.json["verdict"] == .text("could_not_tell"))
        #expect(report.content != nil)
    }

    @Test("refuse every file with one byte changed in the presentation, wherever it is")
    func changedBytes() throws {
        let all = try #require(Forgeries.all)
        let item = try #require(all.good.first)
        let bundle = try PresentationBundle.parse(item.file)
        let verifier = Verifier(
            root: try TrustAnchor(der: all.root), policy: LogPolicy(logKey: all.logKey), suite: all.suite)
        for position in stride(from: 0, to: bundle.presentation.count, by: 7) {
            var presentation = bundle.presentation
            presentation[position] = presentation[position] == 0x41 ? 0x42 : 0x41
            let changed = PresentationBundle(
                presentation: presentation, document: bundle.document, status: bundle.status, receipt: bundle.receipt)
            #expect(verifier.verify(changed, options: item.options).verdict == .notValid)
        }
    }
}
