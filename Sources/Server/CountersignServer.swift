package import CryptoProvider
import Encodings
import Foundation
package import Logging
package import Passkeys
import ServiceLifecycle
package import Storage
import Verification

/// The whole server: parts put together, routes, start and stop.
package struct CountersignServer: Sendable {
    /// What every service uses.
    package let environment: Environment
    /// The parts that every capability shares.
    package let shell: Shell
    /// All routes.
    package let routes: RouteTable
    /// The parts that it has.
    private let open: [any OpenSlice]
    private let pages: Pages
    /// What it was started with.
    let configuration: ServerConfiguration
    /// The settings in force, which change while the server runs.
    package let settings: LiveSettings
    let orphans: OrphanService
    /// Where everything is.
    package let directory: DataDirectory

    /// Why a start is refused.
    package enum StartError: Error, Equatable {
        /// The organisation was set up under another public URL; every credential and key names it.
        case publicURLChanged(setUpAs: String)
    }

    /// What tests and other programs may exchange.
    package struct Parts: Sendable {
        package var clock: ServerClock
        package var random: RandomSource
        /// Hashing, on the threads for everything else that keeps a processor for long.
        package var argon2: Argon2Workers
        package var web: WebSource
        /// Manufacturers whose statements about authenticators are believed; without any, none is.
        package var attestationRoots: [TrustedAttestationRoot]
        /// How witnesses are reached.
        package var witnesses: (any WitnessTransport)?
        /// The way to other servers; `nil` for the real one, if the configuration allows it.
        package var egress: Egress?
        /// How e-mail leaves; `nil` for the way that the configuration names, if it names one.
        package var mail: (any MailTransport)?
        /// False in benchmarks only, whose load comes from one address.
        package var isLimitingRates: Bool

        package init(
            clock: ServerClock = .system, random: RandomSource = .system,
            argon2: Argon2Workers = .withinLimits(),
            web: WebSource = .built, attestationRoots: [TrustedAttestationRoot] = [],
            witnesses: (any WitnessTransport)? = nil, egress: Egress? = nil,
            mail: (any MailTransport)? = nil, isLimitingRates: Bool = true
        ) {
            self.clock = clock
            self.random = random
            self.argon2 = argon2
            self.web = web
            self.attestationRoots = attestationRoots
            self.witnesses = witnesses
            self.egress = egress
            self.mail = mail
            self.isLimitingRates = isLimitingRates
        }
    }

    /// Opens everything that a server needs.
    ///
    /// - Parameters:
    ///   - directory: held by this process, or by those that share the database.
    ///   - publicURL: fixed at set-up.
    ///   - database: which engine it is, only the program knows.
    ///   - stores: of sealed documents and the log; `nil` for folders of the directory.
    ///   - slices: the parts that it has.
    package init(
        configuration: ServerConfiguration, directory: DataDirectory, publicURL: String, parts: Parts = Parts(),
        database: any Database, stores: BlobStores? = nil, slices: [Slice] = Slice.all
    ) async throws {
        try await database.migrate(slices.histories)
        let (organisation, fingerprints) = try await database.read { transaction in
            (
                try OrganisationStore(transaction: transaction).find(),
                try ServerKeyStore(transaction: transaction).fingerprints()
            )
        }
        if let organisation, organisation.publicURL != publicURL {
            throw StartError.publicURLChanged(setUpAs: organisation.publicURL)
        }
        let keys = try ServerKeys.open(
            in: directory.path, for: organisation, fingerprints: fingerprints, keys: slices.keys, random: parts.random)
        let since = parts.clock.now()
        try await database.write { transaction in
            for (name, fingerprint) in keys.fingerprints where organisation == nil || fingerprints[name] == nil {
                try ServerKeyStore(transaction: transaction).set(name, fingerprint: fingerprint, since: since)
            }
        }
        let stores = if let stores { stores } else { try await BlobStores.folders(of: directory) }
        let log = try await TransparencyLog(
            TransparencyLog.Parts(
                store: stores.log,
                origin: String(decoding: SignedLogPolicy.logOrigin(of: Bytes(text: publicURL)), as: UTF8.self),
                keys: keys.logKeys, labelSecret: { keys.secret(.labelSecret) }, database: database,
                random: parts.random,
                transport: parts.witnesses, clock: parts.clock, events: Set(slices.events)))
        let statusLists = StatusLists(
            publicURL: publicURL, database: database, keys: SliceKeys(keys, own: [.status]),
            random: parts.random, now: parts.clock.now)
        let events = EventHub(
            clock: parts.clock, notices: database.notices, permissions: slices.permissions,
            most: configuration.liveUpdates)
        var random = parts.random
        var environment = Environment(
            publicURL: publicURL, database: database, blobs: stores.blobs, directory: directory.path, keys: keys.all,
            serverKeys: keys, log: log, statusLists: statusLists,
            passphrases: parts.argon2, attestationRoots: parts.attestationRoots, events: events, clock: parts.clock,
            random: parts.random,
            egress: parts.egress
                ?? Egress(isOn: configuration.looksUp, allowsPrivate: configuration.allowsPrivateAddresses),
            slices: slices,
            setUpCode: HumanCode.random(groups: 5, using: &random))
        let probe = StorageProbe(directory: directory, clock: parts.clock)
        let pages = Pages(environment: environment, source: parts.web)
        environment.catalogues = { try pages.catalogues() }
        environment.mail = try Mailer(configuration.mail, transport: parts.mail)
        environment.sms = try SMSOffice(configuration.sms, environment.egress)
        self.environment = environment
        shell = Shell(
            clock: parts.clock, authenticator: SessionService(environment: environment), events: events,
            readiness: [
                ReadinessCheck("database") { _ = try await database.read { try LogStore(transaction: $0).sealed() } },
                ReadinessCheck("log") { _ = await log.size }, ReadinessCheck("storage") { try await probe.check() },
            ],
            work: parts.argon2.work, trustsProxy: configuration.trustsProxy, publicURL: publicURL,
            isLimitingRates: parts.isLimitingRates, logsAssets: configuration.logsAssets,
            problemPage: { try await pages.response($0, to: $1, instance: $2) }, writes: { database.figures })
        var open: [any OpenSlice] = []
        for slice in slices {
            open.append(try await slice.open(environment.with(keys: slice.keys)))
        }
        (self.open, self.pages) = (open, pages)
        routes = Self.routes(environment, pages, open)
        self.configuration = configuration
        settings = LiveSettings(configuration)
        self.directory = directory
        orphans = OrphanService(stores: stores, environment: environment)
    }

    /// Serves until told to stop, then closes the database.
    ///
    /// - Parameter reloads: reads the settings again at each signal to do so.
    package func run(
        logger: Logger, stopsOnSignals: Bool = true, reloads: ReloadSignal? = nil,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        do {
            for slice in open { try slice.check() }
            // Commands that work on a stopped server need no pages.
            try pages.check()
            try await HTTPServer.run(
                configuration: configuration, settings: settings, shell: shell, routes: routes,
                services: open.flatMap { $0.services(shell, logger) } + [
                    RetentionService(environment: environment) { [settings] in settings.configuration.keepDays },
                    orphans, KeyWatch(environment: environment, logger: logger),
                    KeyOrders(server: self, logger: logger),
                ] + (reloads.map { [ReloadService(server: self, signal: $0, logger: logger)] } ?? []), logger: logger,
                stopsOnSignals: stopsOnSignals, onListening: onListening)
        } catch {
            try? await environment.database.close()
            throw error
        }
        try await environment.database.close()
    }

    /// Whether the organisation has its name and root.
    package var isSetUp: Bool {
        get async throws { try await environment.storedOrganisation() != nil }
    }

    /// The public URL under which an organisation was set up, or `nil` before that.
    package static func publicURL(in database: any Database, slices: [Slice] = Slice.all) async throws -> String? {
        try await database.migrate(slices.histories)
        return try await database.read { try OrganisationStore(transaction: $0).find() }?.publicURL
    }

    private static func routes(
        _ environment: Environment, _ pages: Pages, _ open: [any OpenSlice]
    ) -> RouteTable {
        var routes = RouteTable()
        for (slice, open) in zip(environment.slices, open) {
            routes.slice = slice.name
            open.add(to: &routes)
        }
        routes.slice = RouteTable().slice
        pages.add(to: &routes)
        ShellRoutes().add(to: &routes, publicURL: environment.publicURL)
        return routes
    }

    /// The log's name.
    static func origin(of publicURL: String) -> String {
        String(decoding: SignedLogPolicy.logOrigin(of: Bytes(text: publicURL)), as: UTF8.self)
    }
}
