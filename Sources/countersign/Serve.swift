import ArgumentParser
import Foundation
import Server
import Storage

/// `countersign serve`: the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the server.",
        discussion: """
            Everything is in one data directory: database, keys, log, sealed documents. At the first start the server \
            prints a one-time code and the command that sets the organisation up.

            With --database its tables are in a PostgreSQL instead. Any number of servers may then share that database \
            and the data directory, which holds the keys, the log's files and the sealed documents.

            With --blobs the log's files and the sealed documents are in a bucket of an S3-compatible object store instead. \
            The access key comes from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or from the file that \
            --s3-credentials names.

            Settings come from flags, then COUNTERSIGN_… in the environment, then the file given with --config, then \
            defaults. All mistakes are reported at once.

              countersign serve --data ./data --public-url https://sign.example.edu --tls-certificate chain.pem \
            --tls-key key.pem
            """)

    @OptionGroup var options: ServeOptions

    func run() async throws {
        try await ServerProcess(options: options).run { _, server in
            // A reader at the other end of a pipe is waiting for it.
            defer { fflush(nil) }
            let url = server.environment.publicURL
            guard try await !server.isSetUp else {
                print("Serving \(url) from \(server.directory.path)")
                return
            }
            print(
                """

                This server is not set up yet. Name the organisation and make its main administrator with:

                  countersign wallet setup --server \(url) --code \(server.environment.setUpCode)

                or open \(url)/setup#\(server.environment.setUpCode)
                The code works until the next start, once.

                """)
        }
    }
}

/// The settings of the server as flags.
struct ServeOptions: ParsableArguments {
    @Option(help: "The data directory.", completion: .directory) var data: String?
    @Option(help: "A PostgreSQL, postgres://USER@HOST/DATABASE, for servers that share one; without it, SQLite.")
    var database: String?
    @OptionGroup var bucket: BucketOptions
    @Option(help: "The address to listen on.") var host: String?
    @Option(help: "The port to listen on; 0 takes a free one.") var port: String?
    @Option(help: "The address that everybody knows, fixed at set-up. Beyond localhost it must be https.")
    var publicURL: String?
    @Option(help: "The server's certificate chain, PEM.") var tlsCertificate: String?
    @Option(help: "The server's private key, PEM.") var tlsKey: String?
    @Option(help: "trace, debug, info, notice, warning, error or critical.") var logLevel: String?
    @Option(help: "text or json.") var logFormat: String?
    @Flag(help: "Log requests for files of pages and unchanged answers, too.") var logAssets = false
    @Option(help: "Roots of makers of authenticators, PEM: the passkeys that they vouch for are marked.")
    var attestationRoots: String?
    @Option(help: "Days to keep invitations after they are over; the default is 30.")
    var keepInvitations: String?
    @Option(help: "Days to keep face-to-face checks after they are over; the default is 30.")
    var keepChecks: String?
    @Option(help: "Days to list a shared link after it is over; the default is 30.") var keepLinks: String?
    @Option(help: "Days to keep note and reason of a cancelled request; the default is 180.")
    var keepRequestNotes: String?
    @Option(help: "Connections that one address may have open at once; the default is 256.")
    var connectionsPerAddress: String?
    @Option(help: "Connections open at once beside those of live updates; the default is 4096.")
    var connections: String?
    @Option(help: "Live-update streams open at once; the default is 10000.")
    var liveUpdates: String?
    @Option(help: "Whether verifiers may look up other organisations through this server: true or false; true.")
    var lookups: String?
    @Option(help: "Whether webhooks may lead to private addresses and by plain http: true or false; false.")
    var privateAddresses: String?
    @Option(help: "Where e-mail goes: smtps://HOST, smtp://HOST or folder:/PATH; without it none is sent.")
    var mail: String?
    @Option(help: "The sender of e-mail, such as countersign@example.edu.") var mailFrom: String?
    @Option(help: "A file with user and password of the mail server, a line each.", completion: .file())
    var mailCredentials: String?
    @Option(help: "Where SMS go: https://GATEWAY, http:// with this machine, or folder:/PATH; without it none is sent.")
    var sms: String?
    @Option(help: "A file with the token of the SMS gateway, or user:password.", completion: .file())
    var smsCredentials: String?
    @Option(help: "The beginnings of numbers that get SMS, such as '+49 +43'; without it all.") var smsPrefixes: String?
    @Option(help: "SMS that are sent in an hour, of all members together; the default is 120.") var smsPerHour: String?
    @Flag(help: "Trust X-Forwarded-For: only behind a proxy of yours.") var trustProxy = false
    @Option(help: "A file of settings, JSON.", completion: .file()) var config: String?
    @Option(
        help: "Serve the pages from this folder and read them again each time: for working on them.",
        completion: .directory)
    var web: String?

