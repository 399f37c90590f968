package import Storage

/// A deployment to be looked at.
package struct Deployment: Sendable {
    /// The server's settings.
    package let configuration: ServerConfiguration
    /// Its tables.
    package let place: DatabasePlace
    /// Its sealed documents and its log's files.
    package let stores: BlobStores
    /// Seconds since 1970.
    package let now: Int64
    /// The parts that the server has.
    let slices: [Slice]

    /// A deployment.
    package init(
        configuration: ServerConfiguration, place: DatabasePlace, stores: BlobStores, now: Int64,
        slices: [Slice] = Slice.all
    ) {
        self.configuration = configuration
        self.place = place
        self.stores = stores
        self.now = now
        self.slices = slices
    }

    /// The data directory.
    var directory: String { configuration.dataDirectory }

    /// The organisation, once it is set up.
    func organisation() async throws -> OrganisationStore.Stored? {
        try await place.snapshot { try OrganisationStore(transaction: $0).find() }
    }
}

/// Looks at a deployment, beside the running server, and says what is wrong and what to do.
package struct Doctor: Sendable {
    /// What it looks at.
    package let deployment: Deployment
    private let checks: [any DoctorCheck] = [
        DirectoryCheck(), DatabaseCheck(), ObjectStoreCheck(), KeyCheck(), LogCheck(), CertificateCheck(), BlobCheck(),
        VaultCheck(), TLSCheck(), ClockCheck(),
    ]

    /// A doctor for a deployment.
    package init(_ deployment: Deployment) { self.deployment = deployment }

    /// Runs every check; one that cannot go on says so and does not stop the others.
    package func run() async -> [Finding] {
        var findings: [Finding] = []
        for check in checks {
            do {
                findings += try await check.run(deployment)
            } catch {
                findings.append(
                    Finding(check.name, .unknown, "\(error)", "put right what is listed above, and run this again"))
            }
        }
        return findings
    }
}
