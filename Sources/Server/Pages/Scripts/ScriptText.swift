import Encodings

/// A module of `Web/` without its comments and indentation, and the places of its import and export statements in that.
///
/// It knows only as much of JavaScript's lexical grammar (ECMA-262, section 12) as tells text from comments. The token
/// before a slash decides whether it begins an expression, which is enough for our own modules. A phone need not fetch
/// what only people read.
struct ScriptText: Equatable {
    private(set) var bytes: Bytes = []
    /// Where lines begin with `import` or `export`, outside of everything.
    private(set) var statements: [Int] = []
    /// Where an expression says `import(`.
    private(set) var loads: [Int] = []

    init(_ source: Bytes) {
        var reader = Reader(source: source)
        reader.read()
        (bytes, statements) = (reader.output, reader.statements)
        loads = reader.loads
    }
}

extension ScriptText {
    private struct Reader {
        let source: Bytes
        var at = 0
        var output: Bytes = []
        var statements: [Int] = []
        var loads: [Int] = []
        /// What is open: brackets, and `$` for a value in a template.
        private var open: [Unicode.Scalar] = []

        init(source: Bytes) { self.source = source }

        mutating func read() {
            output.reserveCapacity(source.count)
            while at < source.count { readOne() }
            dropBlanks()
        }

        private mutating func readOne() {
            switch sign {
            case "/" where next == "/": skipLine()
            case "/" where next == "*": skipComment()
            case "/" where beginsExpression: copyExpression()
            case "\"", "'": copyString()
            case "`":
                copy()
                copyTemplate()
            case "\n": endLine()
            case " " where isAtLineStart: at += 1
            case "(", "[", "{":
                open.append(sign)
                copy()
            case ")", "]", "}":
                let last = open.popLast()
                copy()
                if last == "$" { copyTemplate() }
            default:
                if source[at].isNamePart { copyName() } else { copy() }
            }
        }

        private var sign: Unicode.Scalar { Unicode.Scalar(source[at]) }
        private var next: Unicode.Scalar { Unicode.Scalar(at + 1 < source.count ? source[at + 1] : 0) }
        /// What was written last.
        private var last: Unicode.Scalar? { output.last.map { Unicode.Scalar($0) } }
        private var isAtLineStart: Bool { output.isEmpty || last == "\n" }

        private mutating func copy() {
            output.append(source[at])
            at += 1
        }

        private mutating func dropBlanks() {
            while last == " " { output.removeLast() }
        }

        /// A line that says nothing leaves no trace; the others keep theirs, as they may end a statement.
        private mutating func endLine() {
            dropBlanks()
            breakLine()
            at += 1
        }

        private mutating func breakLine() {
            if !isAtLineStart { output.append(UInt8(ascii: "\n")) }
        }

        private mutating func skipLine() {
            while at < source.count, sign != "\n" { at += 1 }
        }

        private mutating func skipComment() {
            var hasLine = false
            at += 2
            while at < source.count, !(sign == "*" && next == "/") {
                if sign == "\n" { hasLine = true }
                at += 1
            }
            at = min(at + 2, source.count)
            if hasLine { breakLine() }
        }

        private mutating func copyString() {
            let quote = sign
            copy()
            while at < source.count, sign != quote {
                if sign == "\\" { copy() }
                if at < source.count { copy() }
            }
            if at < source.count { copy() }
        }

        /// To the end of a template, or to the next value in it.
        private mutating func copyTemplate() {
            while at < source.count {
                switch sign {
                case "\\":
                    copy()
                    if at < source.count { copy() }
                case "$" where next == "{":
                    copy()
                    copy()
                    open.append("$")
                    return
                case "`":
                    copy()
                    return
                default: copy()
                }
            }
        }

        private mutating func copyExpression() {
            var isInClass = false
            copy()
            while at < source.count, sign != "\n" {
                let first = sign
                if first == "\\" { copy() }
                if first == "[" { isInClass = true }
                if first == "]" { isInClass = false }
                if at < source.count { copy() }
                if first == "/", !isInClass { return }
            }
        }

        private mutating func copyName() {
            let start = at
            let place = output.count
            let isMember = last == "."
            let isFirst = isAtLineStart
            while at < source.count, source[at].isNamePart { copy() }
            guard !isMember else { return }
            let name = source[start..<at]
            if name.elementsEqual("import".utf8), at < source.count, sign == "(" {
                loads.append(place)
            } else if open.isEmpty, isFirst, ["import", "export"].contains(where: { name.elementsEqual($0.utf8) }) {
                statements.append(place)
            }
        }

        /// Whether a slash here begins a regular expression: not after something that can be divided.
        private var beginsExpression: Bool {
            let end = output.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
            guard end > 0 else { return true }
            if [")", "]", "}", "\"", "'", "`"].contains(Unicode.Scalar(output[end - 1])) { return false }
            guard output[end - 1].isNamePart else { return true }
            let start = output[..<end].lastIndex { !$0.isNamePart }.map { $0 + 1 } ?? 0
            return ["return", "typeof", "case", "in", "of", "await", "void", "delete", "throw", "else", "do", "yield"]
                .contains { output[start..<end].elementsEqual($0.utf8) }
        }
    }
}

extension UInt8 {
    /// Whether it can be part of a name; every part of a character beyond ASCII can.
    var isNamePart: Bool {
        switch Unicode.Scalar(self) {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: self >= 0x80
        }
    }
}
