import CryptoProvider
import Encodings
import Interface
import Storage
import Workers

/// The PIN guard: evaluates PINs that it cannot see, and counts each try before it is answered.
struct VaultGuard: Sendable {
    let environment: Environment
    let folder: GuardFolder

    init(environment: Environment) {
        self.environment = environment
        folder = GuardFolder(in: environment.directory)
    }

    /// The PIN slots as the wallet finds them, always four, and whether one may be tried.
    func state(of account: String) async throws -> (pins: [VaultPIN], state: VaultGuardState) {
        guard let file = try await folder.read(account), file.isSetUp else {
            let pins = (0..<GuardCounts.slots).map { VaultPIN(slot: $0, sealed: "", key: "", usable: false) }
            return (pins, VaultGuardState(state: .absent, wait: 0))
        }
        let pins = file.slots.enumerated().map { slot, stored in
            VaultPIN(
                slot: slot, sealed: stored?.sealed ?? "", key: stored?.publicKey ?? "", usable: stored != nil)
        }
        return (pins, VaultGuardState(state: .ready, wait: file.counts.wait(at: environment.now())))
    }

    // MARK: New PINs

    /// Makes fresh guard keys and evaluates one blinded element with each, once.
    ///
    /// It counts nothing: nothing is sealed under them yet. They count once their slots are written.
    func enrol(_ request: NewVaultEnrolment, _ account: String) async throws -> VaultEnrolment {
        guard request.blinded.count == GuardCounts.slots else { throw VaultError.invalidElement }
        let blinded = try request.blinded.map(Self.element)
        let made = try await environment.work.run {
            try blinded.map { element -> (GuardKey, GuardKey.Evaluation) in
                let key = GuardKey()
                do { return (key, try key.evaluate(element)) } catch { throw VaultError.invalidElement }
            }
        }
        let enrolment = GuardFile.Enrolment(
            id: environment.newIdentifier(), expires: environment.now() + Limits.vaultEnrolmentTime,
            keys: made.map(\.0.rawRepresentation.base64URL))
        try await folder.change(account) { file in
            file = file ?? GuardFile()
            file?.enrolment = enrolment
        }
        return VaultEnrolment(
            enrolment: enrolment.id, expires: enrolment.expires,
            evaluations: made.map { key, evaluation in
                VaultEnrolment.Evaluation(
                    element: evaluation.element.base64URL, proof: evaluation.proof.base64URL,
                    key: key.publicKey.base64URL)
            })
    }

    /// Whether an account has this enrolment.
    func has(_ enrolment: String, _ account: String) async throws -> Bool {
        let file = try await folder.read(account)
        return file?.enrolment.map { $0.id == enrolment && $0.expires > environment.now() } ?? false
    }

    /// Puts slots under the keys of an enrolment, once.
    ///
    /// - Parameter pins: checked.
    /// - Throws: `VaultError.enrolmentOver`.
    func write(_ pins: [NewVaultPIN], _ enrolment: String, _ account: String) async throws {
        let now = environment.now()
        try await folder.change(account) { file in
            guard var found = file, let fresh = found.enrolment, fresh.id == enrolment, fresh.expires > now else {
                throw VaultError.enrolmentOver
            }
            for pin in pins {
                guard let bytes = Base64.decode(Bytes(text: fresh.keys[pin.slot]), .url),
                    let key = try? GuardKey(rawRepresentation: bytes)
                else { throw GuardFolder.Damaged() }
                found.slots[pin.slot] = GuardFile.Slot(
                    key: fresh.keys[pin.slot], publicKey: key.publicKey.base64URL, sealed: pin.sealed, proof: pin.proof,
                    count: 0)
            }
            found.written = now
            found.enrolment = nil
            file = found
        }
    }

    /// Destroys everything that the guard has of an account.
    func destroy(_ account: String) async throws { try await folder.change(account) { $0 = nil } }

    // MARK: Tries

    /// A try that is counted and not yet answered.
    struct Counted: Sendable {
        let id: String
        let expires: Int64
        /// The keys that the slots had when it came.
        let keys: [String?]
        /// The highest count with it.
        let highest: Int64
    }

