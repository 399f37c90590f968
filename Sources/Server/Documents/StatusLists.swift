import Certificates
import CryptoProvider
import Documents
import Encodings
import Interface
import Storage

/// The organisation's status lists: places are drawn at random, tokens are signed by the server's status key.
actor StatusLists {
    /// A list is left for the next when this share of it is taken, so that a random place is soon found.
    private static let fullAt = Int64(StatusList.standardCount / 2)
    /// How long a token may be stapled, in seconds.
    private static let tokenLifetime: Int64 = 86_400
    /// How long a verifier may keep a token before it asks again, and the server before it signs again, in seconds.
    private static let timeToLive: Int64 = 300

    nonisolated private let publicURL: String
    nonisolated private let random: RandomSource
    private let database: any Database
    private let keys: SliceKeys
    private let now: @Sendable () -> Int64
    /// Each with how many revocations it tells: any process may have added one.
    private var tokens: [Int64: (token: String, signed: Int64, revoked: Int64)] = [:]

    init(
        publicURL: String, database: any Database, keys: SliceKeys, random: RandomSource,
        now: @escaping @Sendable () -> Int64
    ) {
        self.publicURL = publicURL
        self.database = database
        self.keys = keys
        self.random = random
        self.now = now
    }

    /// The address of a list, which its token names as `sub`.
    nonisolated func uri(_ list: Int64) -> String { "\(publicURL)/status/\(list)" }

    nonisolated func reference(_ place: StatusPlace) -> Interface.StatusReference {
        Interface.StatusReference(uri: uri(place.list), index: Int(place.position))
    }

    /// A place as a certificate names it.
    nonisolated func place(_ place: StatusPlace) -> Certificates.StatusReference {
        Certificates.StatusReference(uri: Bytes(text: uri(place.list)), index: Int(place.position))
    }

    /// The place that a certificate of this organisation names.
    nonisolated func place(of certificate: Certificate) -> StatusPlace? {
        guard let reference = certificate.statusReference else { return nil }
        let text = String(decoding: reference.uri, as: UTF8.self)
        guard text.hasPrefix("\(publicURL)/status/"), let list = Int64(text.dropFirst("\(publicURL)/status/".count))
        else { return nil }
        return StatusPlace(list: list, position: Int64(reference.index))
    }

    /// Takes a free place, unpredictable so that neighbours tell nothing.
    nonisolated func reserve(isCertificate: Bool, in transaction: Transaction) throws -> StatusPlace {
        let store = StatusStore(transaction: transaction)
        var list = try store.lastList()
        if try store.count(list: list) >= Self.fullAt { list += 1 }
        while true {
            let drawn = random.bytes(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            let place = StatusPlace(list: list, position: drawn % Int64(StatusList.standardCount))
            if try store.reserve(place, isCertificate: isCertificate) { return place }
        }
    }

    /// Revokes a place for ever.
    ///
    /// - Returns: whether it was valid before.
    @discardableResult
    nonisolated func revoke(_ place: StatusPlace, in transaction: Transaction, at time: Int64) throws -> Bool {
        try StatusStore(transaction: transaction).revoke(place, at: time)
    }

    /// The signed token of a list.
    ///
    /// - Throws: `notFound` for a list that was never begun.
    func token(list: Int64) async throws -> String {
        let time = now()
        if let known = tokens[list], time - known.signed < Self.timeToLive {
            let revoked = try await database.pointRead("revocations of status list \(list)") { transaction in
                try StatusStore(transaction: transaction).revoked(list: list)
            }
            if revoked == known.revoked { return known.token }
        }
        let (certificate, revocations) = try await database.read { transaction in
            let store = StatusStore(transaction: transaction)
            guard list >= 1, list <= (try store.lastList()),
                let certificate = try OrganisationStore(transaction: transaction).find()?.certificate(.statusSigner)
            else { throw DocumentError.notFound }
            return (certificate, try store.revocations(list: list))
        }
        var bits = try StatusList()
        for revocation in revocations { try bits.set(StatusList.invalid, at: revocation.position) }
        let input = StatusListToken.signingInput(
            uri: Bytes(text: uri(list)), issuedAt: time, expiresAt: time + Self.tokenLifetime,
            timeToLive: Self.timeToLive, list: bits,
            revocationTimes: revocations.filter(\.isCertificate).map { ($0.position, $0.time) },
            certificates: [certificate.der])
        guard let key = keys.signer(.status, named: certificate) else {
            throw ServerKeys.KeyError.foreign(name: ServerKey.status.name)
        }
        let token = CompactJWS.text(signingInput: input, signature: try key.sign(input))
        let text = String(decoding: token, as: UTF8.self)
        tokens[list] = (text, time, Int64(revocations.count))
        return text
    }
}
