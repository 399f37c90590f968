import Documents
import Encodings
import Foundation
import Verification
import Wallet

/// A report in words.
///
/// It has each check by name, with a tick, a cross or a question mark on a terminal, then the answers to the three
/// questions. Last comes the verdict, with the questions that are not answered with yes.
struct ReportView {
    let report: VerificationReport
    /// The document beside the file, if there is one.
    let beside: DocumentBeside?

    init(_ report: VerificationReport, beside: DocumentBeside? = nil) {
        self.report = report
        self.beside = beside
    }

    func show() {
        for check in report.checks {
            let name = "\(check.name.code)".padding(toLength: 10, withPad: " ", startingAt: 0)
            Output.line("\(Self.mark(check.result))  \(name)  \(check.detail.shown)")
        }
        Output.line()
        if let signer = report.signer {
            Output.line("signed by \(signer.name.shown), \(signer.organisation.shown) (\(signer.publicURL.shown))")
        }
        if let content = report.content { show(content) }
        if let binding = report.binding {
            Output.line(
                "made for \(binding.audience.shown) at \(Output.time(binding.issuedAt)), "
                    + "good until \(Output.time(binding.expiresAt))")
        }
        Output.line()
        for question in Question.allCases { show(question) }
        if report.obstacle(.genuine)?.reason == .notAPresentation {
            Output.line(
                "Look for a file that ends in .countersign. A PDF or a picture alone shows nothing: anybody can make")
            Output.line("one. If it came with such a file, check that one and give this one with --document.")
        }
        if let beside { Output.line(beside.words) }
        Output.line(Terminal.styled(verdict.words, verdict.style))
    }

    private func show(_ question: Question) {
        let words = Self.words(question).padding(toLength: 34, withPad: " ", startingAt: 0)
        switch report.answer(question) {
        case .yes: Output.line("\(words)\(Terminal.styled("yes", .good))")
        case .no: Output.line("\(words)\(Terminal.styled("no", .bad)): \(obstacle(question))")
        case .open: Output.line("\(words)\(Terminal.styled("open", .doubtful)): \(obstacle(question))")
        }
    }

    private func obstacle(_ question: Question) -> String { report.obstacle(question)?.detail.shown ?? "" }

    private static func words(_ question: Question) -> String {
        switch question {
        case .genuine: "Is it genuine?"
        case .holds: "Does it still hold?"
        case .shown: "Was it shown to you, and lately?"
        }
    }

    private func show(_ content: VerificationReport.Content) {
        Output.line("\(content.claims.typeName.shown), issued \(Output.time(content.claims.issuedAt))")
        for field in FieldOptions.ordered(content.fields, type: content.claims.typeName) {
            Output.line("  \(field.name.shown): \(FieldOptions.words(field.value))")
        }
        for field in content.withheld { Output.line("  \(field.name): not disclosed") }
        if let document = content.document {
            Output.line("  file: \(document.name.shown), \(document.size) bytes")
        }
    }

    private var verdict: (words: String, style: Terminal.Style) {
        switch beside?.exitCode(report.verdict) ?? report.verdict.exitCode {
        case Verdict.valid.exitCode: ("VALID", .good)
        case Verdict.notValid.exitCode: ("NOT VALID: \(names(.no, beside: .different))", .bad)
        default: ("COULD NOT TELL: \(names(.open, beside: .unknown))", .doubtful)
        }
    }

    /// The questions with this answer, as programs know them, and the document beside when this was found of it.
    private func names(_ answer: Question.Answer, beside finding: DocumentBeside.Finding) -> String {
        let questions = Question.allCases.filter { report.answer($0) == answer }.map { "\($0.code)" }
        return (questions + (beside?.finding == finding ? ["document"] : [])).joined(separator: ", ")
    }

    /// Signs on a terminal, words in a file.
    private static func mark(_ result: CheckResult) -> String {
        guard Terminal.isInteractive else {
            return "\(result.code)".padding(toLength: 12, withPad: " ", startingAt: 0)
        }
        return switch result {
        case .passed: Terminal.styled("✓", .good)
        case .failed: Terminal.styled("✗", .bad)
        case .unknown: Terminal.styled("?", .doubtful)
        case .notIncluded: Terminal.styled("–", .faint)
        }
    }
}

extension VerificationReport {
    /// The report for programs, with what was found of a file beside.
    func json(_ beside: DocumentBeside?) -> JSON {
        guard let beside, let members = json.members else { return json }
        return .object(members + [JSON.Member("beside", beside.json)])
    }
}
