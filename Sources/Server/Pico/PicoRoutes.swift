import HTTPTypes
import Interface

/// Wallets that sign in by scanning a code: pairing them, and signing in with them.
struct PicoRoutes {
    let office: PicoOffice

    func add(to routes: inout RouteTable) {
        addPairings(to: &routes)
        addSignIns(to: &routes)
        addRelay(to: &routes)
        RendezvousRoutes(rendezvous: office.rendezvous, newName: office.environment.newIdentifier).add(to: &routes)
    }

    private func addPairings(to routes: inout RouteTable) {
        let pairings = PicoPairings(office: office)
        routes.secured(
            .get, "/api/pico/pairings", "Wallets that sign you in with a scan", .ownAccount,
            answers: Listing<PicoWallet>.self
        ) { _, principal in Listing(try await pairings.list(principal)) }
        routes.secured(
            .post, "/api/pico/pairings", "Get a code that pairs a wallet", .ownAccount, confirmed: true,
            takes: PicoWalletName.self, answers: PicoPairingOffer.self, status: .created,
            problems: [.conflict, .tooManyRequests]
        ) { request, call, principal in try await pairings.begin(request, call, principal) }
        routes.secured(
            .post, "/api/pico/pairings/{id}/wait", "Wait for the wallet that scans the code", .ownAccount,
            takes: NoMembers.self, answers: PicoPairingProgress.self, problems: [.notFound, .conflict]
        ) { _, call, principal in try await pairings.wait(try call.parameter("id"), call, principal) }
        routes.secured(
            .post, "/api/pico/pairings/{id}/end", "Show the code no more", .ownAccount, takes: NoMembers.self,
            answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { _, call, principal in
            try pairings.end(try call.parameter("id"), principal)
            return NoContent()
        }
        routes.secured(
            .patch, "/api/pico/pairings/{id}", "Rename a wallet", .ownAccount, takes: PicoWalletName.self,
            answers: PicoWallet.self, problems: [.notFound]
        ) { request, call, principal in try await pairings.rename(try call.parameter("id"), request, principal) }
        routes.secured(
            .delete, "/api/pico/pairings/{id}", "Remove a wallet; sessions that it began end", .ownAccount,
            answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await pairings.remove(try call.parameter("id"), principal)
            return NoContent()
        }
    }

    private func addRelay(to routes: inout RouteTable) {
        let relay = PicoRelay(office: office)
        routes.secured(
            .post, "/api/pico/relay", "Ask a channel of another server's rendezvous, for your wallet in a page",
            .ownAccount, takes: PicoRelayRequest.self, answers: PicoRelayAnswer.self,
            problems: [.notFound, .tooManyRequests, .busy]
        ) { request, call, principal in try await relay.ask(request, call, principal) }
    }

    private func addSignIns(to routes: inout RouteTable) {
        let signIns = PicoSignIns(office: office)
        routes.open(
            .post, "/api/pico/sign-ins", "Get a code that a paired wallet signs this browser in with",
            rate: .picoSignIn, takes: NewPicoSignIn.self, answers: PicoSignInOffer.self, status: .created
        ) { request, call in try await signIns.begin(request, call) }
        routes.open(
            .post, "/api/pico/sign-ins/{id}", "Wait for the wallet; the session, once", rate: .rendezvous,
            takes: PicoSignInSecret.self, answers: PicoSignInProgress.self, problems: [.notFound, .conflict]
        ) { request, call in try await signIns.wait(try call.parameter("id"), request, call) }
        routes.open(
            .post, "/api/pico/sign-ins/{id}/end", "Show the code no more", rate: .asking,
            takes: PicoSignInSecret.self, answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { request, call in
            try signIns.end(try call.parameter("id"), request)
            return NoContent()
        }
        let watch = PicoWatch(office: office)
        routes.open(
            .post, "/api/pico/sign-ins/{id}/presence", "Hold the session while the wallet answers", rate: .rendezvous,
            takes: PicoSignInSecret.self, answers: PicoHeldSession.self, problems: [.notFound, .conflict]
        ) { request, call in try await watch.wait(try call.parameter("id"), request, call) }
        routes.secured(
            .get, "/api/pico/service", "What wallets know this server by: it knows everybody who asks to come into it",
            .ownAccount, answers: PicoOwnService.self
        ) { [office] _, _ in PicoOwnService(commitment: office.identity.commitment.hexadecimal) }
        routes.secured(
            .get, "/api/pico/asking/{channel}", "Who asks to be signed in, for the wallet that scanned the code",
            .ownAccount, answers: PicoAsking.self, problems: [.notFound]
        ) { call, principal in try signIns.asking(try call.parameter("channel"), principal) }
        routes.secured(
            .post, "/api/pico/asking/{channel}/deny", "You did not ask to be signed in there", .ownAccount,
            takes: NoMembers.self, answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { _, call, principal in
            try signIns.deny(try call.parameter("channel"), principal)
            return NoContent()
        }
    }
}
