import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import Interface
import NIOCore
import Web
import Workers

/// Pages, and the modules and styles that they load.
struct Pages: Sendable {
    private let environment: Environment
    private let source: WebSource
    private let built: WebFolder
    private let gzipped = GzippedFiles()
    /// All pages: those of no slice, then slice by slice.
    private var pages: [Page] { Page.ofEverybody + environment.slices.pages }

    /// - Throws: `WebFolder.Mistake`.
    init(environment: Environment, source: WebSource) throws {
        self.environment = environment
        self.source = source
        built =
            switch source {
            case .built: try WebFolder(Self.builtFolder)
            case .live(let folder): try WebFolder(folder)
            }
    }

    /// Where the build put the files of `Web/`.
    static var builtFolder: String { WebFiles.folder }

    func add(to routes: inout RouteTable) {
        for page in pages {
            routes.openRaw(.get, page.path, page.summary, rate: .page, answers: "text/html; charset=utf-8") { call in
                try await self.response(page, call.request)
            }
        }
        addFiles(to: &routes)
        let accounts = SetUpService(environment: environment)
        routes.openRaw(
            .get, "/organisation/root.pem", "The organisation's root certificate, PEM",
            answers: "application/x-pem-file", problems: [.conflict]
        ) { _ in
            let organisation = try await accounts.describe()
            guard organisation.isSetUp else { throw AccountError.notSetUp }
            var response = Response.text(organisation.rootCertificate, mediaType: "application/x-pem-file")
            response.headers[.contentDisposition] = "attachment; filename=\"root.pem\""
            return response
        }
    }

    private func addFiles(to routes: inout RouteTable) {
        routes.openRaw(
            .get, "/assets/index.json", "The files that pages need, for use without a network",
            rate: .page, answers: "application/json"
        ) { call in
            var response = Response.bytes(try index(for: call.request).serialized(), mediaType: "application/json")
            response.headers[.vary] = Self.varying
            return response
        }
        routes.openRaw(
            .get, "/assets/{file+}", "Modules, styles and pictures of the pages", rate: .page, answers: "*/*",
            problems: [.notFound]
        ) { call in try await self.file(call.rest.joined(separator: "/"), call.request) }
        routes.openRaw(
            .get, "/manifest.webmanifest", "What an installed wallet is called", rate: .page,
            answers: "application/manifest+json"
        ) { call in try self.manifest(for: call.request) }
        routes.openRaw(
            .get, "/sw.js", "Keeps pages for use without a network", rate: .page, answers: "text/javascript"
        ) { call in
            var response = try await self.file("shell/sw.js", call.request)
            // A worker obeys the policy that it came with.
            PageHeaders.add(to: &response)
            return response
        }
    }

