package import Logging
package import Storage

/// Everything an operator can set, read once at start.
package struct ServerConfiguration: Sendable, Equatable {
    /// Where to listen.
    package var host = "127.0.0.1"
    /// The port; 0 lets the system choose one.
    package var port = 8080
    /// Where the database, keys, log tiles and sealed documents are.
    package var dataDirectory = "./data"
    /// A PostgreSQL, `postgres://…`; `nil` for SQLite in the data directory.
    package var database: String?
    /// Where sealed documents and the log's files go; `nil` for the data directory.
    package var objectStore: ObjectStore?
    /// The address that everybody knows, or `nil` when not given.
    package var publicURL: PublicURL?
    /// Certificate chain and private key, PEM; `nil` for plain HTTP.
    package var tls: TLSFiles?
    /// From which level on to log.
    package var logLevel: Logger.Level = .info
    /// How a log line looks.
    package var logFormat: LogFormat = .text
    /// Whether requests for files of pages, and those that found nothing changed, are logged as well.
    package var logsAssets = false
    /// A PEM file of makers of authenticators whose word about a passkey counts; `nil` for none.
    package var attestationRoots: String?
    /// Whether `X-Forwarded-For` is to be believed: only when every request comes through one proxy of ours.
    package var trustsProxy = false
    /// Connections open at once from one address, unless a proxy is trusted: then all are the proxy's.
    package var connectionsPerAddress = Limits.connectionsPerAddress
    /// Connections open at once beside those of live updates.
    package var connections = Limits.connections
    /// Live-update streams open at once.
    package var liveUpdates = Limits.streams
    /// Whether verifiers may have this server look up other organisations and their status lists.
    package var looksUp = true
    /// Whether webhooks of services may lead to private addresses, and by plain http.
    package var allowsPrivateAddresses = false
    /// How e-mail leaves; `nil` for none.
    package var mail: MailSettings?
    /// How SMS leave; `nil` for none.
    package var sms: SMSSettings?
    /// How long what is over is kept.
    package var keepDays = KeepDays()

    /// Days that something is kept after it is over, or, of a cancelled request's note, after it was cancelled.
    package struct KeepDays: Sendable, Equatable {
        /// The range: from a day, so that a second look still finds it, to ten years.
        package static let allowed: ClosedRange<Int64> = 1...3_650

        /// Invitations.
        package var invitations: Int64 = 30
        /// Face-to-face checks.
        package var checks: Int64 = 30
        /// Rows of shared links; what they show goes at once.
        package var links: Int64 = 30
        /// Note and reason of a cancelled request.
        package var requestNotes: Int64 = 180
    }

    /// The paths of the two files that TLS needs.
    package struct TLSFiles: Sendable, Equatable {
        /// The server's certificate and those that lead to a root, PEM, leaf first.
        package var certificate: String
        /// The private key, PEM.
        package var key: String
    }

    /// Where e-mail goes, and from whom.
    package struct MailSettings: Sendable, Equatable {
        /// A mail server or a folder.
        package var place: MailPlace
        /// The sender's address.
        package var sender: String
        /// A file with the user and password of the mail server, if it wants one.
        package var credentials: String?
    }

    /// Where SMS go, and how many.
    package struct SMSSettings: Sendable, Equatable {
        /// A gateway or a folder.
        package var place: SMSPlace
        /// A file with the gateway's token, or user and password, if it wants one.
        package var credentials: String?
        /// The beginnings of numbers that get SMS.
        package var prefixes = PhonePrefixes.all
        /// Messages in an hour, of all accounts together.
        package var perHour = Limits.smsPerHour
    }

    /// A part of a bucket, and where the key to it is.
    package struct ObjectStore: Sendable, Equatable {
        /// The bucket.
        package var place: S3Place
        /// Where the access key is: never in a setting.
        package var credentials: S3Credentials.Source
    }

    /// How a log line looks.
    package enum LogFormat: String, Sendable, CaseIterable {
        /// For people.
        case text
        /// For machines: one JSON object a line.
        case json
    }

    /// Connections open at once; further ones wait in the listen queue.
    package var allConnections: Int { connections + liveUpdates }

    /// The defaults.
    package init() {}

    /// The public URL when none was given: this machine only.
    ///
    /// - Parameter port: the port that is really listened on.
    package func defaultPublicURL(port: Int) -> String {
        let (scheme, usual) = tls == nil ? ("http", 80) : ("https", 443)
        return "\(scheme)://localhost" + (port == usual ? "" : ":\(port)")
    }
}

/// Everything that is wrong with a configuration, so that it can be put right in one go.
package struct ConfigurationMistakes: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line each, naming the setting by the spelling of the place where it was found.
    package let list: [String]
    /// All lines.
    package var description: String { list.joined(separator: "\n") }
}
