import Encodings
import Mustache

/// The pages in one language: its catalogue, and a version of each template that it has all texts of.
struct PageLanguage: Sendable {
    /// The file of the symbols, without `/assets/`.
    static let symbols = "shell/icons.svg"

    let catalogue: WordCatalogue
    private let made: MadeOnce<Templates>

    private struct Templates: Sendable {
        let library: MustacheLibrary
        /// Those that have all their texts in this language, those of the modules that they load among them.
        let whole: Set<String>
    }

    /// The pages in the language of the source.
    init(_ catalogue: WordCatalogue, _ templates: [String: String]) throws {
        self.catalogue = catalogue
        let read = Templates(library: try Self.library(templates, catalogue.code), whole: Set(templates.keys))
        made = MadeOnce { read }
    }

    /// The pages in another language: no page is half in it, so one that lacks a text is not in it at all.
    ///
    /// They are put together when somebody first reads one: that was most of a start's work.
    init(_ catalogue: WordCatalogue, _ templates: [String: String], _ texts: MadeOnce<PageTexts>) {
        self.catalogue = catalogue
        made = MadeOnce {
            let all = try texts.value
            let known = Set(catalogue.texts.keys)
            let whole = templates.keys.filter { name in
                all.templateKeys(of: name).isSubset(of: known) && all.moduleKeys(of: name).allSatisfy(catalogue.has)
            }
            let translated = templates.mapValues { TemplateTexts.translate($0) { catalogue.texts[$0] } }
            return Templates(library: try Self.library(translated, catalogue.code), whole: Set(whole))
        }
    }

    /// Whether all texts of a template are in this language.
    ///
    /// - Throws: `WebFolder.Mistake`.
    func isWhole(_ template: String) throws -> Bool { try made.value.whole.contains(template) }

    /// The page, with the values of a language that the layouts need.
    ///
    /// - Parameter assets: the version of the files that it names.
    /// - Throws: `WebFolder.Mistake`.
    func render(_ template: String, _ values: [String: Any], assets: String) throws -> String? {
        var values = values
        values["assets"] = assets
        values["lang"] = catalogue.code
        values["dir"] = catalogue.direction
        return try made.value.library.render(values, withTemplate: Self.dotted(name: template))
    }

    /// - Throws: `WebFolder.Mistake`.
    private static func library(_ templates: [String: String], _ code: String) throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for (name, source) in templates {
            do {
                try library.register(linked(dotted(source), code), named: dotted(name: name))
            } catch {
                throw WebFolder.Mistake.template("\(name).mustache: \(error)")
            }
        }
        return library
    }

    /// A template that names the linked file of each module that it loads and the file of the symbols, of the version
    /// that the page is of.
    private static func linked(_ template: String, _ code: String) -> String {
        template.replacing("/assets/\(symbols)#", with: "/assets/\(symbols)?v={{assets}}#")
            .replacing(/<script type="module" src="\/assets\/([^"]+)"/) { module in
                let path = LinkedScripts.path(of: String(module.1), in: code)
                return "<script type=\"module\" src=\"/assets/\(path)?v={{assets}}\""
            }
    }

    /// The name under which a template is registered: the library takes no slash in the tag that closes an inherited
    /// template, so `shell/layout` is `shell.layout` to it.
    private static func dotted(name: String) -> String { String(name.map { $0 == "/" ? "." : $0 }) }

    /// A template whose tags name other templates the same way.
    private static func dotted(_ template: String) -> String {
        template.replacing(/\{\{([<>\/])\s*([a-z-]+)\/([a-z-]+)\s*\}\}/) { "{{\($0.1)\($0.2).\($0.3)}}" }
    }
}
