import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// The bank's pages and forms.
struct Site: Sendable {
    typealias Context = VisitContext
    let bank: Bank
    let pages: PageLibrary

    /// All routes.
    func routes() -> Router<Context> {
        let router = Router(context: Context.self)
        addFiles(to: router)
        addSigningIn(to: router)
        addAccounts(to: router)
        addTransfers(to: router)
        addFactors(to: router)
        addStandIns(to: router)
        return router
    }

    private func addFiles(to router: Router<Context>) {
        for name in pages.files.keys {
            router.get(RouterPath(name)) { _, _ in
                guard let file = pages.files[name] else { throw HTTPError(.notFound) }
                return Response(
                    status: .ok, headers: [.contentType: file.type, .xContentTypeOptions: "nosniff"],
                    body: .init(byteBuffer: ByteBuffer(bytes: file.bytes)))
            }
        }
    }

    /// A page that anybody may see.
    func page(
        _ router: Router<Context>, _ path: String, _ make: @escaping @Sendable (Visit) async throws -> Response
    ) {
        router.get(RouterPath(path)) { request, _ in
            let (token, session) = await bank.visit(Visit.token(of: request))
            let visit = Visit(request: request, token: token, session: session)
            return Self.keeping(token, in: await answer(visit, or: "/") { try await make(visit) })
        }
    }

    /// What a form does; it comes from a page of the same session, or nothing is done.
    ///
    /// - Parameter back: the page that says why it was refused.
    func form(
        _ router: Router<Context>, _ path: String, back: String,
        _ act: @escaping @Sendable (Visit) async throws -> (to: String, token: String?)
    ) {
        router.post(RouterPath(path)) { request, context in
            let (token, session) = await bank.visit(Visit.token(of: request))
            let body = try await request.body.collect(upTo: Visit.maximumForm)
            let visit = Visit(
                request: request, token: token, session: session, address: context.address,
                form: Visit.fields(of: String(buffer: body)))
            var kept = token
            let response = await answer(visit, or: back) {
                guard await bank.isOwn(token, csrf: visit.form["csrf"]) else { throw BankError.forged }
                let (place, renewed) = try await act(visit)
                kept = renewed ?? token
                return Self.go(to: place)
            }
            return Self.keeping(kept, in: response)
        }
    }

    /// The answer, or the page that says why there is none.
    private func answer(_ visit: Visit, or back: String, _ make: () async throws -> Response) async -> Response {
        do {
            return try await make()
        } catch BankError.signedOut {
            return Self.go(to: "/sign-in")
        } catch BankError.forged {
            let words = "This form is not of your session. Go back and reload."
            return await show("problem", visit, ["words": words], .forbidden)
        } catch BankError.refused(let words) {
            await bank.say(words, visit.token)
            return Self.go(to: back)
        } catch {
            let words = "Something went wrong at the bank. Begin again."
            return await show("problem", visit, ["words": words], .badGateway)
        }
    }

    /// A page with what every page has.
    func show(
        _ name: String, _ visit: Visit, _ values: [String: any Sendable] = [:],
        _ status: HTTPResponse.Status = .ok
    ) async -> Response {
        var values = values
        values["csrf"] = visit.session.csrf
        values["message"] = await bank.takeMessage(visit.token)
        values["customer"] = (try? await bank.customer(visit.token))?.name
        let text = pages.library.render(values, withTemplate: name) ?? ""
        return Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff", .contentSecurityPolicy: Self.policy,
            ], body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// Nothing from elsewhere, and nobody puts the bank into a frame of theirs.
    private static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'"

    static func go(to place: String) -> Response {
        Response(status: .seeOther, headers: [.location: place, .cacheControl: "no-store"])
    }

    private static func keeping(_ token: String, in response: Response) -> Response {
        var response = response
        response.headers[.setCookie] = "\(Visit.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict"
        return response
    }
}
