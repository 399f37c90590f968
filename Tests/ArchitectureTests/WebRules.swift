/// Which folders of `Web` the modules of a folder may import from.
///
/// Each folder imports from those before it alone, so that there is no cycle; what two of them share is in `shell`, or with
/// accounts.
enum WebRules {
    /// The folders with modules, and the other folders that each may import from.
    static let folders: [(name: String, imports: Set<String>)] = [
        ("shell", []), ("scanner", ["shell"]), ("accounts", ["scanner", "shell"]),
        ("transparency", ["accounts", "shell"]),
        ("verification", ["accounts", "scanner", "shell"]),
        ("documents", ["accounts", "scanner", "shell", "transparency", "verification"]),
        ("approvals", ["accounts", "scanner", "shell", "transparency", "verification"]),
        ("vault", ["accounts", "documents", "shell", "verification"]),
        ("pico", ["accounts", "shell", "transparency", "vault"]),
        ("admin", ["accounts", "scanner", "shell", "transparency"]),
        ("hand-signatures", ["accounts", "scanner", "shell", "transparency"]),
    ]

    /// Folders that import from one that is not before them in the list.
    static var cycles: [String] {
        folders.indices.filter { place in
            !folders[place].imports.isSubset(of: folders[..<place].map(\.name))
        }.map { folders[$0].name }
    }

    /// Imports of a module that lead where they may not, or nowhere.
    ///
    /// - Parameter path: of the module, from the top of the repository.
    static func check(path: String, text: String, exists: (String) -> Bool) -> [Violation] {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 3, let allowed = folders.first(where: { $0.name == parts[1] })?.imports else {
            return [Violation(path: path, line: 0, reason: "is in no folder that the list names")]
        }
        var violations: [Violation] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for match in line.matches(of: #/\b(?:from|import)\s*\(?\s*["']([^"']+\.js)["']/#) {
                let place = target(of: String(match.output.1), in: parts[1])
                let folder = String(place.prefix { $0 != "/" })
                let reason: String
                if !exists("Web/" + place) {
                    reason = "imports \(place), which is not there"
                } else if folder != parts[1], !allowed.contains(folder) {
                    reason = "must not import from \(folder)"
                } else {
                    continue
                }
                violations.append(Violation(path: path, line: index + 1, reason: reason))
            }
        }
        return violations
    }

    /// The folder and name that an import in `folder` leads to.
    private static func target(of specifier: String, in folder: String) -> String {
        for (beginning, base) in [("/assets/", ""), ("../", ""), ("./", folder + "/")]
        where specifier.hasPrefix(beginning) {
            return base + specifier.dropFirst(beginning.count)
        }
        return specifier
    }
}
