internal import Crypto
internal import CryptoExtras
public import Encodings
internal import Foundation

/// A key of the vault's PIN guard: the server's half of a verifiable oblivious pseudorandom function (RFC 9497, mode 1,
/// P384-SHA384).
///
/// It has no textual description, so that no log can hold it.
public struct GuardKey: Sendable {
    /// The secret number, 48 bytes, big-endian: for the guard's file, and for nothing else.
    public let rawRepresentation: Bytes
    /// The public half, a compressed point of 49 bytes: wallets check evaluations with it.
    public let publicKey: Bytes

    /// What a key makes of a blinded element.
    public struct Evaluation: Sendable, Equatable {
        /// A compressed point, 49 bytes.
        public let element: Bytes
        /// That the element was made with the key (section 2.2.1), 96 bytes.
        public let proof: Bytes

        /// As it comes from a server, unchecked.
        public init(element: Bytes, proof: Bytes) { (self.element, self.proof) = (element, proof) }
    }

    /// Makes a new key from the system's random source.
    public init() { self.init(P384._VOPRF.PrivateKey(compactRepresentable: false)) }

    /// Takes a key back from its file.
    ///
    /// - Throws: `KeyError.malformed`.
    public init(rawRepresentation: Bytes) throws(KeyError) {
        guard let key = try? P384._VOPRF.PrivateKey(rawRepresentation: rawRepresentation) else { throw .malformed }
        self.init(key)
    }

    private init(_ key: P384._VOPRF.PrivateKey) {
        rawRepresentation = Bytes(key.rawRepresentation)
        publicKey = Bytes(key.publicKey.compressedRepresentation)
    }

    /// Whether the bytes are a blinded element: a point of the curve, compressed, and not the one at infinity.
    public static func isElement(_ blinded: Bytes) -> Bool {
        blinded.count == 49 && (try? P384._VOPRF.BlindedElement(oprfRepresentation: blinded)) != nil
    }

    /// BlindEvaluate (section 3.3.2); takes milliseconds of a processor.
    ///
    /// - Throws: `KeyError.notOnCurve` for what is no element.
    public func evaluate(_ blinded: Bytes) throws(KeyError) -> Evaluation {
        guard blinded.count == 49, let element = try? P384._VOPRF.BlindedElement(oprfRepresentation: blinded) else {
            throw .notOnCurve
        }
        guard let key = try? P384._VOPRF.PrivateKey(rawRepresentation: rawRepresentation),
            let evaluation = try? key.evaluate(element)
        else { throw .failed }
        return Evaluation(
            element: Bytes(evaluation.evaluatedElement.oprfRepresentation),
            proof: Bytes(evaluation.proof.rawRepresentation))
    }
}

/// A blinded PIN, on the side of the wallet.
public struct GuardQuestion {
    private let input: P384._VOPRF.BlindedInput
    /// What the server gets, 49 bytes.
    public var blinded: Bytes { Bytes(input.blindedElement.oprfRepresentation) }

    /// Blinds an input with a new random number (section 3.3.2): one question may be for many keys.
    ///
    /// - Throws: `KeyError.failed` for an input that cannot be blinded.
    public init(_ pin: Bytes) throws(KeyError) {
        // Blinding takes no key; the library has it at one.
        guard let input = try? P384._VOPRF.PrivateKey(compactRepresentable: false).publicKey.blind(pin) else {
            throw .failed
        }
        self.input = input
    }

    /// The output, 48 bytes, after checking that the evaluation was made with a key.
    ///
    /// - Parameter key: the slot's public key, a compressed point of 49 bytes.
    /// - Throws: `KeyError.notOnCurve` for a key that is none, `KeyError.failed` for an evaluation by another one.
    public func finish(_ evaluation: GuardKey.Evaluation, of key: Bytes) throws(KeyError) -> Bytes {
        guard let key = try? P384._VOPRF.PublicKey(compressedRepresentation: key) else { throw .notOnCurve }
        guard
            let answer = try? P384._VOPRF.BlindEvaluation(rawRepresentation: evaluation.element + evaluation.proof),
            let output = try? key.finalize(input, using: answer)
        else { throw .failed }
        return Bytes(output)
    }
}
