import Encodings
import Mustache

/// The pages in one language: its catalogue, and a version of each template that it has all texts of.
struct PageLanguage: Sendable {
    let catalogue: WordCatalogue
    /// What gives pages the texts of their modules, by path: one for each folder.
    let modules: [String: Bytes]
    private let library: MustacheLibrary
    /// For each template that is whole in this language, the paths of the modules that bring its texts.
    private let whole: [String: [String]]

    /// The pages in the language of the source.
    init(_ catalogue: WordCatalogue, _ templates: [String: String]) throws {
        (self.catalogue, modules) = (catalogue, [:])
        library = try Self.library(templates)
        whole = templates.mapValues { _ in [] }
    }

    /// The pages in another language: no page is half in it, so one that lacks a text is not in it at all.
    init(_ catalogue: WordCatalogue, _ templates: [String: String], _ texts: PageTexts) throws {
        self.catalogue = catalogue
        library = try Self.library(templates.mapValues { TemplateTexts.translate($0) { catalogue.texts[$0] } })
        let known = Set(catalogue.texts.keys)
        var whole: [String: [String]] = [:]
        var keys: [String: Set<ModuleTexts.Key>] = [:]
        for name in templates.keys {
            guard texts.templateKeys(of: name).isSubset(of: known) else { continue }
            let byFolder = texts.moduleKeys(of: name)
            guard byFolder.values.allSatisfy({ $0.allSatisfy(catalogue.has) }) else { continue }
            whole[name] = byFolder.keys.sorted().map { "\($0)/words/\(catalogue.code).js" }
            keys.merge(byFolder) { $0.union($1) }
        }
        modules = Dictionary(
            uniqueKeysWithValues: keys.map { ("\($0)/words/\(catalogue.code).js", catalogue.module($1)) })
        self.whole = whole
    }

    /// Whether all texts of a template are in this language.
    func isWhole(_ template: String) -> Bool { whole[template] != nil }

    /// The page, with the values of a language that the layouts need.
    func render(_ template: String, _ values: [String: Any]) -> String? {
        var values = values
        values["lang"] = catalogue.code
        values["dir"] = catalogue.direction
        values["wordFiles"] = whole[template]?.map { "/assets/" + $0 }
        return library.render(values, withTemplate: Self.dotted(name: template))
    }

    /// - Throws: `WebFolder.Mistake`.
    private static func library(_ templates: [String: String]) throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for (name, source) in templates {
            do {
                try library.register(dotted(source), named: dotted(name: name))
            } catch {
                throw WebFolder.Mistake.template("\(name).mustache: \(error)")
            }
        }
        return library
    }

    /// The name under which a template is registered: the library takes no slash in the tag that closes an inherited
    /// template, so `shell/layout` is `shell.layout` to it.
    private static func dotted(name: String) -> String { String(name.map { $0 == "/" ? "." : $0 }) }

    /// A template whose tags name other templates the same way.
    private static func dotted(_ template: String) -> String {
        template.replacing(/\{\{([<>\/])\s*([a-z-]+)\/([a-z-]+)\s*\}\}/) { "{{\($0.1)\($0.2).\($0.3)}}" }
    }
}
