/// The texts of a template: found, and replaced by those of another language.
///
/// A text is the content of an innermost block: words with the inline elements and Mustache tags among them. Its key is
/// the English itself, with every run of white space as one space. Attributes that people read or hear are texts too.
enum TemplateTexts {
    private static let inline: Set = [
        "a", "b", "bdi", "br", "code", "em", "i", "kbd", "q", "small", "span", "strong", "sub", "sup", "time", "wbr",
    ]
    private static var attributes: Regex<(Substring, Substring, Substring)> {
        /\b(title|placeholder|aria-label|alt|data-label|label)="([^"]*)"/
    }
    private static var description: Regex<(Substring, Substring, Substring)> {
        /(<meta name="description" content=")([^"]*)"/
    }

    /// The keys of a template, in order.
    static func keys(of template: String) -> [String] {
        var keys: [String] = []
        _ = translate(template) {
            keys.append($0)
            return nil
        }
        return keys
    }

    /// The template with each text that `translation` knows in its place.
    static func translate(_ template: String, _ translation: (String) -> String?) -> String {
        let tokens = MarkupToken.all(in: template)
        let isEdge = edges(tokens)
        var result = ""
        var run: [MarkupToken] = []
        for (token, isEdge) in zip(tokens, isEdge) {
            guard isEdge else {
                run.append(token)
                continue
            }
            result += text(run, translation)
            run = []
            result += attributes(token, translation)
        }
        return result + text(run, translation)
    }

    /// The tokens that end a text: every token that is neither text nor inline, and any that contains such a token.
    private static func edges(_ tokens: [MarkupToken]) -> [Bool] {
        var isEdge = tokens.map { token in
            switch token.kind {
            case .text, .value, .section, .sectionEnd: false
            case .apart: true
            case .open(let name), .close(let name), .alone(let name): !inline.contains(name)
            }
        }
        for token in tokens.indices where isButton(tokens[token]) { isEdge[token] = true }
        let pairs = pairs(tokens)
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for (open, close) in pairs where isEdge[open] != isEdge[close] || !isEdge[open] {
                guard isEdge[open] || isEdge[close] || isEdge[open...close].contains(true) else { continue }
                (isEdge[open], isEdge[close], hasChanged) = (true, true, true)
            }
        }
        return isEdge
    }

    /// A link that looks like a button or a card is a block.
    private static func isButton(_ token: MarkupToken) -> Bool {
        token.kind == .open("a") && token.source.contains(/class="(button|card|brand|skip)/)
    }

    private static func pairs(_ tokens: [MarkupToken]) -> [(Int, Int)] {
        var open: [(MarkupToken.Kind, Int)] = []
        var pairs: [(Int, Int)] = []
        for (index, token) in tokens.enumerated() {
            let start: MarkupToken.Kind
            switch token.kind {
            case .open, .section:
                open.append((token.kind, index))
                continue
            case .close(let name): start = .open(name)
            case .sectionEnd(let name): start = .section(name)
            default: continue
            }
            guard let match = open.lastIndex(where: { $0.0 == start }) else { continue }
            pairs.append((open[match].1, index))
            open.remove(at: match)
        }
        return pairs
    }

    /// A run without edges, translated; elements and sections around the whole of it stay outside of the text.
    private static func text(_ run: [MarkupToken], _ translation: (String) -> String?) -> String {
        var inner = run[...]
        var before = ""
        var after = ""
        let pairs = pairs(run)
        while let first = inner.indices.first, let last = inner.indices.last {
            if isBlank(inner[first]) {
                before += inner.removeFirst().source
            } else if isBlank(inner[last]) {
                after = inner.removeLast().source + after
            } else if pairs.contains(where: { $0 == (first, last) }) {
                if inner[first].kind == .open("code") { break }
                before += attributes(inner.removeFirst(), translation)
                after = inner.removeLast().source + after
            } else {
                break
            }
        }
        let source = inner.map(\.source).joined()
        guard hasWords(inner) else { return before + source + after }
        let lead = source.prefix { $0.isWhitespace }
        let trail = String(source.reversed().prefix { $0.isWhitespace })
        let key = collapsed(source)
        return before + lead + (translation(key) ?? String(source.dropFirst(lead.count).dropLast(trail.count))) + trail
            + after
    }

    private static func isBlank(_ token: MarkupToken) -> Bool {
        token.kind == .text && token.source.allSatisfy(\.isWhitespace)
    }

    /// Whether it needs a translation: it has letters that are not all code.
    private static func hasWords(_ run: ArraySlice<MarkupToken>) -> Bool {
        var codes = 0
        for token in run {
            switch token.kind {
            case .open("code"), .open("kbd"): codes += 1
            case .close("code"), .close("kbd"): codes -= 1
            // The name of the program is the same in all languages.
            case .text where codes == 0 && token.source.replacing("Countersign", with: "").contains(where: \.isLetter):
                return true
            default: break
            }
        }
        return false
    }

    /// A tag with its attributes for people translated.
    private static func attributes(_ token: MarkupToken, _ translation: (String) -> String?) -> String {
        switch token.kind {
        case .open, .alone: break
        default: return token.source
        }
        func put(_ before: Substring, _ text: Substring) -> String {
            let words = text.replacing(/\{\{[^}]*\}\}/, with: "")
            guard words.contains(where: \.isLetter) else { return before + text + "\"" }
            return before + (translation(collapsed(String(text))) ?? String(text)) + "\""
        }
        // Most tags have none, and every start reads every tag: a look at the bytes is quicker than the expressions.
        guard mayHaveTexts(token.source) else { return token.source }
        return token.source.replacing(attributes) { put("\($0.1)=\"", $0.2) }
            .replacing(description) { put($0.1, $0.2) }
    }

    /// Whether a tag may have one of the attributes for people: the expressions look for these names at the end.
    private static func mayHaveTexts(_ tag: String) -> Bool {
        let bytes = Array(tag.utf8)
        return bytes.indices.contains { index in
            bytes[index] == UInt8(ascii: "=") && names.contains { bytes[..<index].suffix($0.count).elementsEqual($0) }
        }
    }

    private static let names = ["title", "placeholder", "label", "alt", "content"].map { Array($0.utf8) }

    private static func collapsed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
