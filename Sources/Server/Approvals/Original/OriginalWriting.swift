import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// Writes challenges of version 1: signs the nine fields with the service's RSA key and stores them.
struct OriginalWriting {
    let environment: Environment
    private var keys: ApprovalKeys { ApprovalKeys(environment.keys) }

    /// What a challenge says, and for whom.
    struct Words: Sendable {
        var step: OriginalChallengeStore.Step
        var enrolment: String?
        var title: String
        var lines: [String]
        var expires: Int64
    }

    /// A service that is there and speaks version 1.
    ///
    /// It asks one person in free text, so a service whose quorum ever demands more does not ask in it.
    ///
    /// - Throws: `notFound`, `originalOff` when no administrator has switched it on, or `originalQuorum`.
    func service(_ id: String, in transaction: Transaction) throws -> ApprovalServiceInfo {
        guard let info = try ApprovalServiceStore(transaction: transaction).find(id: id)?.info else {
            throw ApprovalServiceError.notFound
        }
        guard info.originalKey != nil else { throw ApprovalServiceError.originalOff }
        guard try info.rule.map({ $0.most == 1 }) ?? true else { throw ApprovalServiceError.originalQuorum }
        return info
    }

    /// Signs and stores a challenge.
    func write(
        _ words: Words, from info: ApprovalServiceInfo, to account: String, _ label: String,
        in transaction: Transaction, now: Int64
    ) throws -> OriginalChallengeStore.Stored {
        let store = OriginalChallengeStore(transaction: transaction)
        // Random, so that nobody counts on from their own. Old apps read no number of more than 31 bits.
        var id: Int64
        repeat {
            id = environment.random.bytes(4).reduce(Int64(0)) { $0 << 8 | Int64($1) } & 0x7FFF_FFFF
        } while try id == 0 || store.find(id: id) != nil
        let isEnrolment = words.step == .enrolment
        let challenge = try OriginalChallenge(
            body: Bytes(text: words.lines.joined(separator: "\n")),
            category: isEnrolment ? OriginalChallenge.enrolmentCategory : OriginalChallenge.challengeCategory,
            expiry: words.expires, messageID: id, nonce: Hex.encode(environment.random.bytes(32)),
            responseURL: Bytes(text: "\(environment.publicURL)/api/authreq/callback"),
            shortTitle: Bytes(text: words.title), subtitle: Bytes(text: info.name))
        let signature = try key(of: info.id, in: transaction).sign(challenge.canonical())
        let message = UnverifiedOriginalChallenge(challenge: challenge, signature: signature).pushMessage()
        let stored = OriginalChallengeStore.Stored(
            id: id, service: info.id, label: label, account: account, step: words.step, enrolment: words.enrolment,
            message: String(decoding: message, as: UTF8.self), created: now, expires: words.expires)
        try store.insert(stored)
        return stored
    }

    private func key(of service: String, in transaction: Transaction) throws -> RSASigningKey {
        guard let stored = try OriginalServiceStore(transaction: transaction).find(service: service) else {
            throw ApprovalServiceError.originalOff
        }
        let der = try keys.originalBox(ofService: service)
            .open(try stored.sealedKey.decodedBytes(), purpose: Self.purpose)
        return try RSASigningKey(derRepresentation: der)
    }

    /// What the box is for, in which the RSA key is kept.
    static let purpose = "RSA key of version 1"
}

extension OriginalChallengeStore.Stored {
    /// The challenge as a link.
    func link() throws -> String { String(decoding: OriginalLink.encode(try signed()), as: UTF8.self) }
}
