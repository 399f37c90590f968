import CountersignService
import HTTPTypes
import Hummingbird
import NIOCore
import QRCodes

/// Signing in and out, and the page on which second factors are given.
extension Site {
    func addSigningIn(to router: Router<Context>) {
        page(router, "sign-in") { visit in
            await bank.noteOpened(visit.token)
            return await show("sign-in", visit)
        }
        form(router, "sign-in", back: "/sign-in") { visit in
            let token = try await bank.signIn(
                visit.token, username: visit["username"].lowercased(), password: visit.form["password"] ?? "",
                browser: visit.browser, from: visit.address)
            return (token == nil ? "/confirm" : "/", token)
        }
        form(router, "sign-out", back: "/sign-in") { visit in
            await bank.signOut(visit.token)
            return ("/sign-in", nil)
        }
        page(router, "confirm") { visit in
            guard let confirmation = visit.session.confirmation else { return Self.go(to: "/") }
            return await show("confirm", visit, Self.values(confirmation))
        }
        form(router, "confirm", back: "/confirm") { visit in
            let token = try await bank.confirm(visit.token, code: visit["code"].replacing(" ", with: ""))
            return (await next(token ?? visit.token), token)
        }
        form(router, "cancel", back: "/") { visit in
            await bank.cancel(visit.token)
            return ("/", nil)
        }
        router.get("confirm/state") { request, _ in
            let state = await bank.state(Visit.token(of: request) ?? "")
            return Response(
                status: .ok, headers: [.contentType: "text/plain", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: state)))
        }
    }

    /// Where it goes on after a second factor.
    private func next(_ token: String) async -> String {
        let session = await bank.visit(token).session
        if session.authenticator != nil { return "/factors/totp" }
        return session.enrolment == nil ? "/" : "/factors/approval"
    }

    private static func values(_ confirmation: Confirmation) -> [String: any Sendable] {
        var values: [String: any Sendable] = ["username": confirmation.username]
        switch confirmation.act {
        case .signIn: values["what"] = "Sign in as \(confirmation.username)"
        case .transfer(let transfer):
            values["what"] = "Pay \(transfer.amount) to \(transfer.payee.name), account \(transfer.payee.number)"
        case .change(let factor): values["what"] = "Change your second factor to: \(factor.words)"
        }
        switch confirmation.challenge {
        case .approval(let approval, _):
            values["approval"] = true
            values["code"] = approval.code
            values["link"] = approval.link
            values["picture"] = approval.scannable.flatMap(picture)
        case .sms: values["sms"] = true
        case .totp: values["totp"] = true
        case .card(.respond(let challenge)): values["respond"] = challenge
        case .card(.sign(let account, let pence)):
            values["sign"] = account
            values["amount"] = "\(Money(pence: pence))".split(separator: " ").first.map(String.init)
        case .nothing: break
        }
        return values
    }

    /// A QR code, drawn here: nobody else sees what is in it.
    static func picture(_ text: String) -> String? {
        (try? QRCode(encoding: Array(text.utf8), errorCorrection: .low)).map {
            String(decoding: $0.svg(), as: UTF8.self)
        }
    }
}
