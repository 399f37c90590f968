import Encodings
import Logging
import Storage

extension ServerConfiguration {
    /// What can be set, as flags spell it.
    ///
    /// `COUNTERSIGN_PUBLIC_URL` and the file's `public_url` are the same.
    package enum Setting: String, CaseIterable, Sendable {
        case host
        case port
        case dataDirectory = "data-directory"
        case database
        case blobs
        case s3Endpoint = "s3-endpoint"
        case s3Region = "s3-region"
        case s3Addressing = "s3-addressing"
        case s3Credentials = "s3-credentials"
        case publicURL = "public-url"
        case tlsCertificate = "tls-certificate"
        case tlsKey = "tls-key"
        case logLevel = "log-level"
        case logFormat = "log-format"
        case logAssets = "log-assets"
        case trustProxy = "trust-proxy"
        case connectionsPerAddress = "connections-per-address"
        case connections
        case liveUpdates = "live-updates"
        case lookups
        case privateAddresses = "private-addresses"
        case mail
        case mailFrom = "mail-from"
        case mailCredentials = "mail-credentials"
        case sms
        case smsCredentials = "sms-credentials"
        case smsPrefixes = "sms-prefixes"
        case smsPerHour = "sms-per-hour"
        case attestationRoots = "attestation-roots"
        case keepInvitations = "keep-invitations"
        case keepChecks = "keep-checks"
        case keepLinks = "keep-links"
        case keepRequestNotes = "keep-request-notes"

        var fileName: String { rawValue.replacing("-", with: "_") }
        var environmentName: String { "COUNTERSIGN_" + fileName.uppercased() }
    }

    /// Reads the configuration: flags before environment before file before defaults.
    ///
    /// - Parameters:
    ///   - flags: by their names without the leading hyphens.
    ///   - environment: the whole environment; only `COUNTERSIGN_` names are looked at, and whether an access key of an
    ///     object store is there. All of these are the program's. One that is not a setting is a mistake, because a
    ///     mistyped setting would be ignored in silence. Those that begin with `COUNTERSIGN_WALLET`,
    ///     `COUNTERSIGN_PASSPHRASE_FILE`, and `COUNTERSIGN_CONFIG`, which names the file, are for other commands.
    ///   - file: see `members(ofFile:)`.
    /// - Returns: the configuration, or every mistake in all three places.
    package static func read(
        flags: [String: String], environment: [String: String], file: [String: String]?
    ) -> Result<ServerConfiguration, ConfigurationMistakes> {
        var reader = ConfigurationReader()
        reader.collect(file ?? [:], from: "file") { name in Setting.allCases.first { $0.fileName == name } }
        let ours = environment.filter { name, _ in
            name.hasPrefix("COUNTERSIGN_") && !name.hasPrefix("COUNTERSIGN_WALLET")
                && !["COUNTERSIGN_CONFIG", "COUNTERSIGN_PASSPHRASE_FILE"].contains(name)
        }
        reader.collect(ours, from: "environment") { name in Setting.allCases.first { $0.environmentName == name } }
        reader.collect(flags, from: "flag") { Setting(rawValue: $0) }
        var configuration = reader.configuration()
        configuration.objectStore = reader.objectStore(hasKey: S3Credentials(environment: environment) != nil)
        return reader.mistakes.isEmpty
            ? .success(configuration) : .failure(ConfigurationMistakes(list: reader.mistakes))
    }
}

/// Collects values and mistakes.
private struct ConfigurationReader {
    typealias Setting = ServerConfiguration.Setting
    /// The value of each setting, and its name in the place where it was found.
    private var values: [Setting: (text: String, name: String)] = [:]
    var mistakes: [String] = []

    mutating func collect(_ found: [String: String], from place: String, setting: (String) -> Setting?) {
        for (name, text) in found.sorted(by: { $0.key < $1.key }) {
            if let setting = setting(name) {
                values[setting] = (text, "\(place) '\(name)'")
            } else {
                mistakes.append("\(place) '\(name)': there is no such setting")
            }
        }
    }

