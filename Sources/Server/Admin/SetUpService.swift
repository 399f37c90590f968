import Certificates
import CryptoProvider
import Encodings
import Interface
import Storage

/// The first act: the organisation gets its name, its root, its main administrator and its own signers.
struct SetUpService {
    let environment: Environment

    func setUp(_ request: SetUpRequest) async throws -> SetUpResult {
        guard HumanCode.matches(request.code, environment.setUpCode) else { throw AccountError.wrongSetUpCode }
        let organisation = try AccountRules.organisation(request.organisation)
        let username = try AccountRules.username(request.username)
        let parts = try request.parts.map(AccountRules.name)
        let name = try parts?.whole ?? AccountRules.name(request.name ?? username)
        let deviceName = try AccountRules.name(request.device.name)
        let passphrase = try request.passphrase.map(AccountRules.passphrase)
        guard passphrase != nil || request.passkey != nil else { throw AccountError.noWayToSignIn }
        let now = environment.now()
        let proof = DeviceProof(suite: environment.suite, publicURL: environment.publicURL)
        _ = try proof.verify(request.device, username: username, now: now)
        let authority = try proof.verifyAuthority(
            request.authorityKey, proof: request.authorityProof, username: username, now: now)
        let passkey = try await environment.prove(request.passkey, username: username, now: now)
        let hash = try await environment.hash(passphrase)
        // Its root may be away: no other is made in its place.
        guard try await environment.storedOrganisation() == nil else { throw AccountError.alreadySetUp }
        var account = environment.newAccount(username: username, name: name, role: .owner, now: now)
        account.parts = parts
        let device = environment.newDevice(request.device, name: deviceName, now: now)
        let (session, deviceIndex, index, issued) = try await environment.database.write { [account] transaction in
            let store = OrganisationStore(transaction: transaction)
            guard try store.find() == nil else { throw AccountError.alreadySetUp }
            let place = try environment.statusLists.reserve(isCertificate: true, in: transaction)
            let issued = try issueCertificates(
                organisation: organisation, owner: name, authority: authority,
                status: environment.statusLists.place(place), now: now)
            try store.insert(issued)
            let index = try environment.log.record(
                TrustEvent(
                    .organisationCreated, account: account.id,
                    [
                        // The certificates have only the beginning of a long one.
                        ("name", .text(organisation)), ("owner", .text(issued.ownerCertificate)),
                        ("root", .text(issued.rootCertificate)),
                    ]),
                in: transaction, now: now)
            let (session, deviceIndex) = try environment.register(
                account, passphraseHash: hash, passkey: passkey, device: device, in: transaction, now: now)
            return (session, deviceIndex, index, issued)
        }
        return SetUpResult(
            session: try await environment.withReceipt(session, deviceIndex),
            organisation: try await describe(), certificate: issued.ownerCertificate,
            receipt: try await environment.log.receipt(index))
    }

    /// What the server says about itself to anybody.
    func describe() async throws -> Organisation {
        let stored = try await environment.storedOrganisation()
        let policy = try await LogPolicyService(environment: environment).current()
        let root = stored.flatMap { Base64.decode(Bytes(text: $0.rootCertificate), .url) }
        return Organisation(
            name: stored?.name ?? "", publicURL: environment.publicURL, isSetUp: stored != nil,
            rootCertificate: root.map { String(decoding: PEM.encode($0), as: UTF8.self) } ?? "",
            rootFingerprint: root.map { String(decoding: Hex.encode(environment.suite.sha256($0)), as: UTF8.self) }
                ?? "",
            logKey: environment.log.verifierKey(named: policy?.policy), logPolicy: policy)
    }

    private func issueCertificates(
        organisation: String, owner: String, authority: P256PublicKey, status place: Certificates.StatusReference,
        now: Int64
    ) throws -> OrganisationStore.Stored {
        var random = environment.random
        let key = try environment.keys.root.make(random: environment.random)
        let root = try CertificateIssuer.root(
            organisation: organisation, publicURL: environment.publicURL, key: key, notBefore: now, random: &random)
        let authorityOfRoot = try IssuingAuthority(key: key, certificate: root)
        let main = try CertificateIssuer.mainAdministrator(
            name: owner, key: authority, status: place, issuer: authorityOfRoot, notBefore: now, random: &random)
        var certificates = [RootCertificateKind.mainAdministrator: main.base64URL]
        for (kind, key) in environment.keys.certified {
            certificates[kind] =
                try kind.certificate(for: key, by: authorityOfRoot, notBefore: now, random: &random).base64URL
        }
        return OrganisationStore.Stored(
            name: organisation, publicURL: environment.publicURL, rootCertificate: root.base64URL,
            certificates: certificates, created: now)
    }
}
