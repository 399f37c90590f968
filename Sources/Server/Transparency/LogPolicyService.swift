import Certificates
import Encodings
import Interface
import Storage
import Transparency
import Verification

/// Why a log policy is not put in force.
enum LogPolicyRefusal: Error, Equatable {
    /// The policy is not signed by the main administrator for this server, or is malformed.
    case unsigned(LogPolicyError)
    /// It is not the one after the policy in force.
    case wrongVersion(next: Int64)
    /// It names no key that this server can sign with.
    case noOwnKey
    /// A witness has no address, or one that may not be asked.
    case badAddress(witness: String)
    /// Too few of its witnesses sign: with this policy nothing would get a receipt.
    case unwitnessed([String])
}

/// The main administrator says whose signatures the log's checkpoints need.
struct LogPolicyService {
    let environment: Environment

    /// The keys and witnesses that a policy can name, and the policy in force.
    func settings() async throws -> LogSettings {
        LogSettings(keys: environment.log.verifierKeys, policy: try await current())
    }

    /// The policy in force, for everybody who has pinned the root.
    func current() async throws -> LogPolicyStatement? {
        try await environment.database.pointRead("log policy") { transaction in
            try LogPolicyStore(transaction: transaction).current().map(LogPolicyStatement.init)
        }
    }

    /// Puts a policy in force, after its witnesses have signed the present checkpoint.
    ///
    /// - Throws: `LogPolicyRefusal`, and then nothing has changed.
    func set(_ request: LogPolicyRequest, _ principal: Principal) async throws -> Acknowledgement {
        let now = environment.now()
        let organisation = try await environment.organisation()
        let signed = try verify(request, organisation, now: now)
        try check(signed.policy)
        for _ in 0..<Self.attempts {
            if let index = try await put(signed, request, organisation, principal, now: now) {
                return Acknowledgement(receipt: try await environment.log.receipt(index))
            }
        }
        throw LogPolicyRefusal.unwitnessed(["the log grows faster than its witnesses sign; try again"])
    }

    /// How often the present checkpoint may have grown old while the witnesses signed it.
    private static let attempts = 5

    /// Puts a policy in force, with what its witnesses have signed.
    ///
    /// - Returns: `nil`, and nothing has changed, when more is published by now than they have signed: what was shown
    ///   must never shrink.
    private func put(
        _ signed: SignedLogPolicy, _ request: LogPolicyRequest, _ organisation: OrganisationStore.Stored,
        _ principal: Principal, now: Int64
    ) async throws -> Int64? {
        let note: LogStore.Sealed?
        do {
            note = try await environment.log.preview(signed.policy).map { try LogStore.Sealed($0) }
        } catch TransparencyLog.LogError.unwitnessed(let failures) {
            throw LogPolicyRefusal.unwitnessed(failures)
        }
        return try await environment.database.write { [environment] transaction in
            let store = LogPolicyStore(transaction: transaction)
            let next = (try store.current()?.version ?? 0) + 1
            guard signed.version == next else { throw LogPolicyRefusal.wrongVersion(next: next) }
            if let note, note.size < (try store.shown(environment.log.signer).size) { return nil }
            try store.insert(
                LogPolicyStore.Stored(
                    version: next, text: String(decoding: signed.text, as: UTF8.self), statement: request.statement,
                    certificate: organisation.ownerCertificate, created: now))
            if let note { try store.replace(with: note) }
            return try environment.log.record(
                TrustEvent(
                    .logPolicyChanged, account: principal.account,
                    [
                        ("policy", .text(environment.suite.sha256(signed.text).base64URL)),
                        ("version", .integer(next)),
                    ]),
                in: transaction, now: now)
        }
    }

    private func verify(
        _ request: LogPolicyRequest, _ organisation: OrganisationStore.Stored, now: Int64
    ) throws -> SignedLogPolicy {
        guard let root = Base64.decode(Bytes(text: organisation.rootCertificate), .url),
            let owner = Base64.decode(Bytes(text: organisation.ownerCertificate), .url)
        else { throw StoredValueError(column: "organisation.root_certificate") }
        let anchor = try TrustAnchor(der: root)
        do throws(LogPolicyError) {
            return try SignedLogPolicy.verify(
                Bytes(text: request.statement), certificate: owner, root: anchor, now: now, suite: environment.suite)
        } catch {
            throw LogPolicyRefusal.unsigned(error)
        }
    }

    private func check(_ policy: LogPolicy) throws {
        let own = environment.log.verifierKeys
        guard policy.logs.contains(where: { own.contains(String(decoding: $0.key.encoded(), as: UTF8.self)) }) else {
            throw LogPolicyRefusal.noOwnKey
        }
        for witness in policy.witnesses {
            guard let url = witness.url, HTTPWitnessTransport.isAcceptable(String(decoding: url, as: UTF8.self)) else {
                throw LogPolicyRefusal.badAddress(witness: String(decoding: witness.name, as: UTF8.self))
            }
        }
    }
}

extension LogPolicyStatement {
    fileprivate init(_ stored: LogPolicyStore.Stored) {
        self.init(
            version: stored.version, policy: stored.text, statement: stored.statement, certificate: stored.certificate)
    }
}

extension LogStore.Sealed {
    /// What a checkpoint's note says of itself.
    fileprivate init(_ note: Bytes) throws {
        let size = try Checkpoint.parse(try SignedNote.parse(note).text).size
        self.init(size: Int64(size), checkpoint: String(decoding: note, as: UTF8.self))
    }
}
