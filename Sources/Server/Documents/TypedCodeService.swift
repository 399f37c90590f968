import CryptoProvider
import Documents
import Encodings
import Interface
import Storage

/// Eight characters that a member reads out, and that an administrator types at a desktop without a camera.
///
/// They only find the check. They have 40 bits. That is enough because they can only be tried here, for five minutes,
/// once, by certified administrators. Each administrator has ten wrong tries and then one in five minutes. With a
/// hundred checks open at once, ten tries find one of them with a chance of less than one in a billion. And that gives
/// public values only: the six digits that both people compare still decide.
struct TypedCodeService {
    let environment: Environment

    /// Where a wrong try counts.
    struct Limit: Sendable {
        let rates: RateLimiter
        let address: String

        fileprivate func buckets(_ principal: Principal, _ environment: Environment) -> [TryStore.Bucket] {
            guard rates.isLimiting else { return [] }
            return [
                TryStore.Bucket(.typedCode, .account(principal.account), environment),
                TryStore.Bucket(.typedCodeByAddress, .address(address), environment),
            ]
        }
    }

    private static let purpose = "typed code of a check"
    /// In groups of four.
    private static let groups = 2

    /// New characters for a check that waits for an administrator; its older ones end.
    func make(_ id: String, _ principal: Principal) async throws -> TypedCode {
        let now = environment.now()
        let code = environment.humanCode(groups: Self.groups)
        let hash = environment.codeHash(code, purpose: Self.purpose)
        let expires = try await environment.database.write { transaction in
            guard let check = try EnrolmentStore(transaction: transaction).find(id: id),
                check.holder == principal.account
            else { throw DocumentError.notFound }
            // Another device would show characters for keys that it does not have.
            guard check.device == principal.device else { throw DocumentError.otherDevice }
            guard now < check.expires else { throw EnrolmentError.expired }
            guard check.state == .open else { throw EnrolmentError.wrongState }
            let expires = min(now + Limits.typedCodeTime, check.expires)
            try TypedCodeStore(transaction: transaction).replace(
                TypedCodeStore.Stored(
                    enrolment: id, holder: check.holder, session: principal.session, hash: hash, expires: expires))
            return expires
        }
        return TypedCode(code: code, expires: expires)
    }

    /// The code of the check that characters find, as the member's device shows it: public values, from the server.
    ///
    /// From then on nobody else can use the characters, and only this session can take the check. Every fault of the
    /// characters has the same answer, and counts.
    func find(_ request: TypedCodeEntry, _ principal: Principal, _ limit: Limit) async throws -> FoundCheck {
        guard HumanCode.normalised(request.code)?.count == Self.groups * 4 else { throw DocumentError.invalidTypedCode }
        let now = environment.now()
        let hash = environment.codeHash(request.code, purpose: Self.purpose)
        let buckets = limit.buckets(principal, environment)
        let outcome = try await environment.database.write { transaction -> Result<FoundCheck, any Error> in
            _ = try environment.certification(principal.account, for: .identifyMembers, in: transaction, now: now)
            let tries = TryStore(transaction: transaction)
            // Writers take turns, on any number of servers: tries at the same time count no more than tries one after
            // the other.
            if let wait = try tries.wait(buckets, now: now) {
                return .failure(RateLimiter.problem(wait.bucket.rate, wait: wait.seconds))
            }
            guard let code = try code(hash, in: transaction, now: now) else {
                try tries.count(buckets, now: now)
                return .failure(DocumentError.wrongTypedCode)
            }
            try TypedCodeStore(transaction: transaction).take(
                enrolment: String(decoding: code.enrolment, as: UTF8.self), session: principal.session)
            return .success(FoundCheck(text: String(decoding: code.text, as: UTF8.self)))
        }
        return try outcome.get()
    }

    /// The code that the member's device shows, if the characters with this hash still find a check.
    private func code(_ hash: String, in transaction: Transaction, now: Int64) throws -> EnrolmentCode? {
        guard let stored = try TypedCodeStore(transaction: transaction).find(hash: hash, now: now),
            Bytes(text: stored.hash).equalsInConstantTime(Bytes(text: hash)),
            try SessionStore(transaction: transaction).isOpen(id: stored.session, account: stored.holder, now: now),
            let check = try EnrolmentStore(transaction: transaction).find(id: stored.enrolment),
            check.state == .open, check.expires > now, check.holder == stored.holder,
            let device = try DeviceStore(transaction: transaction).find(id: check.device)?.device,
            device.revoked == nil, let signing = DeviceProof.key(device.signingKey),
            let encryption = DeviceProof.key(device.encryptionKey),
            let commitment = Base64.decode(Bytes(text: check.commitment), .url)
        else { return nil }
        return EnrolmentCode(
            server: Bytes(text: environment.publicURL), enrolment: Bytes(text: check.id),
            signingKey: signing.thumbprint, encryptionKey: encryption.thumbprint, commitment: commitment)
    }
}
