import Certificates
package import CryptoProvider
import Encodings
package import Interface
import Transparency

/// Where a new wallet goes, and what it insists on.
package struct NewWallet: Sendable {
    /// The file.
    package var path: String
    /// The server's address.
    package var server: String
    /// The address that a proxy would name; see `ServerClient`.
    package var forwardedFor: String?
    /// What the person calls this device.
    package var deviceName: String
    /// The root's fingerprint, when the person was given it another way.
    package var rootFingerprint: String?
    /// What Argon2id costs.
    package var derivation: Argon2Parameters
    /// Other than the standard only in tests.
    package var limits: Argon2Limits
    /// The clock, in seconds since 1970.
    package var now: @Sendable () -> Int64

    /// A wallet at `path` for an account at `server`.
    package init(
        path: String, server: String, deviceName: String, rootFingerprint: String? = nil,
        derivation: Argon2Parameters = .recommended, limits: Argon2Limits = .standard,
        now: @escaping @Sendable () -> Int64 = systemTime
    ) {
        self.path = path
        self.server = server
        self.deviceName = deviceName
        self.rootFingerprint = rootFingerprint
        self.derivation = derivation
        self.limits = limits
        self.now = now
    }

    var client: ServerClient {
        get throws { ServerClient(address: try ServerAddress(server), forwardedFor: forwardedFor) }
    }
}

/// A person who wants an account.
package struct NewPerson: Sendable {
    /// A username or e-mail address.
    package var username: String
    /// Their name.
    package var name: String
    /// Their name in its parts, where these are known.
    package var parts: PersonName?
    /// Opens the wallet, and with the device's proof the account.
    package var passphrase: String

    /// A person by these names.
    package init(username: String, name: String, parts: PersonName? = nil, passphrase: String) {
        // The server has one spelling, and statements name the same.
        self.username = username.lowercased()
        self.name = name
        self.parts = parts
        self.passphrase = passphrase
    }
}

/// A wallet that has its account: unlocked, signed in, with the root pinned.
package struct JoinedWallet: Sendable {
    /// The wallet.
    package let client: WalletClient
    /// The account.
    package let account: Account
    /// The pinned trust: to be shown, and compared with what the organisation published.
    package let rootFingerprint: String
    /// The acts that were logged, verified; none while too few witnesses sign.
    package let acts: [LoggedAct]
}

extension WalletClient {
    /// The main administrator's first act: the organisation gets its name, its root and its main administrator.
    package static func setUp(
        _ place: NewWallet, code: String, organisation: String, _ person: NewPerson
    ) async throws -> JoinedWallet {
        let server = try place.client
        let before = try await server.organisation()
        if before.isSetUp, let left = try await unfinished(place, person, server) {
            let trust = try PinnedTrust(before, fingerprint: place.rootFingerprint)
            if let joined = try await left.resume(before, trust, asOwner: true) { return joined }
        }
        let client = try await begin(place, person, server: server, publicURL: before.publicURL, isAdministrator: true)
        let draft = await client.wallet
        let authority = try draft.authorityKey()
        let request = SetUpRequest(
            code: code, organisation: organisation, username: person.username,
            name: person.name, parts: person.parts, passphrase: person.passphrase,
            device: try registration(draft, place, person), authorityKey: authority.publicKey.x963.base64URL,
            authorityProof: try authority.signJWS(
                type: "\(Statement.authorityType)",
                payload: Statement.authority(
                    audience: before.publicURL, username: person.username, time: place.now())))
        guard let result = try await client.asking({ try await server.setUp(request) }) else {
            throw WalletError.unexpectedAnswer("an organisation is set up before it has witnesses")
        }
        let trust = try PinnedTrust(result.organisation, fingerprint: place.rootFingerprint)
        guard result.organisation.publicURL == before.publicURL, result.organisation.logKey == before.logKey else {
            throw WalletError.logKeyDiffers
        }
        return try await client.finish(result, trust, organisation: result.organisation, act: "organisation.created")
    }