    /// The flags that were given, by the names of the settings.
    var flags: [String: String] {
        let given: [String: String?] = [
            "data-directory": data, "database": database, "host": host, "port": port, "public-url": publicURL,
            "tls-certificate": tlsCertificate, "tls-key": tlsKey, "log-level": logLevel, "log-format": logFormat,
            "attestation-roots": attestationRoots, "keep-invitations": keepInvitations, "keep-checks": keepChecks,
            "keep-links": keepLinks, "keep-request-notes": keepRequestNotes, "trust-proxy": trustProxy ? "true" : nil,
            "log-assets": logAssets ? "true" : nil,
            "connections-per-address": connectionsPerAddress, "connections": connections, "live-updates": liveUpdates,
            "lookups": lookups, "private-addresses": privateAddresses, "mail": mail, "mail-from": mailFrom,
            "mail-credentials": mailCredentials, "sms": sms, "sms-credentials": smsCredentials,
            "sms-prefixes": smsPrefixes, "sms-per-hour": smsPerHour,
        ]
        return given.merging(bucket.flags) { $1 }.compactMapValues(\.self)
    }
}

/// A server in this process: settings read, directory locked, database chosen.
struct ServerProcess {
    let options: ServeOptions

    /// SIGHUP reads settings again, except where it says that a terminal has been closed: then the server ends with it.
    private func reloads() async -> ReloadSignal? {
        guard isatty(STDIN_FILENO) == 0 else { return nil }
        let (flags, config) = (options.flags, options.config)
        return await ReloadSignal {
            do {
                return try Settings.read(flags: flags, config: config).configuration
            } catch let error as CommandError {
                throw ReloadRefused(description: error.words.replacing("\n", with: " "))
            }
        }
    }

    /// Runs the server until it is told to stop.
    ///
    /// - Parameter onListening: gets the port and the server once it answers.
    func run(onListening: @escaping @Sendable (Int, CountersignServer) async throws -> Void) async throws {
        do {
            let settings = try Settings.read(flags: options.flags, config: options.config)
            let (configuration, place) = (settings.configuration, settings.place)
            let directory = try DataDirectory.open(configuration.dataDirectory, isShared: place.isShared)
            let publicURL =
                configuration.publicURL?.text ?? configuration.defaultPublicURL(port: configuration.port)
            let server = try await CountersignServer(
                configuration: configuration, directory: directory, publicURL: publicURL,
                parts: CountersignServer.Parts(
                    web: options.web.map { .live(folder: $0) } ?? .built,
                    attestationRoots: try AttestationRoots.read(configuration.attestationRoots)),
                database: try await place.open(),
                stores: try await settings.triedBucket())
            let logger = ServerLog.makeLogger(
                configuration, recent: server.shell.recentLog, settings: server.settings)
            try await server.run(logger: logger, reloads: await reloads()) { port in
                do {
                    try await onListening(port, server)
                } catch {
                    FileHandle.standardError.write(Data("\(error)\n".utf8))
                }
            }
        } catch let error as StorageError {
            throw CommandError("The server cannot start: \(error).")
        } catch let error as OwnModels.Unreadable {
            throw CommandError("The server cannot start: \(error.words).")
        } catch let error as ServerKeys.KeyError {
            throw CommandError("The server cannot start: \(error.words).")
        } catch let error as ListenError {
            throw CommandError("The server cannot start: \(error.words)")
        } catch let error as CountersignServer.StartError {
            switch error {
            case .publicURLChanged(let url):
                throw CommandError(
                    "This organisation was set up as \(url), and every certificate names it. Start with "
                        + "--public-url \(url), or with another --data for another organisation.")
            }
        }
    }
}

/// Why settings are not read again, for the log.
private struct ReloadRefused: Error, CustomStringConvertible {
    let description: String
}
