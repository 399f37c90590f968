import CountersignService
import Hummingbird

/// Choosing a second factor.
extension Site {
    func addFactors(to router: Router<Context>) {
        page(router, "factors") { visit in
            let customer = try await bank.customer(visit.token)
            let factors = Factor.allCases.map { factor in
                ["id": factor.rawValue, "words": factor.words, "checked": factor == customer.factor ? "checked" : ""]
            }
            return await show("factors", visit, ["factors": factors, "present": customer.factor.words])
        }
        form(router, "factors", back: "/factors") { visit in
            guard let factor = Factor(rawValue: visit["factor"]) else { throw BankError.refused("Choose one.") }
            try await bank.change(to: factor, visit.token, browser: visit.browser)
            let session = await bank.visit(visit.token).session
            if session.confirmation != nil { return ("/confirm", nil) }
            if session.authenticator != nil { return ("/factors/totp", nil) }
            return (session.enrolment == nil ? "/factors" : "/factors/approval", nil)
        }
        page(router, "factors/totp") { visit in
            let customer = try await bank.customer(visit.token)
            guard let authenticator = visit.session.authenticator else { return Self.go(to: "/factors") }
            let uri = authenticator.uri(account: customer.username, issuer: "Example Bank")
            return await show(
                "totp", visit, ["picture": Self.picture(uri) ?? "", "secret": authenticator.base32, "uri": uri])
        }
        form(router, "factors/totp", back: "/factors/totp") { visit in
            try await bank.proveAuthenticator(visit.token, code: visit["code"].replacing(" ", with: ""))
            await bank.say("Your second factor is now: \(Factor.totp.words).", visit.token)
            return ("/factors", nil)
        }
        page(router, "factors/approval") { visit in
            _ = try await bank.customer(visit.token)
            guard visit.session.enrolment != nil else { return Self.go(to: "/factors") }
            let enrolment = try await bank.enrolment(visit.token)
            var values: [String: any Sendable] = [:]
            values["link"] = enrolment.link
            values["picture"] = enrolment.link.flatMap(Self.picture)
            values["code"] = enrolment.code
            values["device"] = enrolment.deviceName
            switch enrolment.state {
            case .open: values["open"] = true
            case .taken: values["taken"] = true
            case .completed, .ended, .expired: values["over"] = true
            }
            return await show("approval", visit, values)
        }
        form(router, "factors/approval", back: "/factors") { visit in
            try await bank.compare(visit.token, areSame: visit["same"] == "yes")
            await bank.say("Your second factor is now: \(Factor.approval.words).", visit.token)
            return ("/factors", nil)
        }
    }
}
