package import Logging
import NIOSSL
import Synchronization

/// The settings of a running server, for those who use what changes without a stop.
package final class LiveSettings: Sendable {
    private struct State {
        var configuration: ServerConfiguration
        var tls: ServerCertificate?
    }

    private let state: Mutex<State>

    /// The settings of the start; TLS is not read yet.
    package init(_ configuration: ServerConfiguration) { state = Mutex(State(configuration: configuration)) }

    /// All settings in force.
    package var configuration: ServerConfiguration { state.withLock { $0.configuration } }

    /// From which level on to log: asked with each line.
    package var logLevel: Logger.Level { state.withLock { $0.configuration.logLevel } }

    /// Asked with each connection.
    var connectionsPerAddress: Int { state.withLock { $0.configuration.connectionsPerAddress } }

    /// What new connections get; `nil` for plain HTTP.
    var tls: ServerCertificate? { state.withLock { $0.tls } }

    /// Puts settings and certificate in force, all at once.
    func set(_ configuration: ServerConfiguration, tls: ServerCertificate?) {
        state.withLock { $0 = State(configuration: configuration, tls: tls) }
    }
}

/// A certificate of the server that was read from its files, with its key.
struct ServerCertificate: Sendable {
    let chain: [NIOSSLCertificate]
    let context: NIOSSLContext

    /// - Throws: when the files cannot be read, or do not belong together.
    init(_ files: ServerConfiguration.TLSFiles) throws {
        chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem)))
        tls.minimumTLSVersion = .tlsv12
        context = try NIOSSLContext(configuration: tls)
    }
}
