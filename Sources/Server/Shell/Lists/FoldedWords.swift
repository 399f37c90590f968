import Foundation

/// The words of a text as lists compare them: without case, accents and widths, in the order of the text.
enum FoldedWords {
    /// Latin letters that Unicode does not take apart, as people write them who do not have them.
    private static let letters: [Character: String] = [
        "æ": "ae", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "ß": "ss", "þ": "th",
        "ŧ": "t",
    ]

    /// Anything but letters and digits ends a word.
    static func of(_ text: String) -> [Substring] {
        let folded = text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        let plain =
            folded.utf8.allSatisfy { $0 < 0x80 }
            ? folded : folded.reduce(into: "") { $0 += letters[$1] ?? String($1) }
        return plain.split { !$0.isLetter && !$0.isNumber }
    }
}
