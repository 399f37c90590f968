import Foundation
import HandSignatures
import Interface
import Testing
import Verification

@testable import Server

/// Compares the server's English at the desk with the texts that the desk's pages have in other languages.
@Suite("The desk's words")
struct DeskWordsTests {
    /// The keys of `refusals.js`, which has what the server says.
    private let keys: Set<String>

    init() throws {
        let file = try #require(
            FileManager.default.contents(atPath: Pages.builtFolder + "/hand-signatures/refusals.js"))
        keys = Set(ModuleTexts.keys(of: String(decoding: file, as: UTF8.self)).map(\.text))
    }

    /// A text as `known` of `Web/shell/translate.js` looks it up: its numbers are values.
    private func isKnown(_ text: String) -> Bool {
        var count = 0
        let counted = text.replacing(/[0-9]+/) { _ in
            count += 1
            return "{\(count - 1)}"
        }
        return keys.contains(text) || keys.contains(counted)
    }

    @Test("have every refusal that a page of the desk shows")
    func refusals() {
        let errors: [HandSignatureError] = [
            .clientNotFound, .documentNotFound, .signingNotFound, .handoverNotFound, .handoverOver, .numberTaken,
            .unlikeSitting(2), .checkFailed, .replayed, .otherTool, .noModel, .noForensicKey, .noDeskSigner,
            .otherVersion(7), .otherDocument, .otherTemplate, .tooManyAttempts, .secondSittingDone,
            .secondSittingTooEarly(from: 1_800_000_000), .badTicket, .otherCapture, .evidenceErased, .notDecided,
            .notAnOperator, .blockedAlready,
        ]
        let decisions: [SigningError] = [.notYours, .alreadyDecided, .lapsed, .otherTemplate]
        for detail in errors.map(\.problem.detail) + decisions.map(\.problem.detail) {
            #expect(isKnown(detail), "\(detail)")
        }
    }

    @Test("have what is wrong with a signature, in the page and behind its number in a list")
    func captures() {
        let errors: [CaptureError] = [
            .malformed(line: 1), .unknownUnit, .tooLarge(limit: 1), .tooManySamples(1), .tooFewSamples(1),
            .outOfRange(sample: 1), .tooShort, .tooLong, .brokenClock,
        ]
        for error in errors { #expect(isKnown("\(error.words)"), "\(error.words)") }
        #expect(HandSignatureError.unlike([3]).problem.detail == "signature 3: not like the others. Take it again.")
        #expect(isKnown("not like the others. Take it again."))
    }

    @Test("have what is said beside a comparison")
    func comparisons() {
        for score: Int64 in [-2_000_000, -1, 1] {
            let comparison = Interface.Comparison(score: score, threshold: 0, device: nil)
            #expect(isKnown(comparison.sentence), "\(comparison.sentence)")
        }
    }
}
