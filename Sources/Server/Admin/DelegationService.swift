import Certificates
import CryptoProvider
import Encodings
import Interface
import Storage

/// The main administrator delegates: an administrator's authority key gets a certificate, and may lose it.
struct DelegationService {
    let environment: Environment

    /// An administrator's wallet asks to be certified.
    ///
    /// Its place in the status list is taken at once, because the certificate will name it.
    func request(_ request: DelegationRequest, _ principal: Principal) async throws -> Delegation {
        let now = environment.now()
        let place = environment.statusLists
        let proof = DeviceProof(suite: environment.suite, publicURL: environment.publicURL)
        let delegation = try await environment.database.write { transaction in
            guard let account = try AccountStore(transaction: transaction).find(id: principal.account) else {
                throw DelegationError.notFound
            }
            do {
                _ = try proof.verifyAuthority(
                    request.authorityKey, proof: request.proof, username: account.username, now: now)
            } catch is AccountError {
                throw DelegationError.invalidKey
            }
            let store = DelegationStore(transaction: transaction)
            let own = try store.list(account: account.id)
            // A certificate that ends is renewed for the same key; a key that was revoked never comes back.
            guard !own.contains(where: { $0.authorityKey == request.authorityKey && $0.state != .certified }),
                own.count < Limits.delegationsPerAccount
            else { throw DelegationError.wrongState }
            let stored = DelegationStore.Stored(
                id: environment.newIdentifier(), account: account.id, authorityKey: request.authorityKey,
                state: .pending, capabilities: [], certificate: "",
                status: try place.reserve(isCertificate: true, in: transaction), created: now)
            try store.insert(stored)
            return try environment.describe(stored, in: transaction)
        }
        environment.publish(LiveEvent(.delegation, id: delegation.id, state: "pending"), to: nil)
        return delegation
    }

    /// An administrator's own certifications, or, for the main administrator, everybody's.
    func list(
        _ principal: Principal, _ part: DelegationListStore.Part, _ request: ListRequest
    ) async throws -> Listing<Delegation> {
        let account = principal.role.may(.delegate) ? nil : principal.account
        return try await environment.database.read { transaction in
            let store = DelegationListStore(transaction: transaction)
            let (rows, next) = try store.page(account: account, part, request)
            let people = try AccountStore(transaction: transaction).find(ids: rows.map(\.account))
            return Listing(
                try rows.map { stored in
                    guard let account = people[stored.account] else { throw DelegationError.notFound }
                    return environment.describe(stored, of: account)
                },
                next: next?.text,
                counts: request.cursor == nil ? try store.counts(account: account, request.words) : nil)
        }
    }

