import Foundation

/// A Swift file with its comments and literals told apart from its code.
struct SwiftSource {
    /// The path from the top of the repository.
    let path: String
    /// The file as written.
    let text: String
    /// The lines of the file with comments and the contents of literals blanked out.
    ///
    /// Interpolations are code.
    let code: [String]
    /// The text of each string literal and the line it begins on, interpolations left out.
    let literals: [(line: Int, text: String)]

    init(path: String, text: String) {
        var lexer = Lexer(text: Array(text.utf8))
        lexer.scanCode(endsAtParenthesis: false)
        self.path = path
        self.text = text
        self.code = String(decoding: lexer.code, as: UTF8.self).components(separatedBy: "\n")
        self.literals = lexer.literals
    }

    /// The target that the file belongs to: the folder after `Sources` or `Tests`.
    var target: String? {
        let parts = path.split(separator: "/").map(String.init)
        guard let root = parts.firstIndex(where: { $0 == "Sources" || $0 == "Tests" }), root + 1 < parts.count else {
            return nil
        }
        return parts[root + 1]
    }

    /// The modules that the file imports, with their lines.
    var imports: [(line: Int, module: String)] {
        let pattern =
            #/
            ^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?
            import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)
            /#
        return code.enumerated().compactMap { index, line in
            line.firstMatch(of: pattern).map { (index + 1, String($0.output.1)) }
        }
    }
}

/// Just enough of Swift's lexical structure to know what is a comment and what is a literal.
private struct Lexer {
    let text: [UInt8]
    var code: [UInt8] = []
    var literals: [(line: Int, text: String)] = []
    private var offset = 0
    private var line = 1

    init(text: [UInt8]) { self.text = text }

    mutating func scanCode(endsAtParenthesis: Bool) {
        var depth = 0
        while offset < text.count {
            if isNext("//") {
                while offset < text.count, text[offset] != UInt8(ascii: "\n") { blank() }
            } else if isNext("/*") {
                scanComment()
            } else if let hashes = literalHashes() {
                scanLiteral(hashes: hashes)
            } else {
                if text[offset] == UInt8(ascii: "(") { depth += 1 }
                if text[offset] == UInt8(ascii: ")") {
                    if endsAtParenthesis, depth == 0 { return }
                    depth -= 1
                }
                keep()
            }
        }
    }

    private mutating func scanComment() {
        var depth = 0
        repeat {
            if isNext("/*") {
                depth += 1
                blank(2)
            } else if isNext("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && offset < text.count
    }

    /// The number of `#` before the quote when a string literal begins here.
    private func literalHashes() -> Int? {
        var end = offset
        while end < text.count, text[end] == UInt8(ascii: "#") { end += 1 }
        guard end < text.count, text[end] == UInt8(ascii: "\"") else { return nil }
        return end - offset
    }

    private mutating func scanLiteral(hashes: Int) {
        let start = line
        let fence = String(repeating: "#", count: hashes)
        blank(hashes)
        let quote = isNext("\"\"\"") ? "\"\"\"" : "\""
        blank(quote.utf8.count)
        var content: [UInt8] = []
        while offset < text.count, !isNext(quote + fence) {
            if isNext("\\" + fence + "(") {
                blank(hashes + 2)
                scanCode(endsAtParenthesis: true)
                blank()
                content.append(UInt8(ascii: " "))
            } else if isNext("\\" + fence) {
                blank(hashes + 2)
            } else if quote.utf8.count == 1, text[offset] == UInt8(ascii: "\n") {
                break
            } else {
                content.append(text[offset])
                blank()
            }
        }
        blank(quote.utf8.count + hashes)
        literals.append((start, String(decoding: content, as: UTF8.self)))
    }

    private func isNext(_ word: String) -> Bool {
        text[offset...].starts(with: word.utf8)
    }

    private mutating func keep() {
        if text[offset] == UInt8(ascii: "\n") { line += 1 }
        code.append(text[offset])
        offset += 1
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where offset < text.count {
            let isNewline = text[offset] == UInt8(ascii: "\n")
            if isNewline { line += 1 }
            code.append(isNewline ? UInt8(ascii: "\n") : UInt8(ascii: " "))
            offset += 1
        }
    }
}
