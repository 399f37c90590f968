import CryptoProvider
import Encodings
import Interface
import Vault

/// PINs, stretched here, blinded, and evaluated by the guard, which counts each try before it answers.
struct VaultPINClient: Sendable {
    let server: ServerClient
    let account: VaultAccount
    private let suite = SwiftCryptoSuite()
    /// A PIN asks for 64 MiB and half a second: never on the threads that all of a program shares.
    private static let workers = Argon2Workers(threads: 1)

    init(server: ServerClient, account: VaultAccount) {
        self.server = server
        self.account = account
    }

    /// A try that the guard has evaluated.
    struct Opened: Sendable {
        /// What the slots hold that it opened.
        let contents: [PINContents]
        /// Shows the guard that the try was of a slot's PIN; with the reset keys of the owner, it frees all slots.
        let prove: @Sendable ([VaultSecret]) async throws -> Void
    }

    /// What the guard is asked about a PIN: computed by libargon2, the same as `Core` computes.
    static func input(_ pin: Bytes, _ account: VaultAccount) async throws -> VaultSecret {
        guard pin.count <= 64 else { throw VaultFault.badPIN("it has more than 16 digits") }
        let cost = Argon2Parameters(
            memory: Argon2id.pin.memory, passes: Argon2id.pin.passes, lanes: Argon2id.pin.lanes)
        return try VaultSecret(try await workers.derive(pin, salt: account.salt, parameters: cost))
    }

    /// Tries a PIN.
    ///
    /// - Throws: `pinWait`, `pinsDestroyed`, `pinsAbsent`, `guardLied`. A wrong PIN opens nothing, which is no error here.
    func attempt(_ pin: Bytes, _ state: VaultState) async throws -> Opened {
        let attempt = try PINAttempt(try await Self.input(pin, account), of: account, suite: suite)
        let answer: VaultTry
        do {
            answer = try await server.post(
                "/api/vault/guard/tries", NewVaultTry(blinded: attempt.blindedElement.base64URL))
        } catch let error as ProblemError {
            throw try await refusal(error)
        }
        guard answer.evaluations.count == PINSlot.count, state.pins.count == PINSlot.count,
            let id = Hex.decode(Bytes(text: answer.try))
        else { throw VaultFault.guardLied }
        let opened = try (0..<PINSlot.count).map { try contents(attempt, $0, state.pins[$0], answer.evaluations[$0]) }
        let server = server
        let suite = suite
        return Opened(contents: opened.compactMap(\.self)) { resetKeys in
            let keys = resetKeys.count == PINSlot.count ? resetKeys.map(Optional.some) : Array(repeating: nil, count: 4)
            let proofs = try attempt.proofs(opened, resetKeys: keys, tryID: id, suite: suite)
            try await server.postNothing(
                "/api/vault/guard/tries/\(ServerClient.segment(answer.try))/proof",
                VaultTryProof(proofs: proofs.map(\.bytes.base64URL)))
        }
    }

    /// What a slot holds, if the PIN is its own.
    private func contents(
        _ attempt: PINAttempt, _ index: Int, _ slot: VaultPIN, _ evaluation: VaultTry.Evaluation
    ) throws -> PINContents? {
        guard slot.usable, !evaluation.element.isEmpty else { return nil }
        guard let element = evaluation.element.fromBase64URL, let proof = evaluation.proof.fromBase64URL,
            let key = slot.key.fromBase64URL, let sealed = slot.sealed.fromBase64URL,
            let value = try? attempt.value(.init(element: element, proof: proof), publicKey: key)
        else { throw VaultFault.guardLied }
        return try? attempt.open(sealed, index: index, value: value, suite: suite)
    }

    /// What to say of a PIN that has opened nothing: how many tries the guard leaves by now, and when.
    func wrong() async -> VaultFault {
        let answer: VaultState? = try? await server.get("/api/vault")
        guard let state = answer else { return .wrongPIN(left: nil, wait: 0) }
        let left = PINGuard.maximumTries - Int(clamping: state.guard.tries)
        return .wrongPIN(left: max(0, left), wait: Int(clamping: state.guard.wait))
    }

