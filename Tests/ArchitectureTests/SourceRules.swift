import Foundation

/// Rules about the text of one source file: CONTRIBUTING.md, "Rules".
enum SourceRules {
    static let maximumLines = 400

    static func check(_ source: SwiftSource) -> [Violation] {
        checkLength(source) + checkWords(source) + checkSQL(source) + checkBodies(source)
    }

    private static func checkLength(_ source: SwiftSource) -> [Violation] {
        let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        guard lines > maximumLines else { return [] }
        return [Violation(path: source.path, line: lines, reason: "has \(lines) lines; it wants to be two ideas")]
    }

    /// Traps on input, and work left for later.
    private static func checkWords(_ source: SwiftSource) -> [Violation] {
        // Made once: a literal in the closure would be parsed again for every line.
        let traps = #/\btry!|\bas!|\bfatalError\s*\(/#
        let code = source.code.enumerated().compactMap { index, line in
            line.firstMatch(of: traps).map { (index, String($0.output)) }
        }
        // Split here so that the rule does not find itself.
        let later = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
        let lines = source.text.components(separatedBy: "\n").enumerated()
        let notes = lines.flatMap { index, line in
            later.filter { line.contains($0) }.map { (index, $0) }
        }
        return (code + notes).map { Violation(path: source.path, line: $0.0 + 1, reason: "has \($0.1)") }
    }

    /// A slice's SQL is in its store, so that a reader and another database find it there; tables are in the schema.
    private static func checkSQL(_ source: SwiftSource) -> [Violation] {
        if source.path.hasPrefix("Sources/Storage/") || source.path.hasSuffix("Store.swift") { return [] }
        let rows = #/\b(?:SELECT\s[\s\S]+\sFROM|INSERT\s(?:OR\s\w+\s)?INTO|UPDATE\s\w+\sSET|DELETE\sFROM|PRAGMA)\b/#
        let tables = #/\b(?:CREATE\s(?:UNIQUE\s)?(?:TABLE|INDEX)|(?:ALTER|DROP)\sTABLE)\b/#
        // A table or column is filled from older ones, and the mark that it had been filled is removed.
        let copies =
            #/\b(?:INSERT\sINTO|UPDATE)\s\w+\s[\s\S]*\bSELECT\s|\bDELETE\sFROM\ssearch_words\sWHERE\slist\s=\s''/#
        let isSchema = source.path.hasSuffix("Schema.swift")
        return source.literals
            .filter { literal in
                if isSchema { return literal.text.contains(rows) && !literal.text.contains(copies) }
                return literal.text.contains(rows) || literal.text.contains(tables)
            }
            .map { Violation(path: source.path, line: $0.line, reason: "has SQL outside a store") }
    }

    /// A body made while it is sent is stepwise, so that a fast producer queues no more than a piece of it.
    ///
    /// Live updates wait between events, and the bare server has nothing of ours.
    private static func checkBodies(_ source: SwiftSource) -> [Violation] {
        let makers = ["StepwiseWriter", "EventStream", "BareServer"].map { "Sources/Server/Shell/\($0).swift" }
        guard source.path.hasPrefix("Sources/Server/"), !makers.contains(source.path) else { return [] }
        let made =
            #/(?:\bResponseBody(?:\.init)?|\bbody:\s*\.init)\s*(?:\{|\(\s*(?:contentLength|contentsOf|asyncSequence))/#
        // A function that gives a body makes none by saying so.
        let given = #/->\s*ResponseBody\b/#
        return source.code.enumerated()
            .filter { $0.element.replacing(given, with: "").contains(made) }
            .map { Violation(path: source.path, line: $0.offset + 1, reason: "makes a body that is not stepwise") }
    }
}