    mutating func configuration() -> ServerConfiguration {
        var result = ServerConfiguration()
        set(.host, &result.host, "must not be empty") { $0.isEmpty ? nil : $0 }
        set(.port, &result.port, "must be a whole number from 0 to 65535") { text in
            parseDecimal(Bytes(text: text)).flatMap { $0 <= 65_535 ? Int($0) : nil }
        }
        set(.dataDirectory, &result.dataDirectory, "must not be empty") { $0.isEmpty ? nil : $0 }
        set(.database, &result.database, "must begin with postgres:// and hold no password: libpq reads ~/.pgpass") {
            Self.isDatabase($0)
        }
        set(.logLevel, &result.logLevel, Self.oneOf(Logger.Level.allCases.map(\.rawValue))) {
            Logger.Level(rawValue: $0)
        }
        set(.logFormat, &result.logFormat, Self.oneOf(ServerConfiguration.LogFormat.allCases.map(\.rawValue))) {
            ServerConfiguration.LogFormat(rawValue: $0)
        }
        set(.logAssets, &result.logsAssets, "must be true or false") { Bool($0) }
        set(.attestationRoots, &result.attestationRoots, "must not be empty") { !$0.isEmpty }
        set(.trustProxy, &result.trustsProxy, "must be true or false") { Bool($0) }
        setCount(.connectionsPerAddress, &result.connectionsPerAddress, Limits.connections)
        setCount(.connections, &result.connections, Limits.mostConnections)
        setCount(.liveUpdates, &result.liveUpdates, Limits.mostStreams)
        set(.lookups, &result.looksUp, "must be true or false") { Bool($0) }
        set(.privateAddresses, &result.allowsPrivateAddresses, "must be true or false") { Bool($0) }
        setDays(.keepInvitations, &result.keepDays.invitations)
        setDays(.keepChecks, &result.keepDays.checks)
        setDays(.keepLinks, &result.keepDays.links)
        setDays(.keepRequestNotes, &result.keepDays.requestNotes)
        readPublicURL(&result)
        readTLS(&result)
        result.mail = mailSettings()
        result.sms = smsSettings()
        return result
    }

    /// A password in it would be in the list of processes for everybody on the machine.
    private static func isDatabase(_ text: String) -> Bool {
        guard let start = ["postgres://", "postgresql://"].first(where: text.hasPrefix) else { return false }
        let rest = text.dropFirst(start.count)
        let user = rest.prefix { $0 != "/" && $0 != "?" }.split(separator: "@", omittingEmptySubsequences: false)
        return !rest.isEmpty && !(user.count > 1 && user[0].contains(":")) && !rest.contains("password=")
    }

    private static func oneOf(_ names: [String]) -> String { "must be one of " + names.joined(separator: ", ") }

    private mutating func set<Value>(
        _ setting: Setting, _ target: inout Value, _ rule: String, _ parse: (String) -> Value?
    ) {
        if let parsed = read(setting, rule, parse) { target = parsed }
    }

    private mutating func setCount(_ setting: Setting, _ target: inout Int, _ most: Int) {
        set(setting, &target, "must be a whole number from 1 to \(most)") { text in
            parseDecimal(Bytes(text: text)).flatMap { (1...UInt64(most)).contains($0) ? Int($0) : nil }
        }
    }

    private mutating func setDays(_ setting: Setting, _ target: inout Int64) {
        let allowed = ServerConfiguration.KeepDays.allowed
        set(
            setting, &target, "must be a whole number of days from \(allowed.lowerBound) to \(allowed.upperBound)"
        ) { text in
            parseDecimal(Bytes(text: text)).flatMap { Int64(exactly: $0) }.flatMap { allowed.contains($0) ? $0 : nil }
        }
    }

    private mutating func read<Value>(_ setting: Setting, _ rule: String, _ parse: (String) -> Value?) -> Value? {
        guard let value = values[setting] else { return nil }
        let parsed = parse(value.text)
        if parsed == nil { mistakes.append("\(value.name): \(rule)") }
        return parsed
    }

    /// For text that may be missing, but not be anything.
    private mutating func set(
        _ setting: Setting, _ target: inout String?, _ rule: String, isAllowed: (String) -> Bool
    ) {
        guard let value = values[setting] else { return }
        if isAllowed(value.text) { target = value.text } else { mistakes.append("\(value.name): \(rule)") }
    }

    private mutating func readPublicURL(_ result: inout ServerConfiguration) {
        guard let value = values[.publicURL] else { return }
        do {
            result.publicURL = try PublicURL(value.text)
        } catch {
            mistakes.append("\(value.name): \(error.explanation)")
        }
    }