    /// The manifest in the language that pages have for this request.
    private func manifest(for request: Request) throws -> Response {
        let folder = try folder()
        guard let file = folder.files["shell/manifest.webmanifest"], let source = try? JSON.parse(file.bytes) else {
            throw Problem(.notFound)
        }
        let wanted = LanguageChoice.code(for: request, among: folder.languages.map(\.catalogue.code))
        let translated = folder.languages.first { $0.catalogue.code == wanted }.flatMap { language in
            ManifestTexts.manifest(source, in: language.catalogue).map { (wanted, $0.serialized()) }
        }
        let (code, bytes) = translated ?? (WordCatalogue.english.code, file.bytes)
        let made = WebFolder.File(bytes, file.mediaType)
        let headers: HTTPFields = [
            .contentType: made.mediaType, .eTag: made.tag, .cacheControl: "no-cache", .contentLanguage: code,
            .vary: Self.varying,
        ]
        if request.headers[.ifNoneMatch] == made.tag { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: made.bytes)))
    }

    /// The catalogues of all languages, English first.
    func catalogues() throws -> [WordCatalogue] { try folder().languages.map(\.catalogue) }

    private func folder() throws -> WebFolder {
        switch source {
        case .built: built
        case .live(let folder): try WebFolder(folder)
        }
    }

    private func response(_ page: Page, _ request: Request) async throws -> Response {
        let organisation = try await SetUpService(environment: environment).describe()
        let fingerprint = stride(from: 0, to: organisation.rootFingerprint.count, by: 4).map { start in
            String(organisation.rootFingerprint.dropFirst(start).prefix(4))
        }
        let values: [String: Any] = [
            "organisation": organisation.name, "isSetUp": organisation.isSetUp, "publicURL": organisation.publicURL,
            "fingerprint": fingerprint.joined(separator: " "),
            "fingerprintGroups": Hex.decode(Bytes(text: organisation.rootFingerprint)).flatMap { bytes in
                bytes.isEmpty ? nil : String(decoding: FingerprintGroups.text(bytes), as: UTF8.self)
            } ?? "", "logKey": organisation.logKey,
            "version": CountersignVersion.text,
        ]
        let face = try await FaceService(environment: environment).find()
        return try await html(page.template, request, asks: page.asks) { catalogue in
            values.merging(Navigation(pages, catalogue).values(for: page.path)) { $1 }
                .merging(FaceService.values(of: face, in: catalogue)) { $1 }
        }
    }

    /// The page that tells a browser of a problem.
    ///
    /// - Throws: when there is no such page to show; the problem document then has to do.
    func response(_ problem: Problem, to request: Request, instance: String) async throws -> Response {
        // When the server itself is in trouble, nothing is asked of the database: it may be the trouble.
        let isOurs = problem.status.kind == .serverError
        let organisation = isOurs ? nil : try await SetUpService(environment: environment).describe()
        let page = ProblemPage(problem)
        let values: [String: Any] = [
            "organisation": organisation?.name ?? "", "isSetUp": organisation?.isSetUp ?? false,
            "version": CountersignVersion.text,
            "problemDetail": problem.detail, "problemSignsIn": page.signsIn,
            "problemReloads": page.reloads,
            "problemStatus": String(problem.status.code), "problemInstance": instance,
        ]
        let face = isOurs ? nil : try await FaceService(environment: environment).find()
        var response = try await html("shell/problem", request) { catalogue in
            let words: [String: Any] = [
                "problemTitle": catalogue(page.title), "problemText": page.text(in: catalogue),
                // The detail is in English always.
                "problemShowsDetail": page.showsDetail && catalogue.code == WordCatalogue.english.code,
            ]
            return values.merging(words) { $1 }
                .merging(face.map { FaceService.values(of: $0, in: catalogue) } ?? [:]) { $1 }
        }
        response.status = problem.status
        return response
    }

    /// What an answer depends on, beside its address.
    private static let varying = "Accept-Language, Cookie"

    /// A page in the language that the request wants, if all its texts are there in that, and else in English.
    private func html(
        _ template: String, _ request: Request, asks: Page.Asks = .nothing, _ values: (WordCatalogue) -> [String: Any]
    ) async throws -> Response {
        let folder = try folder()
        let languages = folder.languages
        let wanted = LanguageChoice.code(for: request, among: languages.map(\.catalogue.code))
        let language = languages.first { $0.catalogue.code == wanted && $0.isWhole(template) } ?? languages[0]
        var all = values(language.catalogue)
        all["languages"] = languages.map { other in
            var choice = ["code": other.catalogue.code, "name": other.catalogue.name]
            if other.catalogue.code == wanted { choice["isWanted"] = "selected" }
            return choice
        }
        guard let html = language.render(template, all, assets: folder.version) else {
            throw Problem(.internal, cause: "there is no template \(template)")
        }
        var response = Response.text(html, mediaType: "text/html; charset=utf-8")
        // A page is the same for everybody and holds no secret, so its length gives none away.
        if Gzip.isAccepted(request.headers[.acceptEncoding]),
            case .success(let small?) = await environment.work.attempt({ Gzip.compress(Bytes(text: html)) })
        {
            response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: small))
            response.headers[.contentEncoding] = "gzip"
            response.headers[.contentLength] = nil
        }
        PageHeaders.add(to: &response, asks: asks)
        response.headers[.contentLanguage] = language.catalogue.code
        response.headers[.vary] = Self.varying + ", Accept-Encoding"
        return response
    }

    /// A file, or that the browser's copy is still good; compressed if the browser can take that.
    private func file(_ path: String, _ request: Request) async throws -> Response {
        let folder = try folder()
        guard let file = try folder.file(at: path) else { throw Problem(.notFound) }
        let wanted = Gzip.isAccepted(request.headers[.acceptEncoding])
        let small = await wanted ? gzipped.bytes(of: path, file, environment.work) : nil
        // Each form has a tag of its own (RFC 9110, section 8.8.3.3).
        let tag = small == nil ? file.tag : "\"\(file.tag.dropFirst().dropLast())-gzip\""
        // What a page names by its version is never asked for again: each visit would wait for the answer that nothing has
        // changed. A page of another version, from a server beside this one, gets what is here and keeps nothing of it.
        let isOfVersion = request.uri.queryParameters["v"].map(String.init) == folder.version
        var headers: HTTPFields = [
            .contentType: file.mediaType, .eTag: tag, .vary: "Accept-Encoding",
            .cacheControl: isOfVersion ? "max-age=31536000, immutable" : "no-cache",
        ]
        // A worker obeys the policy that it came with, and a page takes none without.
        let isWorker = path.hasSuffix("-worker.js")
        if request.headers[.ifNoneMatch] == tag {
            var same = Response(status: .notModified, headers: headers)
            // Pages that a browser has kept get these headers: without the policy the worker could load nothing any
            // more.
            if isWorker { PageHeaders.add(to: &same) }
            return same
        }
        if small != nil { headers[.contentEncoding] = "gzip" }
        let body = ByteBuffer(bytes: small ?? file.bytes)
        var response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        if isWorker { PageHeaders.add(to: &response) }
        return response
    }

    /// The files that a browser keeps for use without a network: of the catalogues, only those of its language.
    private func index(for request: Request) throws -> JSON {
        let folder = try folder()
        let code = LanguageChoice.code(for: request, among: folder.languages.map(\.catalogue.code))
        // Signing by hand is for the desk, which needs the server.
        let isKept = { (path: String) in !path.hasPrefix("hand-signatures/") }
        let finders = pages.compactMap(\.place?.finder).map { $0 + ".js" }
        let named = Set(pages.flatMap { folder.texts.modules(of: $0.template) } + finders).filter(isKept)
        let linked = try named.union(folder.scripts.loaded(by: Array(named))).filter(isKept)
            .map { LinkedScripts.path(of: $0, in: code) }
        // Workers have no page to link for.
        let workers = try folder.files.keys.filter { $0.hasSuffix("-worker.js") }.flatMap(folder.scripts.closure)
        let others = folder.files.keys.filter { isKept($0) && !$0.hasSuffix(".js") }
        // As pages name them, so that they are fetched once.
        let shell = ["shell/mark.svg", "shell/style.css", PageLanguage.symbols]
        let versioned = Set(named.map { LinkedScripts.path(of: $0, in: code) } + shell)
        let assets = (linked + workers + others).sorted().map { path in
            JSON.text("/assets/" + path + (versioned.contains(path) ? "?v=\(folder.version)" : ""))
        }
        let pages = pages.filter { !$0.path.contains("{") }.map { JSON.text($0.path) }
        return .members([
            ("version", .text(code == "en" ? folder.version : "\(folder.version)-\(code)")), ("files", .array(assets)),
            ("pages", .array(pages)),
        ])
    }
}
