import Documents
import Encodings

/// What a notice is about, in one short sentence, for ways whose owner wants it said.
///
/// It has no code, no amount, no name of a device and nothing of a document but its type.
struct NotificationDetail: Sendable, Equatable {
    /// What is said.
    ///
    /// Each slice may bring its own (``Slice/sentences``).
    struct Sentence: Sendable, Hashable {
        /// As the outbox knows it: no other sentence has the same, and it never changes.
        let name: String
        /// In English, the key of the catalogues; `{0}` is the value.
        let words: String

        init(_ name: String, _ words: String) { (self.name, self.words) = (name, words) }
    }

    /// Bytes of a value: the message of a push service has one length, and an SMS is paid by its own.
    static let longestValue = 120

    let sentence: Sentence
    let value: String

    /// - Parameter value: neutralised already, if somebody else wrote it; the rest of a long one is left out.
    init(_ sentence: Sentence, _ value: String = "") {
        self.sentence = sentence
        self.value = Self.cut(value)
    }

    /// Reads what the outbox has; `nil` if it is none of these sentences.
    init?(stored: String, of sentences: [Sentence]) {
        let parts = stored.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let sentence = sentences.first(where: { $0.name == parts[0] }) else { return nil }
        self.init(sentence, String(parts[1]))
    }

    /// For the outbox: it is put into words when it is sent, in the language of that time.
    var stored: String { "\(sentence.name)\n\(value)" }

    /// The sentence in a language.
    func text(_ catalogue: WordCatalogue) -> String {
        var shown = value
        if [Sentence.document, .requestAccepted, .requestCancelled].contains(sentence) {
            let type = DocumentCatalogue.type(named: Bytes(text: value))
            shown = type?.title(in: Bytes(text: catalogue.code)) ?? value
        }
        // A name in Latin letters keeps its order within a sentence from right to left.
        if catalogue.direction == "rtl", !shown.isEmpty { shown = "\u{2068}\(shown)\u{2069}" }
        return catalogue(sentence.words).replacing("{0}", with: shown)
    }

    private static func cut(_ value: String) -> String {
        guard value.utf8.count > longestValue else { return value }
        var (cut, left) = ("", longestValue - 3)
        for character in value {
            left -= String(character).utf8.count
            guard left >= 0 else { break }
            cut.append(character)
        }
        return cut + "\u{2026}"
    }
}
