import Logging
import Storage

extension ServerConfiguration {
    /// Takes the settings that change without a stop from another configuration.
    mutating func take(from next: ServerConfiguration) {
        logLevel = next.logLevel
        connectionsPerAddress = next.connectionsPerAddress
        keepDays = next.keepDays
        // A port that speaks TLS does not stop doing so, or begin.
        if tls != nil, next.tls != nil { tls = next.tls }
    }

    /// The value of a setting, for comparison and for the log.
    func text(_ setting: Setting) -> String {
        switch setting {
        case .host: host
        case .port: "\(port)"
        case .dataDirectory: dataDirectory
        case .database: database ?? ""
        case .blobs: objectStore.map { "\($0.place.bucket)/\($0.place.prefix)" } ?? ""
        case .s3Endpoint: objectStore.map { "\($0.place.endpoint)" } ?? ""
        case .s3Region: objectStore.map { "\($0.place.region)" } ?? ""
        case .s3Addressing: objectStore.map { "\($0.place.addressing)" } ?? ""
        case .s3Credentials: objectStore.map { "\($0.credentials)" } ?? ""
        case .publicURL: publicURL?.text ?? ""
        case .tlsCertificate: tls?.certificate ?? ""
        case .tlsKey: tls?.key ?? ""
        case .logLevel: logLevel.rawValue
        case .logFormat: logFormat.rawValue
        case .logAssets: "\(logsAssets)"
        case .trustProxy: "\(trustsProxy)"
        case .connectionsPerAddress: "\(connectionsPerAddress)"
        case .connections: "\(connections)"
        case .liveUpdates: "\(liveUpdates)"
        case .lookups: "\(looksUp)"
        case .privateAddresses: "\(allowsPrivateAddresses)"
        case .mail: mail.map { "\($0.place)" } ?? ""
        case .mailFrom: mail?.sender ?? ""
        case .mailCredentials: mail?.credentials ?? ""
        case .sms: sms.map { "\($0.place)" } ?? ""
        case .smsCredentials: sms?.credentials ?? ""
        case .smsPrefixes: sms.map { "\($0.prefixes)" } ?? ""
        case .smsPerHour: sms.map { "\($0.perHour)" } ?? ""
        case .attestationRoots: attestationRoots ?? ""
        case .keepInvitations: "\(keepDays.invitations)"
        case .keepChecks: "\(keepDays.checks)"
        case .keepLinks: "\(keepDays.links)"
        case .keepRequestNotes: "\(keepDays.requestNotes)"
        }
    }
}
