import HTTPTypes
import Interface

/// A person's saved filters.
struct SavedFilterRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let filters = SavedFilterService(environment: environment)
        routes.secured(
            .get, "/api/saved-filters", "Your saved filters of all lists", .ownAccount,
            answers: Listing<SavedFilter>.self
        ) { _, principal in Listing(try await filters.list(principal)) }
        routes.secured(
            .post, "/api/saved-filters", "Save what you look for in a list", .ownAccount, takes: NewSavedFilter.self,
            answers: SavedFilter.self, status: .created, problems: [.conflict]
        ) { request, _, principal in try await filters.save(request, principal) }
        routes.secured(
            .patch, "/api/saved-filters/{id}", "Rename a saved filter", .ownAccount, takes: SavedFilterRename.self,
            answers: SavedFilter.self, problems: [.notFound]
        ) { request, call, principal in try await filters.rename(try call.parameter("id"), request, principal) }
        routes.secured(
            .delete, "/api/saved-filters/{id}", "Remove a saved filter", .ownAccount, answers: NoContent.self,
            status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await filters.remove(try call.parameter("id"), principal)
            return NoContent()
        }
    }
}