    /// Takes the certificate that the main administrator's wallet signed, if it is exactly what it should be.
    func certify(_ id: String, _ request: Certification) async throws -> Acknowledgement {
        let now = environment.now()
        let index = try await environment.database.write { transaction in
            let store = DelegationStore(transaction: transaction)
            guard let organisation = try OrganisationStore(transaction: transaction).find() else {
                throw AccountError.notSetUp
            }
            guard var delegation = try store.find(id: id) else { throw DelegationError.notFound }
            guard delegation.state == .pending else { throw DelegationError.wrongState }
            try check(request, for: delegation, organisation: organisation, now: now)
            delegation.state = .certified
            delegation.capabilities = request.capabilities
            delegation.certificate = request.certificate
            delegation.issuer = organisation.ownerCertificate
            try store.update(delegation)
            return try environment.log.record(
                TrustEvent(
                    .administratorDelegated, account: delegation.account,
                    [
                        ("capabilities", .array(request.capabilities.map { .text($0.rawValue) })),
                        ("certificate", .text(environment.digest(ofBase64URL: request.certificate))),
                    ]),
                in: transaction, now: now)
        }
        environment.publish(LiveEvent(.delegation, id: id, state: "certified"), to: nil)
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    /// Rejects a request for a certificate: it is gone, and the administrator may ask again.
    func reject(_ id: String) async throws {
        try await environment.database.write { transaction in
            let store = DelegationStore(transaction: transaction)
            guard try store.find(id: id) != nil else { throw DelegationError.notFound }
            guard try store.deletePending(id: id) else { throw DelegationError.wrongState }
        }
        environment.publish(LiveEvent(.delegation, id: id, state: "rejected"), to: nil)
    }

    /// Revokes a certificate for ever.
    ///
    /// Documents logged before stay valid.
    func revoke(_ id: String, _ reason: Reason) async throws -> Acknowledgement {
        let reason = try DocumentRules.reason(reason.reason)
        let now = environment.now()
        let (index, account) = try await environment.database.write { transaction in
            let store = DelegationStore(transaction: transaction)
            guard let delegation = try store.find(id: id) else { throw DelegationError.notFound }
            guard delegation.state == .certified else { throw DelegationError.wrongState }
            let index = try environment.revoke(delegation, reason: reason, in: transaction, now: now)
            return (index, delegation.account)
        }
        environment.events.end(account: account)
        environment.publish(LiveEvent(.delegation, id: id, state: "revoked"), to: nil)
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    private func check(
        _ request: Certification, for delegation: DelegationStore.Stored, organisation: OrganisationStore.Stored,
        now: Int64
    ) throws {
        guard let leaf = Base64.decode(Bytes(text: request.certificate), .url),
            let main = Base64.decode(Bytes(text: organisation.ownerCertificate), .url),
            let root = Base64.decode(Bytes(text: organisation.rootCertificate), .url),
            !request.capabilities.isEmpty
        else { throw DelegationError.invalidCertificate }
        do {
            let certificate = try Certificate.parse(leaf)
            let intermediate = try Certificate.parse(main)
            let anchor = try TrustAnchor(der: root)
            for capability in request.capabilities {
                let path = try CertificatePath.validate(
                    leaf: certificate, intermediates: [intermediate], root: anchor, purpose: capability.purpose,
                    at: now, suite: environment.suite)
                guard path.publicKey == DeviceProof.key(delegation.authorityKey),
                    path.capabilities == Capabilities(request.capabilities),
                    let status = path.statusReference, status.index == Int(delegation.status.position),
                    status.uri == Bytes(text: environment.statusLists.uri(delegation.status.list))
                else { throw DelegationError.invalidCertificate }
            }
        } catch is CertificateError {
            throw DelegationError.invalidCertificate
        }
    }
}

extension Capability {
    /// The purpose that a certificate must have for this capability.
    var purpose: CertificatePurpose {
        switch self {
        case .identifyMembers: .identity
        case .signDocuments: .documents
        }
    }
}

extension Capabilities {
    init(_ capabilities: [Capability]) {
        self = capabilities.reduce(into: []) { set, capability in
            switch capability {
            case .identifyMembers: set.insert(.identifyMembers)
            case .signDocuments: set.insert(.signDocuments)
            }
        }
    }
}

extension Environment {
    func describe(_ stored: DelegationStore.Stored, in transaction: Transaction) throws -> Delegation {
        guard let account = try AccountStore(transaction: transaction).find(id: stored.account) else {
            throw DelegationError.notFound
        }
        return describe(stored, of: account)
    }

    fileprivate func describe(_ stored: DelegationStore.Stored, of account: Account) -> Delegation {
        Delegation(
            id: stored.id, account: account, authorityKey: stored.authorityKey, state: stored.state,
            capabilities: stored.capabilities,
            chain: stored.certificate.isEmpty ? [] : [stored.certificate, stored.issuer],
            status: statusLists.reference(stored.status), created: stored.created, revoked: stored.revoked)
    }

    /// Revokes a certificate for ever, ends its holder's sessions unless they have another, and enters it in the log.
    ///
    /// - Returns: the index of the log entry.
    func revoke(
        _ delegation: DelegationStore.Stored, reason: String, in transaction: Transaction, now: Int64
    ) throws -> Int64 {
        let store = DelegationStore(transaction: transaction)
        var delegation = delegation
        delegation.state = .revoked
        delegation.revoked = now
        try store.update(delegation)
        try statusLists.revoke(delegation.status, in: transaction, at: now)
        if try store.certified(account: delegation.account).isEmpty {
            try SessionStore(transaction: transaction).deleteAll(account: delegation.account)
        }
        return try log.record(
            TrustEvent(
                .administratorRevoked, account: delegation.account,
                [
                    ("certificate", .text(digest(ofBase64URL: delegation.certificate))), ("reason", .text(reason)),
                    ("status_index", .integer(delegation.status.position)),
                    ("status_uri", .text(statusLists.uri(delegation.status.list))),
                ]),
            in: transaction, now: now)
    }

    /// The certification with which an account may do now what `capability` allows.
    ///
    /// - Throws: `notCertified` when it has none, or none whose certificate is within its time.
    func certification(
        _ account: String, for capability: Capability, in transaction: Transaction, now: Int64
    ) throws -> DelegationStore.Stored {
        let valid = try DelegationStore(transaction: transaction).certified(account: account).first {
            $0.capabilities.contains(capability) && $0.isWithinItsTime(now)
        }
        guard let valid else { throw DelegationError.notCertified }
        return valid
    }

    /// Refuses an administrator who has no valid certificate: the role alone gives no power over others.
    func requireCertified(_ principal: Principal, in transaction: Transaction, now: Int64) throws {
        guard principal.role == .administrator else { return }
        let certified = try DelegationStore(transaction: transaction).certified(account: principal.account)
        guard certified.contains(where: { $0.isWithinItsTime(now) }) else { throw DelegationError.notCertified }
    }
}

extension DelegationStore.Stored {
    /// Whether the certificate is valid at this time.
    fileprivate func isWithinItsTime(_ now: Int64) -> Bool {
        guard let der = Base64.decode(Bytes(text: certificate), .url), let parsed = try? Certificate.parse(der) else {
            return false
        }
        return parsed.notBefore <= now && now <= parsed.notAfter
    }
}
