import HTTPTypes
import Hummingbird
import Interface

/// The organisation's face: read and changed, and sent to pages.
struct FaceRoutes {
    let environment: Environment

    /// A picture that is opened by itself runs nothing, loads nothing and has no origin.
    static let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

    func add(to routes: inout RouteTable) {
        let faces = FaceService(environment: environment)
        routes.open(
            .get, "/api/organisation/face", "Logo, colour and imprint of the organisation",
            answers: OrganisationFace.self
        ) { _ in try await faces.find() }
        routes.secured(
            .put, "/api/organisation/face", "Change logo, colour and imprint", .changeFace, confirmed: true,
            takes: FaceChange.self, limit: .medium, answers: OrganisationFace.self
        ) { request, _, principal in try await faces.change(request, principal) }
        routes.secured(
            .post, "/api/organisation/face/preview", "What a change would look like; nothing is stored", .changeFace,
            takes: FaceChange.self, limit: .medium, answers: FacePreview.self
        ) { request, _, principal in try await faces.preview(request, principal) }
        routes.openRaw(
            .get, "/organisation/logo", "The organisation's logo", rate: .page, answers: "image/*",
            problems: [.notFound]
        ) { call in
            guard let (bytes, logo) = try await faces.logo() else {
                throw Problem(.notFound, "The organisation has no logo.")
            }
            var response = Self.answer(
                call, tag: logo.digest, version: logo.digest, bytes: bytes, mediaType: logo.mediaType)
            response.headers[.contentSecurityPolicy] = Self.policy
            return response
        }
        routes.openRaw(
            .get, "/organisation/face.css", "The organisation's colour on pages", rate: .page, answers: "text/css"
        ) { call in
            let face = try await faces.find()
            return Self.answer(
                call, tag: face.accent.map { "face-\($0.dropFirst())" } ?? "face-none",
                version: face.accent.map { String($0.dropFirst()) } ?? "none",
                bytes: Array(FaceService.styleSheet(face).utf8), mediaType: "text/css; charset=utf-8")
        }
    }

    /// Kept for a year where the address names what it is; asked for again everywhere else.
    private static func answer(
        _ call: Call, tag: String, version: String, bytes: [UInt8], mediaType: String
    ) -> Response {
        let isNamed = call.query("v") == version
        let quoted = "\"\(tag)\""
        let headers: HTTPFields = [
            .contentType: mediaType, .eTag: quoted,
            .cacheControl: isNamed ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        if call.request.headers[.ifNoneMatch] == quoted { return Response(status: .notModified, headers: headers) }
        var response = Response.bytes(bytes, mediaType: mediaType)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}
