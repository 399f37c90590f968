/// The pieces of a template, in order: together they are the template again.
///
/// Only as much of HTML as our templates use; what is wrong in one shows in the tests of pages.
struct MarkupToken: Equatable {
    enum Kind: Equatable {
        case text
        /// An element's tags, by its name.
        case open(String), close(String), alone(String)
        /// A section of Mustache: what stands between the two may be left out.
        case section(String), sectionEnd(String)
        /// A value that Mustache puts in.
        case value
        /// Everything that is never part of a text: comments, scripts, pictures, other templates, blocks to fill.
        case apart
    }

    let kind: Kind
    let source: String
}

extension MarkupToken {
    private static let void = ["br", "img", "input", "link", "meta", "hr", "source", "wbr"]
    /// Elements whose content is no text of ours.
    private static let opaque = ["script", "style", "svg"]

    /// All tokens of a template.
    static func all(in template: String) -> [MarkupToken] {
        var tokens: [MarkupToken] = []
        var rest = template[...]
        /// The kind of each open Mustache tag: blocks and parents end with the same tag as sections do.
        var isSection: [Bool] = []
        func take(_ count: String.Index, _ kind: Kind) {
            tokens.append(MarkupToken(kind: kind, source: String(rest[..<count])))
            rest = rest[count...]
        }
        while !rest.isEmpty {
            if rest.begins(with: "{{") {
                let end = rest.end(of: "}}") ?? rest.endIndex
                let inner = rest[..<end].dropFirst(2).dropLast(2).filter { $0 != " " }
                let name = String(inner.dropFirst())
                switch inner.first {
                case "#", "^":
                    isSection.append(true)
                    take(end, .section(name))
                case "$", "<":
                    isSection.append(false)
                    take(end, .apart)
                case "/": take(end, isSection.popLast() == true ? .sectionEnd(name) : .apart)
                case ">", "!": take(end, .apart)
                default: take(end, .value)
                }
            } else if rest.begins(with: "<!--") {
                take(rest.end(of: "-->") ?? rest.endIndex, .apart)
            } else if rest.begins(with: "<") {
                takeTag()
            } else {
                let end = rest.utf8.dropFirst().firstIndex { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "{") }
                take(end ?? rest.endIndex, .text)
            }
        }
        return tokens

        func takeTag() {
            let end = tagEnd(rest)
            let tag = rest[..<end]
            let name = String(tag.dropFirst(tag.begins(with: "</") ? 2 : 1).prefix { $0.isLetter || $0.isNumber })
            if tag.begins(with: "<!") { return take(end, .apart) }
            if tag.begins(with: "</") { return take(end, .close(name)) }
            if opaque.contains(name), !tag.hasSuffix("/>") {
                return take(rest.end(of: "</\(name)>") ?? rest.endIndex, .apart)
            }
            if tag.end(of: "translate=\"no\"") != nil, !void.contains(name) {
                return take(elementEnd(name), .apart)
            }
            take(end, void.contains(name) || tag.hasSuffix("/>") ? .alone(name) : .open(name))
        }

        /// The end of the element that `rest` begins with.
        func elementEnd(_ name: String) -> String.Index {
            var depth = 0
            var place = rest.startIndex
            while let found = rest[place...].firstRange(of: "<") {
                let tag = rest[found.lowerBound...]
                place = tagEnd(tag)
                if tag.hasPrefix("</\(name)>") { depth -= 1 }
                if tag.hasPrefix("<\(name)>") || tag.hasPrefix("<\(name) ") { depth += 1 }
                if depth == 0 { return place }
            }
            return rest.endIndex
        }
    }

    /// After the `>` that ends a tag: not one in a quoted value.
    private static func tagEnd(_ text: Substring) -> String.Index {
        var isQuoted = false
        for index in text.utf8.indices {
            if text.utf8[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if text.utf8[index] == UInt8(ascii: ">"), !isQuoted { return text.utf8.index(after: index) }
        }
        return text.endIndex
    }
}

extension Substring {
    /// As `hasPrefix`, byte by byte: what our templates are made of is ASCII, and there is much of it.
    fileprivate func begins(with start: String) -> Bool {
        utf8.starts(with: start.utf8)
    }

    /// After the first `text` in it.
    fileprivate func end(of text: String) -> Index? {
        var rest = utf8[...]
        while let start = rest.firstIndex(of: text.utf8.first ?? 0) {
            rest = rest[start...]
            if rest.starts(with: text.utf8) { return utf8.index(start, offsetBy: text.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
