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
    private let built: MadeOnce<WebFolder>
    private let gzipped = GzippedFiles()
    private let kept = KeptPages()
    /// All pages: those of no slice, then slice by slice.
    private var pages: [Page] { Page.ofEverybody + environment.slices.pages }

    init(environment: Environment, source: WebSource) {
        self.environment = environment
        self.source = source
        built =
            switch source {
            case .built: Self.ofProgram
            case .live(let folder): MadeOnce { try WebFolder(folder) }
            }
    }

    /// Reads the pages, if nobody has: a server without any is not to start.
    ///
    /// - Throws: `WebFolder.Mistake`.
    func check() throws { _ = try built.value }

    /// What was built with the program, read once, however many servers a process has: it stays what it is.
    private static let ofProgram = MadeOnce { try WebFolder(builtFolder) }

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
        case .built: try built.value
        case .live(let folder): try WebFolder(folder)
        }
    }

    /// A page, or that the browser's copy is still good.
    ///
    /// What it tells is read each time, so that all processes show a change at once.
    private func response(_ page: Page, _ request: Request) async throws -> Response {
        let folder = try folder()
        let facts = try await PageFacts(
            SetUpService(environment: environment).describe(), FaceService(environment: environment).find())
        let choice = try Choice(of: page.template, request, folder)
        let place = KeptPages.Place(path: page.path, language: choice.wanted)
        let file = try kept.file(at: place, version: folder.version, facts) {
            let text = try html(page.template, choice, folder) { catalogue in
                facts.values(in: catalogue).merging(Navigation(pages, catalogue).values(for: page.path)) { $1 }
            }
            return WebFolder.File(Bytes(text: text), Self.mediaType)
        }
        let wanted = Gzip.isAccepted(request.headers[.acceptEncoding])
        let small = await wanted ? gzipped.bytes(of: "\(choice.wanted) \(page.path)", file, environment.work) : nil
        let tag = Self.tag(of: file, isSmall: small != nil)
        let isSame = request.headers[.ifNoneMatch] == tag
        var response = isSame ? Response(status: .notModified) : Self.answer(file.bytes, compressed: small)
        response.headers[.eTag] = tag
        addHeaders(to: &response, choice, asks: page.asks, isIsolated: page.isIsolated)
        return response
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
        let folder = try folder()
        let choice = try Choice(of: "shell/problem", request, folder)
        let text = try html("shell/problem", choice, folder) { catalogue in
            let words: [String: Any] = [
                "problemTitle": catalogue(page.title), "problemText": page.text(in: catalogue),
                // The detail is in English always.
                "problemShowsDetail": page.showsDetail && catalogue.code == WordCatalogue.english.code,
            ]
            return values.merging(words) { $1 }
                .merging(face.map { FaceService.values(of: $0, in: catalogue) } ?? [:]) { $1 }
        }
        let bytes = Bytes(text: text)
        var small: Bytes?
        if Gzip.isAccepted(request.headers[.acceptEncoding]),
            case .success(let made) = await environment.work.attempt({ Gzip.compress(bytes) })
        {
            small = made
        }
        var response = Self.answer(bytes, compressed: small)
        response.status = problem.status
        addHeaders(to: &response, choice)
        return response
    }

    /// What an answer depends on, beside its address.
    private static let varying = "Accept-Language, Cookie"

    private static let mediaType = "text/html; charset=utf-8"

    /// The language that a request wants, and the one that a page comes in: the same if all its texts are there in that,
    /// and else English.
    private struct Choice {
        let wanted: String
        let language: PageLanguage

        /// - Throws: `WebFolder.Mistake`.
        init(of template: String, _ request: Request, _ folder: WebFolder) throws {
            let languages = folder.languages
            let wanted = LanguageChoice.code(for: request, among: languages.map(\.catalogue.code))
            self.wanted = wanted
            language =
                try languages.first { try $0.catalogue.code == wanted && $0.isWhole(template) } ?? languages[0]
        }
    }

    private func html(
        _ template: String, _ choice: Choice, _ folder: WebFolder, _ values: (WordCatalogue) -> [String: Any]
    ) throws -> String {
        var all = values(choice.language.catalogue)
        all["languages"] = folder.languages.map { other in
            var entry = ["code": other.catalogue.code, "name": other.catalogue.name]
            if other.catalogue.code == choice.wanted { entry["isWanted"] = "selected" }
            return entry
        }
        guard let html = try choice.language.render(template, all, assets: folder.version) else {
            throw Problem(.internal, cause: "there is no template \(template)")
        }
        return html
    }

    /// A page is the same for everybody and holds no secret, so its compressed length gives none away.
    private static func answer(_ html: Bytes, compressed small: Bytes?) -> Response {
        var response = Response.bytes(small ?? html, mediaType: mediaType)
        if small != nil { response.headers[.contentEncoding] = "gzip" }
        return response
    }

    private func addHeaders(
        to response: inout Response, _ choice: Choice, asks: Page.Asks = .nothing, isIsolated: Bool = true
    ) {
        PageHeaders.add(to: &response, asks: asks, isIsolated: isIsolated)
        response.headers[.contentLanguage] = choice.language.catalogue.code
        response.headers[.vary] = Self.varying + ", Accept-Encoding"
    }

    /// Each form has a tag of its own (RFC 9110, section 8.8.3.3).
    private static func tag(of file: WebFolder.File, isSmall: Bool) -> String {
        isSmall ? "\"\(file.tag.dropFirst().dropLast())-gzip\"" : file.tag
    }

    /// A file, or that the browser's copy is still good; compressed if the browser can take that.
    private func file(_ path: String, _ request: Request) async throws -> Response {
        let folder = try folder()
        guard let file = try folder.file(at: path) else { throw Problem(.notFound) }
        let wanted = Gzip.isAccepted(request.headers[.acceptEncoding])
        let small = await wanted ? gzipped.bytes(of: path, file, environment.work) : nil
        let tag = Self.tag(of: file, isSmall: small != nil)
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
        let texts = try folder.texts.value
        let named = Set(pages.flatMap { texts.modules(of: $0.template) } + finders).filter(isKept)
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
