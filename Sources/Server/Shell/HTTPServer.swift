import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOSSL
package import ServiceLifecycle
import UnixSignals

/// The running server.
package enum HTTPServer {
    /// Serves the routes until SIGTERM or SIGINT, then lets what is under way finish.
    ///
    /// - Parameters:
    ///   - services: run beside it, started before it and stopped after it.
    ///   - stopsOnSignals: false where the caller stops the task itself, as tests do.
    ///   - onListening: gets the port that is really listened on.
    /// - Throws: when the address is taken, the TLS files cannot be used, or a service fails.
    package static func run(
        configuration: ServerConfiguration, shell: Shell, routes: RouteTable, services: [any Service] = [],
        logger: Logger, stopsOnSignals: Bool = true,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        try await run(
            configuration: configuration, bounds: .init(configuration, isLimiting: shell.rates.isLimiting),
            shell: shell,
            routes: routes, services: services, logger: logger, stopsOnSignals: stopsOnSignals,
            onListening: onListening)
    }

    /// The same with other bounds of connections, for tests.
    static func run(
        configuration: ServerConfiguration, bounds: Connections.Bounds, shell: Shell, routes: RouteTable,
        services: [any Service] = [], logger: Logger, stopsOnSignals: Bool = true,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        let connections = Connections(bounds, metrics: shell.metrics)
        var quiet = logger
        // The library talks about its own start and stop; one line of ours says where we listen.
        quiet.logLevel = max(logger.logLevel, .notice)
        let scheme = configuration.tls == nil ? "http" : "https"
        let application = Application(
            router: routes.router(shell, logLevel: logger.logLevel), server: try channel(configuration, connections),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil, backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Limits.connections + configuration.liveUpdates)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                logger.notice("listening on \(scheme)://\(configuration.host):\(port)")
                await onListening(port)
            },
            logger: quiet)
        var group = ServiceGroupConfiguration(
            services: services + [application, shell.events],
            gracefulShutdownSignals: stopsOnSignals ? [.sigterm, .sigint] : [], logger: quiet)
        group.maximumGracefulShutdownDuration = Limits.stopTime
        try await ServiceGroup(configuration: group).run()
    }

    private static func channel(
        _ configuration: ServerConfiguration, _ connections: Connections
    ) throws -> HTTPServerBuilder {
        let plain = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [WireGuard(connections)],
                idleTimeout: .nanoseconds(Int64(Limits.idleTime.inSeconds * 1e9)),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Limits.headerField, maxHeaderListSize: Limits.headers,
                    maxHeaderFieldCount: Limits.headerCount)))
        guard let files = configuration.tls else { return plain }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(files.certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem)))
        tls.minimumTLSVersion = .tlsv12
        return try .tls(plain, tlsConfiguration: tls)
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
