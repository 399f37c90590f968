import Foundation

/// Rules about the two package manifests.
enum ManifestRules {
    /// What every target is compiled with.
    static let settings = [
        ".treatAllWarnings(as: .error)", ".strictMemorySafety()", ".enableUpcomingFeature(\"ExistentialAny\")",
        ".enableUpcomingFeature(\"InternalImportsByDefault\")", ".enableUpcomingFeature(\"MemberImportVisibility\")",
    ]

    /// Targets without the strict settings, and strict settings that are not.
    static func check(path: String, text: String) -> [Violation] {
        guard let strict = block(after: "let strict: [SwiftSetting] = ", in: text, open: "[", close: "]") else {
            return [Violation(path: path, line: 1, reason: "has no list of strict settings")]
        }
        let missing = settings.filter { !strict.contains($0) }
            .map { Violation(path: path, line: 1, reason: "the strict settings lack \($0)") }
        return missing
            + targets(in: text).filter { !$0.contains("swiftSettings: strict") }.map { target in
                let line = text.components(separatedBy: target)[0].components(separatedBy: "\n").count
                return Violation(path: path, line: line, reason: "a target has not the strict settings")
            }
    }

    /// The declarations of Swift targets, from the dot to the closing parenthesis.
    static func targets(in text: String) -> [String] {
        text.matches(of: #/\.(?:target|executableTarget|testTarget)(?=\()/#).compactMap { match in
            let rest = String(text[match.range.lowerBound...])
            return block(after: String(match.output), in: rest, open: "(", close: ")")
                .map { String(match.output) + $0 }
        }
    }

    /// Names of the test targets.
    static func testTargets(in text: String) -> Set<String> {
        let named = targets(in: text).filter { $0.hasPrefix(".testTarget") }
            .compactMap { $0.firstMatch(of: #/name:\s*"(\w+)"/#).map { String($0.output.1) } }
        // Core writes its targets in a table and its test targets as "\($0.name)Tests".
        let tabled = text.contains("\\($0.name)Tests") ? table("tests", in: text).keys.map { $0 + "Tests" } : []
        return Set(named + tabled)
    }

    /// Names of the targets below `Tests` that hold what several test targets use.
    static func testHelpers(in text: String) -> Set<String> {
        Set(
            targets(in: text).filter { $0.hasPrefix(".target(") }
                .compactMap { $0.firstMatch(of: #/path:\s*"Tests\/(\w+)"/#).map { String($0.output.1) } })
    }

    /// The table of `Core/Package.swift`: for each target what it may import.
    static func coreTargets(in text: String) -> [String: Set<String>] { table("targets", in: text) }

    /// A table of `Core/Package.swift`, from its `let` to the next one.
    private static func table(_ name: String, in text: String) -> [String: Set<String>] {
        var targets: [String: Set<String>] = [:]
        let rest = text.range(of: "let \(name):").map { text[$0.upperBound...] } ?? text[...]
        let table = rest.range(of: "\nlet ").map { rest[..<$0.lowerBound] } ?? rest
        for match in table.matches(of: #/\(\s*"(\w+)",\s*\[([^\]]*)\]/#) {
            let imports = match.output.2.matches(of: #/"(\w+)"/#).map { String($0.output.1) }
            targets[String(match.output.1)] = Set(imports)
        }
        return targets
    }

    /// The first balanced block that follows `start`, brackets included.
    private static func block(after start: String, in text: String, open: Character, close: Character) -> String? {
        guard let begin = text.range(of: start)?.upperBound, begin < text.endIndex, text[begin] == open else {
            return nil
        }
        var depth = 0
        for index in text[begin...].indices {
            if text[index] == open { depth += 1 }
            if text[index] == close { depth -= 1 }
            if depth == 0 { return String(text[begin...index]) }
        }
        return nil
    }
}
