import CryptoProvider
import Encodings
import Interface
import Storage
import Vault
import Workers

/// The PIN guard: evaluates PINs that it cannot see, and counts each try before it is answered.
struct VaultGuard: Sendable {
    let environment: Environment
    var folder: GuardFolder

    init(environment: Environment) {
        self.environment = environment
        folder = GuardFolder(in: environment.directory)
    }

    /// The PIN slots as the wallet finds them, always four, and whether one may be tried.
    func state(of account: String) async throws -> (pins: [VaultPIN], state: VaultGuardState) {
        guard let file = try await folder.read(account), file.isSetUp else {
            let pins = (0..<PINSlot.count).map { VaultPIN(slot: $0, sealed: "", key: "", usable: false) }
            return (pins, VaultGuardState(state: .absent, wait: 0))
        }
        var counting = try file.counting()
        _ = counting.advance(to: now)
        let pins = zip(file.slots, counting.counts).enumerated().map { slot, found in
            guard let stored = found.0, let count = found.1, count < PINGuard.maximumTries else {
                return VaultPIN(slot: slot, sealed: "", key: "", usable: false)
            }
            return VaultPIN(slot: slot, sealed: stored.sealed, key: stored.publicKey, usable: true)
        }
        let state = VaultGuardState(
            state: .ready, wait: counting.nextTry.map(seconds) ?? 0, tries: Int64(counting.tries),
            revision: file.writing)
        return (pins, state)
    }

    /// Milliseconds since 1970, as the guard counts.
    private var now: Int64 { environment.now() * 1_000 }

    /// Seconds until a time of the guard's; 0 for one that is over.
    private func seconds(until: Int64) -> Int64 { max(0, (until - now + 999) / 1_000) }

    // MARK: New PINs

    /// Makes fresh guard keys and evaluates one blinded element with each, once.
    ///
    /// It counts nothing: nothing is sealed under them yet. They count once their slots are written.
    func enrol(_ request: NewVaultEnrolment, _ account: String) async throws -> VaultEnrolment {
        guard request.blinded.count == PINSlot.count else { throw VaultError.invalidElement }
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

    /// Refuses slots that `write` would refuse, before anything is logged.
    func check(_ enrolment: String, at revision: Int64, _ account: String) async throws {
        _ = try Self.fresh(
            enrolment, at: revision, in: try await folder.read(account), now: environment.now())
    }

    /// The file and its enrolment, if the enrolment is still good and nobody has written slots since.
    ///
    /// - Parameter revision: what the wallet has seen; `nil` for a new vault, which nobody has seen.
    /// - Throws: `VaultError.otherPINs`, `enrolmentOver`.
    private static func fresh(
        _ enrolment: String, at revision: Int64?, in file: GuardFile?, now: Int64
    ) throws -> (file: GuardFile, enrolment: GuardFile.Enrolment) {
        // A write uses the enrolment up, so this comes first: it says why.
        if let revision, revision != file?.writing ?? 0 { throw VaultError.otherPINs }
        guard let file, let fresh = file.enrolment, fresh.id == enrolment, fresh.expires > now else {
            throw VaultError.enrolmentOver
        }
        return (file, fresh)
    }

    /// Puts slots under the keys of an enrolment, once, if nobody has written slots since.
    ///
    /// - Parameters:
    ///   - pins: checked.
    ///   - revision: what the wallet has seen; `nil` for a new vault.
    /// - Throws: `VaultError.otherPINs`, `enrolmentOver`.
    func write(_ pins: [NewVaultPIN], _ enrolment: String, at revision: Int64?, _ account: String) async throws {
        let now = environment.now()
        try await folder.change(account) { file in
            let (before, fresh) = try Self.fresh(enrolment, at: revision, in: file, now: now)
            var found = before
            var counting = try found.isSetUp ? found.counting() : nobodys()
            for pin in pins {
                guard let bytes = Base64.decode(Bytes(text: fresh.keys[pin.slot]), .url),
                    let key = try? GuardKey(rawRepresentation: bytes)
                else { throw GuardFolder.Damaged() }
                found.slots[pin.slot] = GuardFile.Slot(
                    key: fresh.keys[pin.slot], publicKey: key.publicKey.base64URL, sealed: pin.sealed)
                try counting.replace(pin.slot, with: VaultRules.verifier(pin.verifier))
            }
            found.noteWritten(at: now)
            found.enrolment = nil
            found.take(counting)
            file = found
        }
    }

    /// The state of slots that no PIN opens.
    private func nobodys() throws -> PINGuard {
        let verifiers = try (0..<PINSlot.count).map { _ in
            try PINVerifier.unused(resetKey: .random(environment.suite), suite: environment.suite)
        }
        return try PINGuard(verifiers: verifiers)
    }

    /// Destroys everything that the guard has of an account.
    func destroy(_ account: String) async throws { try await folder.destroy(account) }

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
        if let file = try await folder.read(account), file.isSetUp {
            var counting = try file.counting()
            _ = counting.advance(to: now)
            guard let next = counting.nextTry else { throw VaultError.destroyed }
            guard next <= now else { throw VaultError.wait(seconds(until: next)) }
        }
        guard GuardKey.isElement(blinded) else { throw VaultError.invalidElement }
        let counted = try await count(blinded, account)
        try await remember(counted, account)
        return try await answer(counted, blinded)
    }