    /// Counts a try, then answers it.
    func attempt(_ request: NewVaultTry, _ account: String) async throws -> VaultTry {
        let blinded = try Self.element(request.blinded)
        // Without waiting for anybody: a count only goes down by a proof.
        if let file = try await folder.read(account), file.isSetUp { try Self.check(file, at: environment.now()) }
        guard GuardKey.isElement(blinded) else { throw VaultError.invalidElement }
        let counted = try await count(account)
        try await remember(counted, account)
        return try await answer(counted, blinded)
    }

    /// Counts a try durably, before anything is known of its answer.
    func count(_ account: String) async throws -> Counted {
        let now = environment.now()
        let id = environment.newIdentifier()
        return try await folder.change(account) { file in
            guard var found = file, found.isSetUp else { throw VaultError.guardAbsent }
            try Self.check(found, at: now)
            let keys = found.slots.map { $0?.key }
            var counts = found.counts
            let before = counts.highest
            _ = counts.count(at: now)
            found.take(counts)
            found.forget(at: now)
            found.tries.append(GuardFile.Try(id: id, expires: now + Limits.vaultProofTime))
            file = found
            return Counted(id: id, expires: now + Limits.vaultProofTime, keys: keys, highest: before + 1)
        }
    }

    /// Has the owner told: at once from the fourth try on, of an earlier one if nobody proves it in time.
    private func remember(_ counted: Counted, _ account: String) async throws {
        let now = environment.now()
        try await environment.database.write { transaction in
            guard counted.highest > Limits.vaultQuietTries else {
                try VaultTryStore(transaction: transaction).insert(
                    counted.id, account: account, due: now + Limits.vaultProofTime)
                return
            }
            try environment.notify(
                .access, account, saying: NotificationDetail(.vaultTried), in: transaction, now: now)
        }
    }

    private func answer(_ counted: Counted, _ blinded: Bytes) async throws -> VaultTry {
        let evaluations = try await environment.work.run {
            try counted.keys.map { text in
                guard let text else { return VaultTry.Evaluation(element: "", proof: "") }
                guard let bytes = Base64.decode(Bytes(text: text), .url) else { throw GuardFolder.Damaged() }
                let evaluation = try GuardKey(rawRepresentation: bytes).evaluate(blinded)
                return VaultTry.Evaluation(
                    element: evaluation.element.base64URL, proof: evaluation.proof.base64URL)
            }
        }
        return VaultTry(try: counted.id, expires: counted.expires, evaluations: evaluations)
    }

    /// Takes a try back that opened a slot.
    func prove(_ id: String, _ request: VaultTryProof, _ account: String) async throws {
        guard request.proofs.count == GuardCounts.slots else { throw VaultError.invalidProof }
        let digests = try request.proofs.map { text in
            guard let proof = Base64.decode(Bytes(text: text), .url), proof.count == 32 else {
                throw VaultError.invalidProof
            }
            return environment.suite.sha256(proof)
        }
        let now = environment.now()
        try await folder.change(account) { file in
            guard var found = file, found.isSetUp else { throw VaultError.guardAbsent }
            guard found.tries.contains(where: { $0.id == id && $0.expires > now }) else { throw VaultError.tryOver }
            // All four are compared, so that the time says nothing about which.
            let opened = found.slots.enumerated().filter { slot, stored in
                let proof = stored.flatMap { Base64.decode(Bytes(text: $0.proof), .url) } ?? []
                return proof.equalsInConstantTime(digests[slot])
            }.map(\.offset)
            guard !opened.isEmpty else { throw VaultError.wrongProof }
            var counts = found.counts
            counts.prove(Set(opened))
            found.take(counts)
            found.tries.removeAll { $0.id == id }
            file = found
        }
        try await environment.database.write { try VaultTryStore(transaction: $0).delete(id) }
    }

    // MARK: Rules

    private static func check(_ file: GuardFile, at now: Int64) throws(VaultError) {
        let counts = file.counts
        guard !counts.isDestroyed else { throw .destroyed }
        let wait = counts.wait(at: now)
        guard wait == 0 else { throw .wait(wait) }
    }

    private static func element(_ text: String) throws(VaultError) -> Bytes {
        guard let bytes = Base64.decode(Bytes(text: text), .url), bytes.count == 49 else { throw .invalidElement }
        return bytes
    }
}
