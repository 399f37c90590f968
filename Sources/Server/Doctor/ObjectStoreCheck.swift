import Storage

/// The bucket, where there is one: it takes, shows, lists and deletes, as the server does it at its start.
struct ObjectStoreCheck: DoctorCheck {
    let name = "object store"

    func run(_ deployment: Deployment) async throws -> [Finding] {
        guard let place = deployment.configuration.objectStore?.place else { return [] }
        do {
            try await deployment.stores.tryOut()
        } catch StorageError.objectStoreRefuses(let detail) {
            return [bad(detail, "put that right: the server does not start before")]
        } catch StorageError.objectStoreFails(let detail) {
            return [bad(detail, "look at the store and the way to it; until then acts are answered with 503")]
        }
        return [good("\(place.bucket)/\(place.prefix): takes, shows, lists and deletes")]
    }
}
