import Certificates
import Documents
import Encodings
import Foundation
import Testing
import Transparency
import Verification

/// The answers to an employer who was shown a degree and looks at the file some days later.
@Suite("A file that was shown to an employer")
struct EmployerTests {
    /// The table of docs/documents.md, as the verifier answers.
    ///
    /// It has a row for each event and day, and a column for each way to look. Each cell has the three answers and the
    /// exit code.
    private func rows() throws -> [String] {
        let all = try #require(Forgeries.all)
        let verifier = Verifier(
            root: try TrustAnchor(der: all.root), policy: LogPolicy(logKey: all.logKey), suite: all.suite)
        var rows: [(key: String, cells: [String])] = []
        for item in all.employer {
            let parts = item.name.components(separatedBy: "; ")
            let report = verifier.verify(item.file, options: item.options)
            let answers = Question.allCases.map { string(report.answer($0).code) }.joined(separator: ", ")
            let key = "\(parts[0]) | \(parts[1].dropFirst(4))"
            if rows.last?.key != key { rows.append((key, [])) }
            rows[rows.count - 1].cells.append("\(answers) (\(report.verdict.exitCode))")
        }
        return rows.map { "| \($0.key) | \($0.cells.joined(separator: " | ")) |" }
    }

    @Test("gets the answers that the documentation promises, on every day and by every way to look")
    func table() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let text = try String(
            contentsOf: repository.appendingPathComponent("docs/documents.md").standardizedFileURL, encoding: .utf8)
        let promised = text.split(separator: "\n").map(String.init)
        let rows = try rows()
        #expect(rows.count == 12)
        for row in rows { #expect(promised.contains(row), "\(row)") }
    }

    @Test("still reads yes when the status is older than its ttl, as of then, and open only when the token has expired")
    func timeToLive() throws {
        let all = try #require(Forgeries.all)
        let item = try #require(all.employer.first { $0.name == "nothing; day 0; offline" })
        let tokens = try PresentationBundle.parse(item.file).status.map { text in
            try UnverifiedStatusListToken.parse(text)
        }
        let token = try #require(tokens.first)
        let timeToLive = try #require(token.timeToLive)
        let verifier = Verifier(
            root: try TrustAnchor(der: all.root), policy: LogPolicy(logKey: all.logKey), suite: all.suite)
        var options = item.options
        let times = [token.issuedAt + timeToLive + 1, token.expiresAt - 1, token.expiresAt]
        for (time, expected) in zip(times, [Question.Answer.yes, .yes, .open]) {
            options.time = time
            let report = verifier.verify(item.file, options: options)
            #expect(report.answer(.holds) == expected, "\(time - token.issuedAt) seconds after the token was signed")
            if expected == .yes { #expect(report.statusAt == token.issuedAt) }
        }
    }

    @Test("never says yes once the document is revoked and the network is there, nor no while nothing is wrong")
    func sense() throws {
        for row in try rows() {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if cells[0].contains("revoked"), cells[1] != "0" { #expect(cells[3].hasSuffix("(1)"), "\(row)") }
            if !cells[0].contains("revoked") { #expect(!row.contains("no,") && !row.contains(", no"), "\(row)") }
        }
    }
}
