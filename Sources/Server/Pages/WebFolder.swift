import CryptoProvider
import Encodings
import Foundation
import Synchronization

/// The files of `Web/`, read once, or again for each request while someone works on them.
struct WebFolder: Sendable {
    /// One file as it is served.
    struct File: Sendable {
        let bytes: Bytes
        let mediaType: String
        /// Quoted, as in the `ETag` field.
        let tag: String

        init(_ bytes: Bytes, _ mediaType: String) {
            let digest = SwiftCryptoSuite().sha256(bytes).prefix(12)
            self.init(bytes: bytes, mediaType: mediaType, tag: "\"\(Array(digest).base64URL)\"")
        }

        init(bytes: Bytes, mediaType: String, tag: String) {
            (self.bytes, self.mediaType, self.tag) = (bytes, mediaType, tag)
        }
    }

    /// Why pages cannot be served.
    enum Mistake: Error, Equatable {
        /// The folder is not there or holds no layout.
        case noPages(folder: String)
        /// A template is not Mustache.
        case template(String)
        /// A language's catalogues are not JSON objects of texts.
        case catalogue(String)
    }

    /// What a browser may fetch below `/assets/`, by folder and name.
    let files: [String: File]
    /// In each language that pages come in, English first.
    let languages: [PageLanguage]
    /// The modules as pages load them.
    let scripts: LinkedScripts
    /// The texts and modules of each page, by template.
    let texts: MadeOnce<PageTexts>
    /// Changes whenever a file or template does: the name of the copy that a browser keeps for use without a network.
    let version: String

    /// Reads the folder.
    ///
    /// - Throws: `Mistake`.
    init(_ folder: String) throws {
        var files: [String: File] = [:]
        var templates: [String: String] = [:]
        var modules: [String: String] = [:]
        var catalogues: [String: [Data]] = [:]
        var everything: Bytes = []
        for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }).sorted() ?? [] {
            let parts = path.split(separator: "/")
            let isCatalogue = parts.count == 3 && parts[1] == "words" && path.hasSuffix(".json")
            guard parts.count == 2 || isCatalogue, let ending = path.split(separator: ".").last,
                isCatalogue || ending == "mustache" || Self.mediaTypes[String(ending)] != nil,
                let data = FileManager.default.contents(atPath: folder + "/" + path)
            else { continue }
            everything += Bytes(text: path) + [0] + SwiftCryptoSuite().sha256(Bytes(data))
            if isCatalogue {
                catalogues[String(parts[2].dropLast(5)), default: []].append(data)
            } else if ending == "mustache" {
                templates[String(path.dropLast(9))] = String(decoding: data, as: UTF8.self)
            } else if let mediaType = Self.mediaTypes[String(ending)] {
                if ending == "js" { modules[path] = String(decoding: data, as: UTF8.self) }
                files[path] = File(Bytes(data), mediaType)
            }
        }
        guard templates["shell/layout"] != nil else { throw Mistake.noPages(folder: folder) }
        let version = Array(SwiftCryptoSuite().sha256(everything).prefix(12)).base64URL
        let read = try Self.read(version, templates, modules, catalogues)
        (languages, scripts, texts) = (read.languages, read.scripts, read.texts)
        self.files = files
        self.version = version
    }

    /// What the files of a folder make together.
    private struct Read {
        let version: String
        let languages: [PageLanguage]
        let scripts: LinkedScripts
        let texts: MadeOnce<PageTexts>
    }

    /// The last reading: a folder that is read for every request seldom changes.
    private static let latest = Mutex<Read?>(nil)

    private static func read(
        _ version: String, _ templates: [String: String], _ modules: [String: String], _ catalogues: [String: [Data]]
    ) throws -> Read {
        if let known = latest.withLock({ $0 }), known.version == version { return known }
        let found = try catalogues.sorted { $0.key < $1.key }.map { code, data in
            guard let catalogue = WordCatalogue(code: code, files: data) else { throw Mistake.catalogue(code) }
            return catalogue
        }
        let texts = MadeOnce { try PageTexts(templates: templates, modules: modules) }
        let english = try PageLanguage(.english, templates)
        let languages = [english] + found.map { PageLanguage($0, templates, texts) }
        let scripts = LinkedScripts(
            sources: modules.mapValues(Bytes.init(text:)), catalogues: languages.map(\.catalogue),
            base: PageTexts.modules(namedIn: templates["shell/layout-head"] ?? ""))
        let made = Read(version: version, languages: languages, scripts: scripts, texts: texts)
        latest.withLock { $0 = made }
        return made
    }

    /// A file that a browser may fetch below `/assets/`.
    ///
    /// - Throws: `ScriptModule.Mistake`.
    func file(at path: String) throws -> File? {
        if let file = files[path] { return file }
        return try scripts.file(at: path)
    }

    private static let mediaTypes = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "wasm": "application/wasm", "html": "text/html; charset=utf-8",
        "webmanifest": "application/manifest+json",
    ]
}

/// Where the pages come from.
package enum WebSource: Sendable {
    /// What was built with the program.
    case built
    /// A folder, read again for every request: for work on pages.
    case live(folder: String)
}