    /// Counts a try durably, before anything is known of its answer.
    func count(_ blinded: Bytes, _ account: String) async throws -> Counted {
        let now = environment.now()
        let id = environment.random.bytes(PINGuard.idByteCount)
        return try await folder.change(account) { file in
            guard var found = file, found.isSetUp else { throw VaultError.guardAbsent }
            var counting = try found.counting()
            let slots = try begin(&counting, id, blinded)
            let keys = found.slots.enumerated().map { slots.contains($0) ? $1?.key : nil }
            found.take(counting)
            found.forget(at: now)
            file = found
            return Counted(
                id: String(decoding: Hex.encode(id), as: UTF8.self), expires: now + Limits.vaultProofTime, keys: keys,
                highest: Int64(counting.tries))
        }
    }

    private func begin(_ counting: inout PINGuard, _ id: Bytes, _ blinded: Bytes) throws -> [Int] {
        do throws(PINGuardError) {
            return try counting.begin(id, blinded: blinded, now: now).slots
        } catch {
            switch error {
            case .wait(let until): throw VaultError.wait(seconds(until: until))
            case .destroyed: throw VaultError.destroyed
            case .refused, .unknownTry: throw VaultError.invalidElement
            }
        }
    }

    /// Has the owner told: at once from the fourth try on, of an earlier one if nobody proves it in time.
    private func remember(_ counted: Counted, _ account: String) async throws {
        let now = environment.now()
        let isTold = counted.highest > Limits.vaultQuietTries
        try await environment.database.write { transaction in
            try VaultTryStore(transaction: transaction).insert(
                counted.id, account: account, due: now + Limits.vaultProofTime, isTold: isTold)
            guard isTold else { return }
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
    ///
    /// A try that proves nothing is over and stays counted.
    func prove(_ id: String, _ request: VaultTryProof, _ account: String) async throws {
        let proofs = try VaultRules.proofs(request.proofs)
        guard let name = Hex.decode(Bytes(text: id)) else { throw VaultError.tryOver }
        let isProved = try await folder.change(account) { file in
            guard var found = file, found.isSetUp else { throw VaultError.guardAbsent }
            var counting = try found.counting()
            guard let proved = try? counting.prove(name, proofs, now: now, suite: environment.suite) else {
                throw VaultError.tryOver
            }
            found.take(counting)
            file = found
            return proved.isProved
        }
        guard isProved else { throw VaultError.wrongProof }
        try await environment.database.write { try VaultTryStore(transaction: $0).delete(id) }
    }

    /// Lets the time of tries pass that nobody has proved: keys of slots that had ten are destroyed.
    func advance(_ account: String) async throws {
        try await folder.change(account) { file in
            guard var found = file, found.isSetUp else { return }
            var counting = try found.counting()
            _ = counting.advance(to: now)
            found.take(counting)
            file = found
        }
    }

    private static func element(_ text: String) throws(VaultError) -> Bytes {
        guard let bytes = Base64.decode(Bytes(text: text), .url), bytes.count == 49 else { throw .invalidElement }
        return bytes
    }
}
