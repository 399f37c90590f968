import EllipticCurves
public import Encodings

/// One try of a PIN, at the side of its owner.
///
/// One blinded element goes to the guard, which evaluates it under the keys of all four slots. So it does not learn which
/// slot is meant, and neither does the device until one opens.
public struct PINAttempt: Sendable {
    /// What goes to the guard, 49 bytes.
    public let blindedElement: Bytes
    private let account: VaultAccount
    private let input: VaultSecret
    private let blind: VaultBlind
    private let client: ObliviousClient

    /// Blinds a PIN.
    ///
    /// - Parameter input: what `PINSlot.input` gives.
    public init<Suite: VaultCryptoSuite>(
        _ input: VaultSecret, of account: VaultAccount, suite: Suite
    ) throws(VaultError) {
        blind = try VaultBlind(suite)
        do {
            client = try ObliviousClient(input: Self.element(input), blind: blind.bytes)
        } catch {
            throw .suiteFailed
        }
        blindedElement = client.blindedElement
        self.account = account
        self.input = input
    }

    /// The answer of the guard for one slot.
    public struct Evaluation: Sendable, Equatable {
        /// The evaluated element, 49 bytes.
        public let element: Bytes
        /// The guard's proof, 96 bytes.
        public let proof: Bytes

        /// Takes the guard's answer.
        public init(element: Bytes, proof: Bytes) {
            self.element = element
            self.proof = proof
        }
    }

    /// The value of the guard's function for a slot, 48 bytes.
    ///
    /// - Parameter publicKey: of the guard's key for this slot, as it was when the slot was made.
    /// - Throws: `cannotOpen` if the guard used another key.
    public func value(_ evaluation: Evaluation, publicKey: Bytes) throws(VaultError) -> Bytes {
        guard
            let value = client.value(
                evaluated: evaluation.element, proof: evaluation.proof, publicKey: publicKey)
        else { throw .cannotOpen }
        return value
    }

    /// Opens a slot with the value for it.
    ///
    /// - Throws: `cannotOpen` if it is not the PIN of this slot.
    public func open<Suite: VaultCryptoSuite>(
        _ slot: Bytes, index: Int, value: Bytes, suite: Suite
    ) throws(VaultError) -> PINContents {
        try PINSlot.open(slot, index: index, input: input, output: value, of: account, suite: suite)
    }

    /// Makes a slot that this PIN opens, and what the guard needs to know of it.
    ///
    /// - Parameters:
    ///   - value: the guard's for this slot's new key.
    ///   - resetKey: for the owner's settings; random.
    public func makeSlot<Suite: VaultCryptoSuite>(
        _ purpose: PINPurpose, key: VaultSecret, lock: LockID? = nil, index: Int, value: Bytes, resetKey: VaultSecret,
        suite: Suite
    ) throws(VaultError) -> (slot: Bytes, verifier: PINVerifier) {
        let scalar = try VaultBlind(suite)
        let contents = PINContents(
            purpose: purpose, key: key, lock: lock ?? LockID(high: 0, low: 0), scalar: scalar.bytes)
        let slot = try PINSlot.seal(contents, index: index, input: input, output: value, of: account, suite: suite)
        return (slot, try PINVerifier(input: input, scalar: scalar.bytes, resetKey: resetKey, suite: suite))
    }

    /// The four proofs of a try: real for what was opened, random for the rest.
    ///
    /// - Parameters:
    ///   - opened: the contents of each slot that this PIN opened.
    ///   - resetKeys: the owner's, if the main compartment was opened.
    ///   - tryID: the guard's name of this try.
    public func proofs<Suite: VaultCryptoSuite>(
        _ opened: [PINContents?], resetKeys: [VaultSecret?], tryID: Bytes, suite: Suite
    ) throws(VaultError) -> [PINProof] {
        guard opened.count == PINSlot.count, resetKeys.count == PINSlot.count else { throw .malformed }
        var proofs: [PINProof] = []
        for index in 0..<PINSlot.count {
            var proof = try suite.fresh(KnownMultiple.proof)
            if let contents = opened[index] {
                let message = PINProof.message(tryID, index)
                let random = try VaultBlind(suite)
                do {
                    let base = try ObliviousFunction.element(of: Self.element(input), times: contents.scalar)
                    proof = try KnownMultiple.prove(
                        blindedElement, base: base, blind: blind.bytes, scalar: contents.scalar, message: message,
                        randomness: random.bytes)
                } catch {
                    throw .suiteFailed
                }
            }
            let reset = if let key = resetKeys[index] { key.bytes } else { try suite.fresh(VaultSecret.byteCount) }
            proofs.append(try PINProof(proof + reset))
        }
        return proofs
    }

    static func element(_ input: VaultSecret) -> Bytes { VaultLabel.pinInput.bytes + input.bytes }
}

/// A random scalar of P-384, wiped when nobody holds it.
struct VaultBlind: Sendable {
    private let secret: SecretBytes

    init<Suite: VaultCryptoSuite>(_ suite: Suite) throws(VaultError) {
        do {
            secret = SecretBytes(try ObliviousFunction.randomScalar(suite.randomBytes))
        } catch {
            throw .suiteFailed
        }
    }

    var bytes: Bytes { secret.bytes }
}
