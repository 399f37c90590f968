/// Which stores the folders of a slice may use: its own, and those of the slices before it.
///
/// A later slice is reached through services and the hooks of `Slice`.
///
/// The folders of `Server` are one module, so no import tells.
enum FolderRules {
    /// The folders of each slice, in the order of `Slice.all`.
    static let slices: [(name: String, folders: Set<String>)] = [
        ("accounts", ["Accounts", "Admin", "Face", "Keys"]), ("documents", ["Documents"]),
        ("hand-signatures", ["HandSignatures"]), ("approvals", ["Approvals"]), ("pico", ["Pico"]), ("vault", ["Vault"]),
        ("notifications", ["Shell/Notifications"]), ("transparency", ["Transparency"]),
    ]
    /// What all slices share.
    private static let shared: Set<String> = [
        "Backup", "Doctor", "Pages", "Reload", "Retention", "Shell", "Slices", "Witness",
    ]

    /// The folders that a file of the server is in, the outermost first: `Shell` and `Shell/Notifications`.
    private static func folders(of source: SwiftSource) -> [String] {
        let parts = source.path.split(separator: "/").map(String.init)
        guard parts.count > 3, parts[0] == "Sources", parts[1] == "Server" else { return [] }
        return (2..<parts.count - 1).map { parts[2...$0].joined(separator: "/") }
    }

    /// The place of a file's slice in the list; `nil` for what all slices share.
    private static func slice(of source: SwiftSource) -> Int? {
        let folders = folders(of: source)
        return slices.firstIndex { !$0.folders.isDisjoint(with: folders) }
    }

    /// Folders that nobody has said what they are.
    static func unknown(_ sources: [SwiftSource]) -> Set<String> {
        let all = Set(sources.compactMap { folders(of: $0).first })
        return all.subtracting(shared).subtracting(slices.flatMap(\.folders))
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