    /// - Parameter hasKey: whether the environment has an access key.
    mutating func objectStore(hasKey: Bool) -> ServerConfiguration.ObjectStore? {
        var endpoint: S3Endpoint?
        var region = S3Place.defaultRegion
        var credentials: String?
        let bucket = read(.blobs, "must be s3://BUCKET or s3://BUCKET/PREFIX of small letters, digits and hyphens") {
            S3BucketName($0)
        }
        set(.s3Region, &region, "must be small letters, digits and hyphens") { S3Place.isRegion($0) ? $0 : nil }
        let addressing = read(.s3Addressing, Self.oneOf(S3Place.Addressing.allCases.map(\.rawValue))) {
            S3Place.Addressing(rawValue: $0)
        }
        set(.s3Credentials, &credentials, "must not be empty") { !$0.isEmpty }
        if let value = values[.s3Endpoint] {
            do {
                endpoint = try S3Endpoint(value.text)
            } catch {
                mistakes.append("\(value.name): \(error.explanation)")
            }
        }
        guard let blobs = values[.blobs] else {
            for setting in [Setting.s3Endpoint, .s3Region, .s3Addressing, .s3Credentials] {
                if let value = values[setting] { mistakes.append("\(value.name): needs 'blobs' as well") }
            }
            return nil
        }
        if values[.s3Credentials] == nil, !hasKey {
            mistakes.append(
                "\(blobs.name): needs an access key: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or a "
                    + "file named by 's3-credentials'")
        }
        return bucket.map { bucket in
            ServerConfiguration.ObjectStore(
                place: S3Place(bucket, endpoint: endpoint, region: region, addressing: addressing),
                credentials: credentials.map { .file($0) } ?? .environment)
        }
    }

    private mutating func mailSettings() -> ServerConfiguration.MailSettings? {
        var credentials: String?
        let place = read(.mail, "must be smtps://HOST, smtp://HOST or folder:/PATH, with no user or password in it") {
            MailPlace($0)
        }
        let sender = read(.mailFrom, "must be an e-mail address") { EmailAddress($0)?.text }
        set(.mailCredentials, &credentials, "must not be empty") { !$0.isEmpty }
        guard let mail = values[.mail] else {
            for setting in [Setting.mailFrom, .mailCredentials] {
                if let value = values[setting] { mistakes.append("\(value.name): needs 'mail' as well") }
            }
            return nil
        }
        if values[.mailFrom] == nil { mistakes.append("\(mail.name): needs 'mail-from' as well") }
        guard let place, let sender else { return nil }
        return ServerConfiguration.MailSettings(place: place, sender: sender, credentials: credentials)
    }

    private mutating func smsSettings() -> ServerConfiguration.SMSSettings? {
        let rule = "must be https://HOST/PATH, http:// with this machine, or folder:/PATH, with no password in it"
        let place = read(.sms, rule) { SMSPlace($0) }
        var (credentials, perHour) = (String?.none, Limits.smsPerHour)
        set(.smsCredentials, &credentials, "must not be empty") { !$0.isEmpty }
        setCount(.smsPerHour, &perHour, Limits.mostSMSPerHour)
        let prefixes = read(.smsPrefixes, "must be beginnings of phone numbers such as +49 +43") { PhonePrefixes($0) }
        guard values[.sms] != nil else {
            for setting in [Setting.smsCredentials, .smsPrefixes, .smsPerHour] {
                if let value = values[setting] { mistakes.append("\(value.name): needs 'sms' as well") }
            }
            return nil
        }
        return place.map {
            ServerConfiguration.SMSSettings(
                place: $0, credentials: credentials, prefixes: prefixes ?? .all, perHour: perHour)
        }
    }

    private mutating func readTLS(_ result: inout ServerConfiguration) {
        let (certificate, key) = (values[.tlsCertificate], values[.tlsKey])
        for value in [certificate, key] where value?.text.isEmpty ?? false {
            mistakes.append("\(value?.name ?? ""): must not be empty")
        }
        switch (certificate, key) {
        case (nil, nil): break
        case (let certificate?, let key?): result.tls = .init(certificate: certificate.text, key: key.text)
        case (let certificate?, nil): mistakes.append("\(certificate.name): needs 'tls-key' as well")
        case (nil, let key?): mistakes.append("\(key.name): needs 'tls-certificate' as well")
        }
    }
}

extension S3Endpoint.Mistake {
    fileprivate var explanation: String {
        switch self {
        case .form: "must be https://HOST or https://HOST:PORT and nothing more"
        case .insecure: "must be https, or an address of this machine"
        }
    }
}

extension PublicURL.Mistake {
    fileprivate var explanation: String {
        switch self {
        case .scheme: "must begin with https:// (or with http:// for localhost)"
        case .insecure: "must be https beyond localhost"
        case .afterHost: "must end after host and port: no path, query, fragment or user, not even a last slash"
        case .host: "must name a host in small letters: passkeys need a name, so an IP address cannot be used"
        case .port: "has a port that is not a number from 1 to 65535"
        case .defaultPort: "names the port that its scheme has anyway: leave it out"
        }
    }
}
