import Encodings
import Synchronization

/// The modules of `Web/` as pages load them.
///
/// Each module that a page names comes in one file with all that it imports, and with their texts in the page's language. A
/// page has two or three such files, not sixty modules one after the other.
///
/// Nothing is built beforehand. A file is put together at the first request for it, and each module stays what it is.
/// `Web/shell/linking.js` runs each once, even if several files bring it (docs/pages.md).
struct LinkedScripts: Sendable {
    /// The beginning of the paths of linked files, below `/assets/`; then come a language and the path of a module.
    static let folder = "linked"

    private let sources: [String: Bytes]
    private let languages: [String: WordCatalogue]
    /// The modules that every page names first, in order: no other file brings what is in theirs.
    private let base: [String]
    private let made = Made()

    private final class Made: Sendable {
        let modules = Mutex<[String: ScriptModule]>([:])
        /// The keys of the texts of each module: most modules come in many files.
        let keys = Mutex<[String: [ModuleTexts.Key]]>([:])
        let files = Mutex<[String: WebFolder.File]>([:])
    }

    /// - Parameters:
    ///   - sources: the modules, by path.
    ///   - base: the modules that every page names first.
    init(sources: [String: Bytes], catalogues: [WordCatalogue], base: [String]) {
        (self.sources, self.base) = (sources, base)
        languages = Dictionary(uniqueKeysWithValues: catalogues.map { ($0.code, $0) })
    }

    /// The path below `/assets/` of the file that brings a module in a language.
    static func path(of module: String, in language: String) -> String { "\(folder)/\(language)/\(module)" }

    /// The file at a path below `/assets/`; nil if there is no such module or language.
    ///
    /// - Throws: `ScriptModule.Mistake`.
    func file(at path: String) throws -> WebFolder.File? {
        let parts = path.split(separator: "/", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[0] == Self.folder, let catalogue = languages[parts[1]], sources[parts[2]] != nil
        else { return nil }
        if let known = made.files.withLock({ $0[path] }) { return known }
        let file = WebFolder.File(try link(parts[2], catalogue), "text/javascript; charset=utf-8")
        made.files.withLock { $0[path] = file }
        return file
    }

    /// The modules that come with a module, itself last: each after all that it imports.
    ///
    /// - Throws: `ScriptModule.Mistake`, also for a module that imports itself by way of others.
    func closure(of path: String) throws -> [String] {
        var order: [String] = []
        var found: Set<String> = []
        var open: [String] = []
        func visit(_ path: String) throws {
            if open.contains(path) {
                throw ScriptModule.Mistake(path: path, statement: "imports itself: \(open.joined(separator: ", "))")
            }
            guard found.insert(path).inserted else { return }
            open.append(path)
            for next in try module(path).imports { try visit(next) }
            open.removeLast()
            order.append(path)
        }
        try visit(path)
        return order
    }

    /// The modules that some module fetches when it needs them.
    ///
    /// - Throws: `ScriptModule.Mistake`.
    func loaded(by paths: [String]) throws -> Set<String> {
        var found: Set<String> = []
        var waiting = paths
        while let path = waiting.popLast() {
            for one in try closure(of: path) {
                waiting += try module(one).loads.filter { found.insert($0).inserted }
            }
        }
        return found
    }

    private func link(_ path: String, _ catalogue: WordCatalogue) throws -> Bytes {
        let earlier = base.prefix { $0 != path }
        let known = Set(try earlier.flatMap { try closure(of: $0) })
        let paths = try closure(of: path).filter { !known.contains($0) }
        var file = path == base.first ? ScriptText(sources["shell/linking.js"] ?? []).bytes : []
        file += Bytes(text: "const modules = globalThis.countersignModules;\n")
        if catalogue.code != WordCatalogue.english.code {
            let keys = Set(paths.flatMap(keys))
            if !keys.isEmpty { file += catalogue.module(keys) }
        }
        for path in paths { file += try module(path).definition }
        return file + Bytes(text: "await modules.start(\"\(path)\");\n")
    }

    private func keys(of path: String) -> [ModuleTexts.Key] {
        if let known = made.keys.withLock({ $0[path] }) { return known }
        let keys = ModuleTexts.keys(of: String(decoding: sources[path] ?? [], as: UTF8.self))
        made.keys.withLock { $0[path] = keys }
        return keys
    }

    private func module(_ path: String) throws -> ScriptModule {
        if let known = made.modules.withLock({ $0[path] }) { return known }
        guard let source = sources[path] else { throw ScriptModule.Mistake(path: path, statement: "is not there") }
        let module = try ScriptModule(path: path, source: source)
        made.modules.withLock { $0[path] = module }
        return module
    }
}
