import CryptoProvider
import Encodings
import Foundation
import Synchronization

/// The files of `Web/`, read once, or anew for each request while somebody works on them.
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
        languages = try Self.languages(version, templates, modules, catalogues)
        for (path, bytes) in languages.flatMap(\.modules) { files[path] = File(bytes, Self.mediaTypes["js"] ?? "") }
        self.files = files
        self.version = version
    }

    /// The languages of the pages that were read last: a folder that is read for every request seldom changes.
    private static let latest = Mutex<(version: String, languages: [PageLanguage])?>(nil)

    private static func languages(
        _ version: String, _ templates: [String: String], _ modules: [String: String], _ catalogues: [String: [Data]]
    ) throws -> [PageLanguage] {
        if let known = latest.withLock({ $0 }), known.version == version { return known.languages }
        let found = try catalogues.sorted { $0.key < $1.key }.map { code, data in
            guard let catalogue = WordCatalogue(code: code, files: data) else { throw Mistake.catalogue(code) }
            return catalogue
        }
        let texts = try PageTexts(templates: templates, modules: modules)
        // They have most of a start's work, and need nothing of each other.
        let made = try ([.english] + found).mapInParallel { catalogue in
            catalogue.code == WordCatalogue.english.code
                ? try PageLanguage(catalogue, templates) : try PageLanguage(catalogue, templates, texts)
        }
        latest.withLock { $0 = (version, made) }
        return made
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
    /// A folder, read anew for every request: for whoever works on pages.
    case live(folder: String)
}
