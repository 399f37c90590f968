import EllipticCurves
public import Encodings

/// What the guard keeps of a PIN slot to see whether a try was of its PIN.
///
/// The element is the PIN's, times a random number that lies in the slot. So it is as good as random to anybody who has
/// not opened the slot, and no PIN can be tried with it.
public struct PINVerifier: Sendable, Equatable {
    /// The length in bytes.
    public static let byteCount = ObliviousFunction.element + 32

    let element: Bytes
    /// SHA-256 of the reset key.
    let reset: Bytes

    init(element: Bytes, reset: Bytes) {
        self.element = element
        self.reset = reset
    }

    /// The verifier of a slot whose contents have this scalar.
    ///
    /// - Parameter input: what `PINSlot.input` gives for the slot's PIN.
    /// - Throws: `outOfRange` for a number that is no scalar.
    package init<Suite: VaultCryptoSuite>(
        input: VaultSecret, scalar: Bytes, resetKey: VaultSecret, suite: Suite
    ) throws(VaultError) {
        guard let element = try? ObliviousFunction.element(of: PINAttempt.element(input), times: scalar) else {
            throw .outOfRange
        }
        self.init(element: element, reset: suite.sha256(resetKey.bytes))
    }

    /// Reads what a client sent.
    ///
    /// - Throws: `malformed` for another length, or what is no element.
    public init(_ bytes: Bytes) throws(VaultError) {
        guard bytes.count == Self.byteCount else { throw .malformed }
        element = Array(bytes[..<ObliviousFunction.element])
        reset = Array(bytes[ObliviousFunction.element...])
        guard ObliviousFunction.isElement(element) else { throw .malformed }
    }

    /// The verifier of an unused slot: no PIN is ever proved against it.
    ///
    /// - Parameter resetKey: for the owner's settings; random.
    public static func unused<Suite: VaultCryptoSuite>(
        resetKey: VaultSecret, suite: Suite
    ) throws(VaultError) -> Self {
        let scalar = try VaultBlind(suite)
        guard let element = try? ObliviousFunction.element(of: suite.fresh(32), times: scalar.bytes) else {
            throw .suiteFailed
        }
        return Self(element: element, reset: suite.sha256(resetKey.bytes))
    }

    /// What a client sends, and what the guard keeps.
    public var bytes: Bytes { element + reset }
}

/// What a client sends for one slot after a try.
public struct PINProof: Sendable, Equatable {
    /// The length in bytes.
    public static let byteCount = KnownMultiple.proof + VaultSecret.byteCount

    /// What travels.
    public let bytes: Bytes

    /// Takes what a client sent.
    ///
    /// - Throws: `malformed` for another length.
    public init(_ bytes: Bytes) throws(VaultError) {
        guard bytes.count == Self.byteCount else { throw .malformed }
        self.bytes = bytes
    }

    /// Four random proofs, for a try that opened nothing.
    public static func none<Suite: VaultCryptoSuite>(_ suite: Suite) throws(VaultError) -> [PINProof] {
        var proofs: [PINProof] = []
        for _ in 0..<PINSlot.count { proofs.append(try PINProof(suite.fresh(byteCount))) }
        return proofs
    }

    /// Whether the try was of the slot's PIN.
    func matches(_ verifier: PINVerifier, blinded: Bytes, tryID: Bytes, index: Int) -> Bool {
        KnownMultiple.isValid(
            Array(bytes[..<KnownMultiple.proof]), blinded, base: verifier.element, message: Self.message(tryID, index))
    }

    /// Whether the owner takes back what was counted against the slot.
    func resets<Suite: VaultCryptoSuite>(_ verifier: PINVerifier, suite: Suite) -> Bool {
        suite.sha256(Array(bytes[KnownMultiple.proof...])).equalsInConstantTime(verifier.reset)
    }

    static func message(_ tryID: Bytes, _ index: Int) -> Bytes { VaultLabel.pinProof.bytes + tryID + [UInt8(index)] }
}

extension PINVerifier {
    static func isElement(_ bytes: Bytes) -> Bool { ObliviousFunction.isElement(bytes) }
}
