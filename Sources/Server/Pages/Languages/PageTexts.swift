/// Which texts a page shows: those of its template, of the templates in that, and of all modules that it may load.
struct PageTexts: Sendable {
    private let templates: [String: String]
    private let modules: [String: String]
    private let keys: [String: [String]]
    private let moduleKeys: [String: [ModuleTexts.Key]]

    /// - Parameters:
    ///   - templates: by name, such as `shell/layout`.
    ///   - modules: by path, such as `shell/page.js`.
    init(templates: [String: String], modules: [String: String]) {
        (self.templates, self.modules) = (templates, modules)
        keys = templates.mapValues { TemplateTexts.keys(of: $0) }
        moduleKeys = modules.mapValues { ModuleTexts.keys(of: $0) }
    }

    /// The keys of all templates of a page.
    func templateKeys(of page: String) -> Set<String> {
        Set(templates(of: page).flatMap { keys[$0] ?? [] })
    }

    /// The keys of all modules of a page, by the folder that the module is in.
    func moduleKeys(of page: String) -> [String: Set<ModuleTexts.Key>] {
        var found: Set<String> = []
        var waiting = templates(of: page).flatMap { name in
            (templates[name] ?? "").matches(of: /src="\/assets\/([^"]+\.js)"/).map { String($0.1) }
        }
        while let path = waiting.popLast() {
            guard let source = modules[path], found.insert(path).inserted else { continue }
            for match in source.matches(of: /(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+\.js)["']/) {
                waiting.append(Self.resolve(String(match.1), from: path))
            }
        }
        var keys: [String: Set<ModuleTexts.Key>] = [:]
        for path in found {
            let texts = moduleKeys[path] ?? []
            if !texts.isEmpty { keys[String(path.prefix { $0 != "/" }), default: []].formUnion(texts) }
        }
        return keys
    }

    private func templates(of page: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = [page]
        while let name = waiting.popLast() {
            guard let source = templates[name], found.insert(name).inserted else { continue }
            waiting += source.matches(of: /\{\{[<>]\s*([a-z\/-]+)\s*\}\}/).map { String($0.1) }
        }
        return found
    }

    private static func resolve(_ target: String, from path: String) -> String {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}
