import HandSignatures
import Interface
import Verification

/// The words of a report, in the language of a catalogue.
struct SigningReportWords {
    let catalogue: WordCatalogue

    /// A text with its values, which are markup already.
    func callAsFunction(_ text: SigningReportText, _ values: String...) -> String {
        fill(catalogue(text.rawValue), values)
    }

    private func fill(_ text: String, _ values: [String]) -> String {
        text.replacing(/\{(\d)\}/) { match in
            Int(match.1).flatMap { values.indices.contains($0) ? values[$0] : nil } ?? ""
        }
    }

    /// The translation of what the server has written into a record in English; `nil` where there is none.
    func known(_ english: String) -> String? { catalogue.texts[english] }

    /// The words about a device, whose kind is a text of its own.
    func device(_ sentence: String) -> String {
        for english in Self.devices {
            let parts = english.split(separator: "{0}").map(String.init)
            guard let fixed = parts.first, let end = parts.last, sentence.hasPrefix(fixed), sentence.hasSuffix(end),
                sentence.count > fixed.count + end.count, let translated = known(english)
            else { continue }
            let kind = String(sentence.dropFirst(fixed.count).dropLast(end.count))
            return fill(translated, [counted(kind) ?? kind])
        }
        return sentence
    }

    /// A set of signatures by its file, with how many people and signatures it has.
    func set(_ english: String) -> String {
        guard let match = english.wholeMatch(of: /(.*): (\d+) users, (\d+) probes/) else { return english }
        return self(.set, String(match.1), String(match.2), String(match.3))
    }

    /// A text with a number in it.
    private func counted(_ english: String) -> String? {
        guard let number = english.firstMatch(of: /\d+/)?.output else { return nil }
        return known(english.replacing(number, with: "{0}", maxReplacements: 1)).map { fill($0, [String(number)]) }
    }

    // MARK: What there is

    /// Sentences about devices, as `ComparedDevice` makes them.
    private static let devices = [
        "The model has learnt from devices like this one ({0}), as far as a recording tells.",
        "The model has not learnt from a device like this one ({0}). Its threshold and its error rates come from other "
            + "devices.",
        "The model does not say which devices it has learnt from. This recording: {0}.",
    ]

    /// All that catalogues have for reports.
    static let keys: [String] =
        SigningReportText.allCases.map(\.rawValue) + devices
        + ["pen", "finger"].flatMap { tool in
            ["with", "without"].map { "\(tool), {0} samples a second, \($0) pressure" }
        }
        + Channel.allCases.map(\.title)
        + ["Signature", "Detection error trade-off", "forged accepted, %", "genuine refused, %"]
        + ["skilled forgeries", "other people"]
        + [.comparison, .recording, .lapsed, .enrolledAgain].map { (refusal: SigningLifecycle.Refusal) in
            "\(refusal.words)"
        }
        + [-1, 0, Interface.Comparison.strong].map { threshold in
            Interface.Comparison(score: 0, threshold: threshold, device: nil).sentence
        }
}
