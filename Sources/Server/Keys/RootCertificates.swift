import Certificates
package import CryptoProvider
import Encodings
package import Interface
import Storage

/// The certificates that only the root renews: what to ask it for, and what to take from it.
package struct RootCertificates: Sendable {
    let environment: Environment

    /// Why a certificate is not taken.
    package enum AnswerError: Error, Equatable {
        /// It is none that this organisation's root issued for a key that is in use.
        case unfit
        /// It ends no later than the one that is in use: an old answer.
        case notNewer
    }

    /// A certificate that was taken.
    package struct Renewed: Sendable {
        /// Which one.
        package let kind: RootCertificateKind
        /// Its last second, since 1970.
        package let ends: Int64
        /// The log's receipt.
        package let receipt: Interface.Receipt
    }

    /// Certificates of an open server.
    package init(of server: CountersignServer) { environment = server.environment }

    init(environment: Environment) { self.environment = environment }

    /// What the root is asked for: the same keys and names as now.
    package func request(_ kinds: [RootCertificateKind]) async throws -> RootRequest {
        let organisation = try await environment.organisation()
        return try organisation.request(kinds, now: environment.now())
    }

    /// The root as an issuer, when it is in the data directory.
    package func authority() async throws -> IssuingAuthority {
        try environment.keys.root.authority(try await environment.organisation().root.certificate.der)
    }

    /// Certifies by a root that is at hand, and takes what it made.
    package func renew(_ kinds: [RootCertificateKind], by authority: IssuingAuthority) async throws -> [Renewed] {
        try await accept(try await request(kinds).certify(by: authority, random: environment.random))
    }

    /// Takes certificates that the root made; each replaces the one that it renews.
    ///
    /// - Throws: `AnswerError`; then none is taken.
    package func accept(_ answer: RootAnswer) async throws -> [Renewed] {
        let now = environment.now()
        let taken = try await environment.database.write { transaction in
            try answer.certificates.map { der in
                let (certificate, kind) = try accept(der, in: transaction, now: now)
                return (kind, certificate.1.notAfter, certificate.0)
            }
        }
        var renewed: [Renewed] = []
        for (kind, ends, index) in taken {
            renewed.append(Renewed(kind: kind, ends: ends, receipt: try await environment.log.receipt(index)))
        }
        return renewed
    }

    /// Renews the server's own certificates that have less than `Limits.statusSignerMargin` left, if the root is here.
    ///
    /// - Returns: which were renewed.
    @discardableResult
    func renewServerKeys() async throws -> [RootCertificateKind] {
        let now = environment.now()
        guard let organisation = try await environment.storedOrganisation(),
            let root = try environment.keys.root.authorityIfHere(try organisation.root.certificate.der)
        else { return [] }
        try await certifyNewKeys(by: root)
        var renewed: [RootCertificateKind] = []
        for kind in environment.keys.certified.map(\.kind) {
            guard let current = try organisation.certificate(kind),
                current.notAfter - now < Limits.statusSignerMargin
            else { continue }
            do {
                _ = try await renew([kind], by: root)
                renewed.append(kind)
            } catch AnswerError.notNewer {
                // Another process was first, or the root itself ends by then.
            }
        }
        return renewed
    }

    /// Certifies keys of slices that came after the organisation was set up.
    private func certifyNewKeys(by root: IssuingAuthority) async throws {
        let now = environment.now()
        for (kind, key) in environment.keys.certified {
            guard try await environment.organisation().certificates[kind] == nil else { continue }
            var random = environment.random
            let certificate = try kind.certificate(for: key, by: root, notBefore: now, random: &random)
            try await environment.database.write { transaction in
                let store = OrganisationStore(transaction: transaction)
                guard try store.find()?.certificates[kind] == nil else { return }
                try store.set(kind, certificate: certificate.base64URL)
            }
        }
    }

    private func accept(
        _ der: Bytes, in transaction: Transaction, now: Int64
    ) throws -> ((Int64, Certificate), RootCertificateKind) {
        let store = OrganisationStore(transaction: transaction)
        guard let organisation = try store.find(),
            let owner = try AccountStore(transaction: transaction).owner()
        else { throw AccountError.notSetUp }
        guard let certificate = try? Certificate.parse(der) else { throw AnswerError.unfit }
        let kind = RootCertificateKind(of: certificate)
        guard let current = try organisation.certificate(kind), certificate.publicKey == current.publicKey,
            certificate.subject == current.subject,
            try organisation.root.hasIssued(certificate, as: kind, at: now)
        else { throw AnswerError.unfit }
        guard certificate.notAfter > current.notAfter else { throw AnswerError.notNewer }
        try store.set(kind, certificate: der.base64URL)
        let index = try environment.log.record(
            .renewed(kind, by: der, previous: current, account: owner.id), in: transaction, now: now)
        return ((index, certificate), kind)
    }
}

extension OrganisationStore.Stored {
    /// What the root is asked for to renew certificates: the same keys and names.
    func request(_ kinds: [RootCertificateKind], now: Int64) throws -> RootRequest {
        RootRequest(
            root: try root.certificate.der, time: now,
            items: try kinds.compactMap { try certificate($0).map(RootRequest.Item.init(current:)) })
    }
}
