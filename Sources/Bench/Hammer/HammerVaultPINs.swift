import CryptoProvider
import Encodings
import Interface
import Vault
import Wallet

/// The PINs of a member's vault: tried at the guard, proved, and set.
///
/// They are 32 random bytes, as if they were stretched already: that costs half a second, and the load is for the servers.
struct HammerVaultPINs: Sendable {
    let hand: HammerHand
    let member: HammerPerson
    /// What opens slot 0 of a vault that was just set up; nothing opens the other three.
    let first: VaultSecret
    private let account: VaultAccount
    /// The owner's, for all four slots.
    private let resets: [VaultSecret]
    private let suite: SwiftCryptoSuite

    init(hand: HammerHand, member: HammerPerson) throws {
        let suite = SwiftCryptoSuite()
        self.hand = hand
        self.member = member
        self.suite = suite
        first = try VaultSecret.random(suite)
        account = try VaultAccount.random(suite)
        resets = try (0..<PINSlot.count).map { _ in try VaultSecret.random(suite) }
    }

    /// A PIN slot that is to be written.
    struct Slot: Sendable {
        let number: Int
        /// What opens it; `nil` for nothing.
        let pin: VaultSecret?
    }

    /// What the vault's slots are bound to.
    var salt: String { account.salt.base64URL }

    /// The slots of a new vault.
    var beginning: [Slot] { (0..<PINSlot.count).map { Slot(number: $0, pin: $0 == 0 ? first : nil) } }

    /// A PIN that nobody has.
    func another() throws -> VaultSecret { try VaultSecret.random(suite) }

    // MARK: Slots

    /// Makes slots under fresh keys of the guard.
    func fresh(
        _ slots: [Slot], _ session: ServerClient
    ) async throws -> (enrolment: String, pins: [NewVaultPIN]) {
        // A random PIN where none is meant.
        var meant = try (0..<PINSlot.count).map { _ in try VaultSecret.random(suite) }
        for slot in slots { meant[slot.number] = slot.pin ?? meant[slot.number] }
        let attempts = try meant.map { try PINAttempt($0, of: account, suite: suite) }
        let answer: VaultEnrolment = try await session.post(
            "/api/vault/guard/enrolments", NewVaultEnrolment(blinded: attempts.map(\.blindedElement.base64URL)))
        guard answer.evaluations.count == PINSlot.count else {
            throw WalletError.unexpectedAnswer("not four fresh keys")
        }
        let pins = try slots.map { try make($0, attempts[$0.number], answer.evaluations[$0.number]) }
        return (answer.enrolment, pins)
    }

    private func make(
        _ slot: Slot, _ attempt: PINAttempt, _ evaluation: VaultEnrolment.Evaluation
    ) throws -> NewVaultPIN {
        let resetKey = resets[slot.number]
        guard slot.pin != nil else {
            return NewVaultPIN(
                slot: slot.number, sealed: try PINSlot.unused(suite).base64URL,
                verifier: try PINVerifier.unused(resetKey: resetKey, suite: suite).bytes.base64URL)
        }
        guard let element = evaluation.element.fromBase64URL, let proof = evaluation.proof.fromBase64URL,
            let publicKey = evaluation.key.fromBase64URL
        else { throw WalletError.unexpectedAnswer("an evaluation that is no base64url") }
        let value = try attempt.value(.init(element: element, proof: proof), publicKey: publicKey)
        let (sealed, verifier) = try attempt.makeSlot(
            .main, key: .random(suite), index: slot.number, value: value, resetKey: resetKey, suite: suite)
        return NewVaultPIN(slot: slot.number, sealed: sealed.base64URL, verifier: verifier.bytes.base64URL)
    }

    /// Gives a slot other contents.
    func set(_ slot: Slot) async throws {
        try await hand.act(.setPIN, by: member.username, subject: "\(slot.number)") { server in
            let session = try await member.clients[server].session()
            let state: VaultState = try await session.get("/api/vault")
            let fresh = try await fresh([slot], session)
            let done: Acknowledgement = try await session.put(
                "/api/vault/pins",
                VaultPINs(enrolment: fresh.enrolment, revision: state.guard.revision, pins: fresh.pins))
            return HammerHand.Done(value: (), result: fresh.pins.first?.sealed, receipt: done.receipt.proof)
        }
    }

    // MARK: Tries

    /// A try that the guard has counted and answered.
    struct Tried: Sendable {
        let id: String
        let attempt: PINAttempt
        /// What each slot holds that it opens.
        let contents: [PINContents?]
    }

    /// Tries a PIN.
    ///
    /// - Parameter slot: the one that it must open; `nil` for a wrong PIN, which must open none.
    @discardableResult
    func attempt(_ pin: VaultSecret, opening slot: Int?) async throws -> Tried {
        try await hand.act(.tryPIN, by: member.username) { server in
            let session = try await member.clients[server].session()
            let state: VaultState = try await session.get("/api/vault")
            let attempt = try PINAttempt(pin, of: account, suite: suite)
            let answer: VaultTry = try await session.post(
                "/api/vault/guard/tries", NewVaultTry(blinded: attempt.blindedElement.base64URL))
            guard state.pins.count == PINSlot.count, answer.evaluations.count == PINSlot.count else {
                throw WalletError.unexpectedAnswer("not four PIN slots")
            }
            let contents = try zip(state.pins, answer.evaluations).map { try open($0, $1, attempt) }
            let opened = contents.indices.filter { contents[$0] != nil }
            guard opened == (slot.map { [$0] } ?? []) else {
                throw WalletError.unexpectedAnswer("a PIN opened the slots \(opened)")
            }
            return HammerHand.Done(
                value: Tried(id: answer.try, attempt: attempt, contents: contents), result: answer.try)
        }
    }

    private func open(
        _ slot: VaultPIN, _ evaluation: VaultTry.Evaluation, _ attempt: PINAttempt
    ) throws -> PINContents? {
        guard slot.usable, let element = evaluation.element.fromBase64URL, let proof = evaluation.proof.fromBase64URL,
            let publicKey = slot.key.fromBase64URL, let sealed = slot.sealed.fromBase64URL
        else { throw WalletError.unexpectedAnswer("PIN slot \(slot.slot) cannot be used") }
        let value = try attempt.value(.init(element: element, proof: proof), publicKey: publicKey)
        return try? attempt.open(sealed, index: slot.slot, value: value, suite: suite)
    }

    /// Shows the guard that a try was of the PIN of a slot.
    ///
    /// - Parameter isOwner: whether what was counted against the other slots is taken back too.
    func prove(_ tried: Tried, of slot: Int, isOwner: Bool) async throws {
        guard let id = Hex.decode(Bytes(text: tried.id)) else { throw HammerStop.wrong }
        try await hand.act(.provePIN, by: member.username, subject: isOwner ? "all" : "\(slot)") { server in
            let session = try await member.clients[server].session()
            let keys: [VaultSecret?] = resets.map { isOwner ? $0 : nil }
            let proofs = try tried.attempt.proofs(tried.contents, resetKeys: keys, tryID: id, suite: suite)
            try await session.postNothing(
                "/api/vault/guard/tries/\(tried.id)/proof", VaultTryProof(proofs: proofs.map(\.bytes.base64URL)))
            return HammerHand.Done(value: ())
        }
    }
}
