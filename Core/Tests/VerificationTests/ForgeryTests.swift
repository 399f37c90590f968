import Certificates
import Encodings
import Testing
import Transparency
import Verification

@Suite("Presentations")
struct ForgeryTests {
    private func report(_ item: Forgeries.Case) throws -> VerificationReport {
        let all = try #require(Forgeries.all)
        let verifier = Verifier(
            root: try TrustAnchor(der: all.root), policy: item.usesLog ? LogPolicy(logKey: all.logKey) : nil,
            suite: all.suite)
        return verifier.verify(item.file, options: item.options)
    }

    @Test("that are as they should be are accepted", arguments: Forgeries.all?.good ?? [])
    func accepted(item: Forgeries.Case) throws {
        let report = try report(item)
        #expect(report.verdict == .valid, Comment(rawValue: string(report.json.serialized())))
        for check in report.checks {
            let expected = try #require(item.expected.members).first { $0.name.equals(check.name.code) }
            guard let code = expected?.value.string else {
                #expect(check.result == .passed, Comment(rawValue: string(check.detail)))
                continue
            }
            #expect(string(check.reason.code) == string(code))
        }
    }

    @Test("that are forged are refused, each for its own reason", arguments: Forgeries.all?.forged ?? [])
    func refused(item: Forgeries.Case) throws {
        let report = try report(item)
        let failed = report.checks.first { $0.result == .failed }
        let first = try #require(failed ?? report.checks.first { $0.result == .unknown })
        let found = "\(first.name.code) \(first.reason.code) \(first.result.code)"
        let expected = try ["check", "reason", "result"].map { name in
            string(try #require(item.expected[bytes: Bytes(text: name)]?.string))
        }
        #expect(found == expected.joined(separator: " "))
        #expect(report.verdict != .valid)
        #expect(report.verdict == (first.result == .unknown ? .couldNotTell : .notValid))
    }

    @Test("are more than a hundred, and some are good")
    func count() throws {
        let all = try #require(Forgeries.all)
        #expect(all.forged.count >= 100)
        #expect(all.good.count >= 10)
    }
}
