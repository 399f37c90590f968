import HTTPTypes
import Hummingbird
import Interface

/// The organisation's published document for verifiers who know its domain, and their look-ups of other organisations.
struct LookupRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let organisation = SetUpService(environment: environment)
        let lookups = LookupService(egress: environment.egress)
        routes.openRaw(
            .get, PublishedOrganisation.path, "Name, root and log key of the organisation, for verifiers elsewhere",
            answers: "application/json", problems: [.notFound]
        ) { _ in
            let found = try await organisation.describe()
            guard found.isSetUp else { throw Problem(.notFound, "The organisation has not been set up yet.") }
            var response = Response.bytes(
                Response.jsonBytes(PublishedOrganisation(found)), mediaType: "application/json")
            // Anybody may read it, from pages of anybody: it is the same for all, and holds no secret.
            response.headers[.accessControlAllowOrigin] = "*"
            response.headers[.resourcePolicy] = "cross-origin"
            response.headers[.cacheControl] = "public, max-age=300"
            return response
        }
        routes.open(
            .post, "/api/lookups/organisation", "What a domain publishes as its organisation", rate: .lookup,
            takes: DomainLookup.self, answers: PublishedOrganisation.self, problems: [.notFound, .busy]
        ) { request, _ in try await lookups.organisation(request) }
        routes.open(
            .post, "/api/lookups/status", "Status lists of another server, as they are now", rate: .lookup,
            takes: StatusLookup.self, answers: FoundStatus.self, problems: [.notFound, .busy]
        ) { request, _ in try await lookups.status(request) }
    }
}
