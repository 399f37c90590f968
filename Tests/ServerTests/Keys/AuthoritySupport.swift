import Certificates
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

extension TestOrganisation {
    /// Asks for a certificate of the same key, or another; the parameters are what attacks change.
    func renewal(
        _ owner: TestPerson, to key: SigningKey? = nil, by: SigningKey? = nil,
        previous: String? = nil, isPossessed: Bool = true
    ) async throws -> AuthorityRenewal {
        let certified = by ?? owner.authority
        let next = key ?? owner.authority
        let inUse = try await stored().owner.fingerprint.base64URL
        let statement = Statement.renewal(
            audience: Self.url, username: owner.username,
            previous: previous ?? inUse,
            authorityKey: next.publicKey.x963.base64URL, time: clock.clock.now())
        let type = "\(Statement.renewalType)"
        return AuthorityRenewal(
            authorityKey: next.publicKey.x963.base64URL, proof: try certified.signJWS(type: type, payload: statement),
            possession: key != nil && isPossessed ? try next.signJWS(type: type, payload: statement) : nil)
    }

    /// An administrator asks for a certificate.
    func ask(_ person: TestPerson, _ joined: NewSession, _ client: TestClient) async throws -> TestClient.Answer {
        try await client.send(
            .post, "/api/delegations",
            DelegationRequest(
                authorityKey: person.authority.publicKey.x963.base64URL,
                proof: try person.authority.signJWS(
                    type: "\(Statement.authorityType)",
                    payload: Statement.authority(
                        audience: Self.url, username: person.username, time: clock.clock.now()))),
            token: joined.token)
    }

    /// An administrator asks, and the main administrator's key certifies theirs.
    func certify(
        _ person: TestPerson, _ joined: NewSession, by authority: SigningKey, _ owner: NewSession,
        _ client: TestClient
    ) async throws {
        let now = clock.clock.now()
        let asked = try await ask(person, joined, client).decode(Delegation.self)
        let place = try #require(asked.status)
        var random = RandomSource.system
        let certificate = try CertificateIssuer.administrator(
            name: "Registrar", key: person.authority.publicKey, capabilities: [.identifyMembers, .signDocuments],
            status: Certificates.StatusReference(uri: Bytes(text: place.uri), index: place.index),
            issuer: IssuingAuthority(key: authority, certificate: try await stored().owner.der),
            notBefore: now, random: &random)
        _ = try await client.send(
            .post, "/api/delegations/\(asked.id)/certificate",
            Certification(certificate: certificate.base64URL, capabilities: Capability.allCases), token: owner.token
        ).decode(Acknowledgement.self)
    }

    /// Looks at everything that a recovery must have revoked.
    func revokedCertificates() async throws -> Set<Int64> {
        Set(
            try await server.environment.database.read { transaction in
                try StatusStore(transaction: transaction).revocations(list: 1).map(\.position)
            })
    }

    /// The place of a certificate in the status list.
    func position(_ certificate: Certificate) throws -> Int64 {
        try #require(server.environment.statusLists.place(of: certificate)).position
    }
}

extension TestPerson {
    /// The main administrator asks for their account back, with these keys.
    func recovery(code: String) throws -> OwnerRecovery {
        OwnerRecovery(
            code: code, username: username, passphrase: "a new passphrase for her",
            device: try registration(), authorityKey: authority.publicKey.x963.base64URL,
            authorityProof: try authority.signJWS(
                type: "\(Statement.authorityType)",
                payload: Statement.authority(
                    audience: TestOrganisation.url, username: username, time: clock.clock.now())))
    }
}