    /// A new account: a member's, or with an invitation's code the one that it is for.
    package static func signUp(
        _ place: NewWallet, _ person: NewPerson, invitation: String? = nil
    ) async throws -> JoinedWallet {
        let server = try place.client
        let organisation = try await server.organisation()
        let trust = try PinnedTrust(organisation, fingerprint: place.rootFingerprint)
        if let left = try await unfinished(place, person, server),
            let joined = try await left.resume(organisation, trust, asOwner: false)
        {
            return joined
        }
        let client = try await begin(
            place, person, server: server, publicURL: organisation.publicURL, isAdministrator: invitation != nil)
        let request = SignUpRequest(
            username: person.username, name: person.name, parts: person.parts, passphrase: person.passphrase,
            device: try registration(await client.wallet, place, person),
            invitation: invitation)
        guard let session = try await client.asking({ try await server.signUp(request) }) else {
            return try await client.resumed(organisation, trust, asOwner: false)
        }
        return try await client.finish(session, trust, organisation: organisation)
    }

    /// Makes the keys and stores them, before the server hears of them.
    static func begin(
        _ place: NewWallet, _ person: NewPerson, server: ServerClient, publicURL: String, isAdministrator: Bool
    ) async throws -> WalletClient {
        guard server.address.isLoopback || publicURL == server.address.text else {
            throw WalletError.publicURLDiffers(publicURL)
        }
        let file = WalletFile(path: place.path, limits: place.limits)
        if let header = try? file.header(), header.account.isEmpty {
            // Left behind by an attempt that cannot be resumed. The server may know its keys, so they are kept.
            try AtomicFile.setAside(file.path, time: place.now())
        }
        let header = WalletHeader(
            server: server.address.text, publicURL: publicURL, username: person.username, account: "", device: "",
            derivation: KeyDerivation(parameters: place.derivation, salt: RandomBytes.make(16)))
        let secrets = WalletSecrets(
            signingKey: try SigningKey().rawRepresentation.base64URL,
            encryptionKey: try EncryptionKey().rawRepresentation.base64URL,
            authorityKey: isAdministrator ? try SigningKey().rawRepresentation.base64URL : nil, organisation: "",
            root: "", logKey: "", checkpoint: nil, holders: [])
        let draft = try await file.create(header: header, secrets: secrets, passphrase: person.passphrase)
        return WalletClient(wallet: draft, server: server, now: place.now)
    }

    static func registration(
        _ draft: UnlockedWallet, _ place: NewWallet, _ person: NewPerson
    ) throws -> DeviceRegistration {
        let signing = try draft.signingKey()
        let encryption = try draft.encryptionKey().publicKey
        let proof = try signing.signJWS(
            type: "\(Statement.deviceType)",
            payload: Statement.device(
                audience: draft.header.publicURL, username: person.username, encryptionKey: encryption,
                time: place.now()))
        return DeviceRegistration(
            name: place.deviceName, signingKey: signing.publicKey.x963.base64URL,
            encryptionKey: encryption.x963.base64URL, proof: proof)
    }

    /// Finishes the main administrator's wallet.
    ///
    /// - Parameter act: the type of the logged act that made them the main administrator.
    func finish(
        _ result: SetUpResult, _ trust: PinnedTrust, organisation: Organisation, act type: String
    ) async throws -> JoinedWallet {
        let certificate = result.certificate.fromBase64URL ?? []
        try expectAuthority(certificate, root: trust)
        let members: [(StaticString, JSON)] =
            type == "certificate.renewed" ? [("certificate", .text(SHA256.hash(certificate).base64URL))] : []
        let verified = try trust.verify(result.receipt, type: type, members: members)
        let act = LoggedAct(
            type: type, index: Int64(verified.index), time: verified.entry.time, receipt: result.receipt.proof)
        let joined = try await finish(result.session, trust, organisation: organisation)
        return JoinedWallet(
            client: self, account: joined.account, rootFingerprint: trust.fingerprint, acts: [act] + joined.acts)
    }

    func finish(
        _ session: NewSession, _ trust: PinnedTrust, organisation: Organisation
    ) async throws -> JoinedWallet {
        guard let device = session.device else { throw WalletError.unexpectedAnswer("no device") }
        try wallet.update { header, secrets in
            header.username = session.account.username
            header.account = session.account.id
            header.device = device.id
            secrets.organisation = trust.root.organisation.text
            secrets.root = trust.root.certificate.der.base64URL
            secrets.logKey = organisation.logKey
        }
        try follow(organisation)
        try wallet.file.session.write(SessionToken(session.token))
        let act = try await enrolment(session.receipt)
        return JoinedWallet(
            client: self, account: session.account, rootFingerprint: trust.fingerprint, acts: act.map { [$0] } ?? [])
    }
}
