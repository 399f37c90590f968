import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
package import ServiceLifecycle
import UnixSignals

/// The running server.
package enum HTTPServer {
    /// Serves the routes until SIGTERM or SIGINT, then lets what is under way finish.
    ///
    /// - Parameters:
    ///   - settings: what may change while it runs; `nil` for nothing.
    ///   - services: run beside it, started before it and stopped after it.
    ///   - stopsOnSignals: false where the caller stops the task itself, as tests do.
    ///   - onListening: gets the port that is really listened on.
    /// - Throws: `ListenError` when it cannot listen there; others when the TLS files cannot be used, or a service fails.
    package static func run(
        configuration: ServerConfiguration, settings: LiveSettings? = nil, shell: Shell, routes: RouteTable,
        services: [any Service] = [], logger: Logger, stopsOnSignals: Bool = true,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        try await run(
            configuration: configuration, bounds: .init(configuration, isLimiting: shell.rates.isLimiting),
            settings: settings, shell: shell, routes: routes, services: services, logger: logger,
            stopsOnSignals: stopsOnSignals,
            onListening: onListening)
    }

    /// The same with other bounds of connections, for tests.
    static func run(
        configuration: ServerConfiguration, bounds: Connections.Bounds, settings: LiveSettings? = nil, shell: Shell,
        routes: RouteTable, services: [any Service] = [], logger: Logger, stopsOnSignals: Bool = true,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        var perAddress: (@Sendable () -> Int)?
        if let settings { perAddress = { settings.connectionsPerAddress } }
        let connections = Connections(bounds, metrics: shell.metrics, perAddress: perAddress)
        var quiet = logger
        // The library talks about its own start and stop; one line of ours says where we listen.
        quiet.logLevel = settings == nil ? max(logger.logLevel, .notice) : .notice
        let tls = settings ?? LiveSettings(configuration)
        tls.set(configuration, tls: try configuration.tls.map { try ServerCertificate($0) })
        let scheme = configuration.tls == nil ? "http" : "https"
        let application = Application(
            // Lines of a level that is not asked for now end in the logger, which asks the settings each time.
            responder: RequestTasks(
                routes.router(shell, logLevel: settings == nil ? logger.logLevel : .trace).buildResponder()),
            server: channel(configuration, connections, tls),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil, backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.allConnections)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                logger.notice("listening on \(scheme)://\(configuration.host):\(port)")
                await onListening(port)
            },
            logger: quiet)
        var group = ServiceGroupConfiguration(
            services: (services + [application, shell.events]).map(NamedService.init),
            gracefulShutdownSignals: stopsOnSignals ? [.sigterm, .sigint] : [], logger: quiet)
        group.maximumGracefulShutdownDuration = Limits.stopTime
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError {
            if let refused = ListenError(error, at: configuration) { throw refused }
            throw error
        }
    }

    private static func channel(
        _ configuration: ServerConfiguration, _ connections: Connections, _ settings: LiveSettings
    ) -> HTTPServerBuilder {
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [WireGuard(connections)],
            idleTimeout: .nanoseconds(Int64(Limits.idleTime.inSeconds * 1e9)),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Limits.headerField, maxHeaderListSize: Limits.headers,
                maxHeaderFieldCount: Limits.headerCount))
        guard let first = settings.tls else { return .http1(configuration: http) }
        return HTTPServerBuilder { responder in
            CurrentTLS(base: HTTP1Channel(responder: responder, configuration: http)) {
                (settings.tls ?? first).context
            }
        }
    }
}

extension Connections.Bounds {
    /// Behind a proxy all connections are the proxy's, and its requests count by the addresses that it names.
    ///
    /// - Parameter isLimiting: false in benchmarks only, whose load comes from one address.
    init(_ configuration: ServerConfiguration, isLimiting: Bool) {
        self.init()
        perAddress = configuration.trustsProxy || !isLimiting ? nil : configuration.connectionsPerAddress
        if !isLimiting { requests = .max }
    }
}
