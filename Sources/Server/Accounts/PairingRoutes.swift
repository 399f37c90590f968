import HTTPTypes
import Interface

/// A new device asks; a device of the account adds it.
struct PairingRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let pairings = PairingService(environment: environment)
        routes.open(
            .post, "/api/pairings", "Ask to be added as another device of an account", rate: .pairing,
            takes: PairingRequest.self, answers: Pairing.self, status: .created
        ) { request, call in
            // Only what can be a username becomes a key that is remembered.
            let username = try AccountRules.username(request.username)
            try call.shell.rates.spend(.pairingByAccount, for: .account(username))
            return try await pairings.open(request)
        }
        routes.secured(
            .get, "/api/pairings/{id}", "A device that asks to be added, for its account", .ownAccount,
            answers: PairingDetails.self, problems: [.notFound]
        ) { call, principal in try await pairings.find(try call.parameter("id"), principal) }
        routes.secured(
            .post, "/api/pairings/{id}/endorse", "Add the device", .ownAccount, confirmed: true, device: true,
            takes: PairingEndorsement.self, answers: Acknowledgement.self, problems: [.notFound, .conflict, .gone]
        ) { request, call, principal in try await pairings.endorse(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/pairings/{id}/refuse", "Refuse the device", .ownAccount, answers: PairingDetails.self,
            problems: [.notFound, .conflict, .gone]
        ) { call, principal in try await pairings.refuse(try call.parameter("id"), principal) }
        routes.open(
            .post, "/api/pairings/{id}/session", "The session of an added device, once", rate: .asking,
            takes: PairingSessionRequest.self, answers: NewSession.self, status: .created,
            problems: [.notFound, .conflict, .gone]
        ) { request, call in try await pairings.session(try call.parameter("id"), request) }
    }
}
