import CryptoProvider
import Encodings
import Foundation
import Mustache

/// The files of `Web/`, read once, or anew for each request while somebody works on them.
struct WebFolder: Sendable {
    /// One file as it is served.
    struct File: Sendable {
        let bytes: Bytes
        let mediaType: String
        /// Quoted, as in the `ETag` field.
        let tag: String
    }

    /// Why pages cannot be served.
    enum Mistake: Error, Equatable {
        /// The folder is not there or holds no layout.
        case noPages(folder: String)
        /// A template is not Mustache.
        case template(String)
    }

    /// What a browser may fetch below `/assets/`, by folder and name.
    let files: [String: File]
    let templates: MustacheLibrary
    /// Changes whenever a file or template does: the name of the copy that a browser keeps for use without a network.
    let version: String

    /// Reads the folder.
    ///
    /// - Throws: `Mistake`.
    init(_ folder: String) throws {
        var files: [String: File] = [:]
        var templates = MustacheLibrary()
        var everything: Bytes = []
        for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }).sorted() ?? [] {
            guard path.split(separator: "/").count == 2, let ending = path.split(separator: ".").last,
                ending == "mustache" || Self.mediaTypes[String(ending)] != nil,
                let data = FileManager.default.contents(atPath: folder + "/" + path)
            else { continue }
            everything += Bytes(text: path) + [0] + SwiftCryptoSuite().sha256(Bytes(data))
            if ending == "mustache" {
                do {
                    try templates.register(
                        Self.dotted(String(decoding: data, as: UTF8.self)), named: Self.dotted(name: path.dropLast(9)))
                } catch {
                    throw Mistake.template("\(path): \(error)")
                }
            } else if let mediaType = Self.mediaTypes[String(ending)] {
                let bytes = Bytes(data)
                let digest = SwiftCryptoSuite().sha256(bytes).prefix(12)
                files[path] = File(bytes: bytes, mediaType: mediaType, tag: "\"\(Array(digest).base64URL)\"")
            }
        }
        guard templates.getTemplate(named: "shell.layout") != nil else { throw Mistake.noPages(folder: folder) }
        self.files = files
        self.templates = templates
        version = Array(SwiftCryptoSuite().sha256(everything).prefix(12)).base64URL
    }

    /// The name under which a template is registered: the library takes no slash in the tag that closes an inherited
    /// template, so `shell/layout` is `shell.layout` to it.
    static func dotted(name: some StringProtocol) -> String { String(name.map { $0 == "/" ? "." : $0 }) }

    /// A template whose tags name other templates the same way.
    private static func dotted(_ template: String) -> String {
        template.replacing(/\{\{([<>\/])\s*([a-z-]+)\/([a-z-]+)\s*\}\}/) { "{{\($0.1)\($0.2).\($0.3)}}" }
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
