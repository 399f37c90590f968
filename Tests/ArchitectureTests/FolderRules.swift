/// Which stores the folders of a slice may use: its own, and those of the slices before it; two slices meet through
/// services.
///
/// The folders of `Server` are one module, so no import tells.
enum FolderRules {
    /// The folders of each slice, in the order of `Slice.all`.
    static let slices: [(name: String, folders: Set<String>)] = [
        ("accounts", ["Accounts", "Admin", "Face", "Keys"]), ("documents", ["Documents"]),
        ("hand-signatures", ["HandSignatures"]), ("approvals", ["Approvals"]), ("pico", ["Pico"]), ("vault", ["Vault"]),
        ("transparency", ["Transparency"]),
    ]

    /// The place of a file's slice in the list; `nil` for what all slices share.
    private static func slice(of source: SwiftSource) -> Int? {
        let parts = source.path.split(separator: "/").map(String.init)
        guard parts.count > 3, parts[0] == "Sources", parts[1] == "Server" else { return nil }
        return slices.firstIndex { $0.folders.contains(parts[2]) }
    }

    private static func stores(_ source: SwiftSource, _ pattern: Regex<(Substring, Substring)>) -> [(Int, String)] {
        source.code.enumerated().flatMap { index, line in
            line.matches(of: pattern).map { (index + 1, String($0.output.1)) }
        }
    }

    /// Uses of later slices' stores.
    static func check(_ sources: [SwiftSource]) -> [Violation] {
        var owners: [String: Int] = [:]
        for source in sources {
            guard let slice = slice(of: source) else { continue }
            for (_, store) in stores(source, #/\bstruct\s+(\w+Store)\b/#) { owners[store] = slice }
        }
        var violations: [Violation] = []
        for source in sources {
            guard let slice = slice(of: source) else { continue }
            let name = slices[slice].name
            for (line, store) in stores(source, #/\b(\w+Store)\b/#) {
                guard let owner = owners[store], owner > slice else { continue }
                violations.append(
                    Violation(path: source.path, line: line, reason: "\(name) must not use \(store)"))
            }
        }
        return violations
    }
}