    private func refusal(_ error: ProblemError) async throws -> any Error {
        switch error.problem.error {
        case "wait":
            let state: VaultState? = try? await server.get("/api/vault")
            return VaultFault.pinWait(Int(max(1, state?.guard.wait ?? 1)))
        case "destroyed": return VaultFault.pinsDestroyed
        case "absent": return VaultFault.pinsAbsent
        default: return error
        }
    }

    /// Has the guard make fresh keys and evaluate one element with each; random ones where no PIN is meant.
    func enrol(_ meant: (attempt: PINAttempt, slot: Int)?) async throws -> VaultEnrolment {
        var blinded: [String] = []
        for slot in 0..<PINSlot.count {
            if let meant, meant.slot == slot {
                blinded.append(meant.attempt.blindedElement.base64URL)
            } else {
                let nobody = try PINAttempt(.random(suite), of: account, suite: suite)
                blinded.append(nobody.blindedElement.base64URL)
            }
        }
        let answer: VaultEnrolment = try await server.post(
            "/api/vault/guard/enrolments", NewVaultEnrolment(blinded: blinded))
        guard answer.evaluations.count == PINSlot.count else { throw VaultFault.guardLied }
        return answer
    }

    /// A slot that no PIN opens.
    func unused(_ slot: Int, resetKey: VaultSecret) throws -> NewVaultPIN {
        NewVaultPIN(
            slot: slot, sealed: try PINSlot.unused(suite).base64URL,
            verifier: try PINVerifier.unused(resetKey: resetKey, suite: suite).bytes.base64URL)
    }

    /// Writes the slot of a new PIN, if nobody has written PIN slots since a revision of the guard.
    ///
    /// - Parameter input: of the PIN, as `input` gives it.
    /// - Returns: the log's entry of it.
    func set(
        _ input: VaultSecret, slot: Int, _ purpose: PINPurpose, key: VaultSecret, lock: LockID?,
        resetKey: VaultSecret, at revision: Int64
    ) async throws -> Acknowledgement {
        let attempt = try PINAttempt(input, of: account, suite: suite)
        let enrolment = try await enrol((attempt, slot))
        let made = enrolment.evaluations[slot]
        guard let element = made.element.fromBase64URL, let proof = made.proof.fromBase64URL,
            let publicKey = made.key.fromBase64URL,
            let value = try? attempt.value(.init(element: element, proof: proof), publicKey: publicKey)
        else { throw VaultFault.guardLied }
        let (sealed, verifier) = try attempt.makeSlot(
            purpose, key: key, lock: lock, index: slot, value: value, resetKey: resetKey, suite: suite)
        let pin = NewVaultPIN(slot: slot, sealed: sealed.base64URL, verifier: verifier.bytes.base64URL)
        return try await server.put(
            "/api/vault/pins", VaultPINs(enrolment: enrolment.enrolment, revision: revision, pins: [pin]))
    }

    /// Puts what no PIN opens into a slot, if nobody has written PIN slots since a revision of the guard.
    ///
    /// - Returns: the log's entry of it.
    func clear(_ slot: Int, resetKey: VaultSecret, at revision: Int64) async throws -> Acknowledgement {
        let enrolment = try await enrol(nil)
        let pin = try unused(slot, resetKey: resetKey)
        return try await server.put(
            "/api/vault/pins", VaultPINs(enrolment: enrolment.enrolment, revision: revision, pins: [pin]))
    }

    /// - Throws: `badPIN` for one that anybody would try first.
    static func check(_ pin: Bytes) throws {
        switch PINRules.refusal(of: pin) {
        case nil: break
        case .notDigits: throw VaultFault.badPIN("a PIN has only the digits 0 to 9")
        case .tooShort: throw VaultFault.badPIN("a PIN has at least \(PINRules.length.lowerBound) digits")
        case .tooLong: throw VaultFault.badPIN("a PIN has at most \(PINRules.length.upperBound) digits")
        case .tooCommon: throw VaultFault.badPIN("this PIN is among the first that anybody would try")
        }
    }
}
