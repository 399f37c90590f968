/// Which texts a page shows: those of its template, of the templates in that, and of all modules that it may load.
struct PageTexts: Sendable {
    /// The keys of each template and module.
    private let keys: [String: [String]]
    private let moduleKeys: [String: [ModuleTexts.Key]]
    // Read once: a page reaches dozens of modules.
    /// Which templates each template has in it, and which modules it loads.
    private let parts: [String: [String]]
    private let loads: [String: [String]]
    /// Which modules each module imports.
    private let imports: [String: [String]]

    /// - Parameters:
    ///   - templates: by name, such as `shell/layout`.
    ///   - modules: by path, such as `shell/page.js`.
    init(templates: [String: String], modules: [String: String]) throws {
        let pages = try templates.sorted { $0.key < $1.key }.mapInParallel { name, source in
            (
                name: name, keys: TemplateTexts.keys(of: source),
                parts: source.matches(of: /\{\{[<>]\s*([a-z\/-]+)\s*\}\}/).map { String($0.1) },
                loads: Self.modules(namedIn: source)
            )
        }
        let scripts = try modules.sorted { $0.key < $1.key }.mapInParallel { path, source in
            let found = Self.lines(of: source).matches(of: /(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+\.js)["']/)
            return (
                path: path, keys: ModuleTexts.keys(of: source),
                imports: found.map { ScriptModule.resolve(String($0.1), from: path) }
            )
        }
        keys = Dictionary(uniqueKeysWithValues: pages.map { ($0.name, $0.keys) })
        parts = Dictionary(uniqueKeysWithValues: pages.map { ($0.name, $0.parts) })
        loads = Dictionary(uniqueKeysWithValues: pages.map { ($0.name, $0.loads) })
        moduleKeys = Dictionary(uniqueKeysWithValues: scripts.map { ($0.path, $0.keys) })
        imports = Dictionary(uniqueKeysWithValues: scripts.map { ($0.path, $0.imports) })
    }

    /// The keys of all templates of a page.
    func templateKeys(of page: String) -> Set<String> {
        Set(templates(of: page).flatMap { keys[$0] ?? [] })
    }

    /// The keys of all modules that a page may load.
    func moduleKeys(of page: String) -> Set<ModuleTexts.Key> {
        Set(Self.reached(from: modules(of: page), imports).flatMap { moduleKeys[$0] ?? [] })
    }

    /// The modules that a page names.
    func modules(of page: String) -> [String] { templates(of: page).sorted().flatMap { loads[$0] ?? [] } }

    /// The modules that the source of a template itself names, in order.
    static func modules(namedIn source: String) -> [String] {
        source.matches(of: /(?:src|data-module)="\/assets\/([^"]+\.js)"/).map { String($0.1) }
    }

    private func templates(of page: String) -> Set<String> { Self.reached(from: [page], parts) }

    /// All that can be reached, by what each leads to; what leads nowhere is not there.
    private static func reached(from start: [String], _ next: [String: [String]]) -> Set<String> {
        var found: Set<String> = []
        var waiting = start
        while let name = waiting.popLast() {
            guard let others = next[name], found.insert(name).inserted else { continue }
            waiting += others
        }
        return found
    }

    /// The lines of a module that may name another: the expression alone would take longer than all else of a start.
    private static func lines(of source: String) -> String {
        source.utf8.split(separator: UInt8(ascii: "\n"))
            .filter { line in
                line.indices.contains { line[$0] == UInt8(ascii: ".") && line[$0...].starts(with: ".js".utf8) }
            }
            .map { String(Substring($0)) }.joined(separator: "\n")
    }
}
