import Foundation

/// Rules about the pages: what is written is found, and what is named exists.
enum DocumentRules {
    /// Files that a Markdown page links to or shows, from the top of the repository; addresses elsewhere left out.
    static func links(in text: String, page: String) -> [(line: Int, target: String)] {
        let folder = page.split(separator: "/").dropLast().map(String.init)
        return text.components(separatedBy: "\n").enumerated().flatMap { index, line in
            line.matches(of: #/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/#).compactMap { match in
                let written = String(match.output.1 ?? match.output.2 ?? "")
                let file = written.components(separatedBy: "#")[0]
                guard !file.isEmpty, !written.contains(":") else { return nil }
                return (index + 1, resolve(file, from: folder))
            }
        }
    }

    private static func resolve(_ path: String, from folder: [String]) -> String {
        var parts = folder
        for part in path.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": parts = Array(parts.dropLast())
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }

    /// Links of a page that lead to no file or folder.
    static func broken(in text: String, page: String, exists: (String) -> Bool) -> [Violation] {
        links(in: text, page: page).filter { !exists($0.target) }
            .map { Violation(path: page, line: $0.line, reason: "links to \($0.target), which is not there") }
    }

    /// Pages under `docs/` that no entrance links to.
    static func orphans(_ pages: [String], entrances: [(page: String, text: String)]) -> [Violation] {
        let linked = Set(entrances.flatMap { links(in: $0.text, page: $0.page).map(\.target) })
        return pages.filter { !linked.contains($0) }
            .map { Violation(path: $0, line: 1, reason: "is linked from neither README.md nor ARCHITECTURE.md") }
    }

    /// Files and folders of ours that a page names in backquotes and that do not exist.
    static func unknownPaths(in text: String, page: String, exists: (String) -> Bool) -> [Violation] {
        text.components(separatedBy: "\n").enumerated().flatMap { index, line in
            line.matches(of: #/`((?:Core|Sources|Tests|docs|scripts)\/[\w.\/-]*)`/#)
                .map { String($0.output.1) }
                .filter { !exists($0) }
                .map { Violation(path: page, line: index + 1, reason: "names \($0), which is not there") }
        }
    }

    /// Our own commands in the fenced blocks of a page: a script of this repository, or `countersign` and its command.
    static func commands(in text: String) -> [(line: Int, words: [String])] {
        var isFenced = false
        return text.components(separatedBy: "\n").enumerated().compactMap { index, line in
            if line.hasPrefix("```") { isFenced.toggle() }
            guard isFenced else { return nil }
            let words = line.components(separatedBy: "#")[0].split(separator: " ").map(String.init)
                .drop { $0 == "$" }
            guard let first = words.first, first.hasPrefix("./") || first.hasSuffix("countersign") else { return nil }
            return (index + 1, Array(words))
        }
    }

    /// Commands of a page that do not exist.
    ///
    /// - Parameters:
    ///   - subcommands: what `countersign` answers to.
    ///   - isExecutable: whether there is a program at this path of the repository.
    static func unknown(
        in text: String,
        page: String,
        subcommands: Set<String>,
        isExecutable: (String) -> Bool
    ) -> [Violation] {
        commands(in: text).compactMap { line, words in
            let program = words[0]
            if program.hasSuffix("countersign") {
                // A word that begins with a hyphen is an option of the program, not a command:
                // `--generate-completion-script`.
                guard words.count > 1, !words[1].hasPrefix("-"), !subcommands.contains(words[1]), words[1] != "help"
                else { return nil }
                return Violation(path: page, line: line, reason: "names the unknown command '\(words[1])'")
            }
            guard !isExecutable(String(program.dropFirst(2))) else { return nil }
            return Violation(path: page, line: line, reason: "names \(program), which is no program")
        }
    }

    /// The names that the commands of these sources answer to: the given name, or the type's in kebab case.
    static func subcommands(in sources: [SwiftSource]) -> Set<String> {
        var names: Set<String> = []
        for source in sources {
            for match in source.text.matches(of: #/commandName:\s*"([\w-]+)"/#) {
                names.insert(String(match.output.1))
            }
            for match in source.text.matches(of: #/struct\s+(\w+)\s*:[^{]*ParsableCommand/#) {
                names.insert(
                    match.output.1.replacing(#/([a-z0-9])([A-Z])/#) { "\($0.output.1)-\($0.output.2)" }.lowercased()
                )
            }
        }
        return names
    }
}
