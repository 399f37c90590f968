#if !ONLY_P256
    public import Encodings

    /// A proof that somebody knows by which number one element is a multiple of another (Schnorr), bound to a message.
    ///
    /// Two elements that come from different inputs have a relation that nobody knows. So anyone who proves that a blinded
    /// element is a known multiple of an element made earlier shows that both are of the same input, and not of which.
    public enum KnownMultiple {
        /// The bytes of a proof.
        public static let proof = 96

        /// Proves that `element` of an input times `blind` is a known multiple of the same input times `scalar`.
        ///
        /// - Parameters:
        ///   - element: the input times `blind`.
        ///   - base: the input times `scalar`.
        ///   - message: what the proof is bound to.
        ///   - randomness: a fresh random scalar.
        /// - Throws: `notOnCurve`, `scalarOutOfRange`.
        public static func prove(
            _ element: Bytes, base: Bytes, blind: Bytes, scalar: Bytes, message: Bytes, randomness: Bytes
        ) throws(EllipticCurveError) -> Bytes {
            guard let random = ObliviousFunction.number(randomness), let blind = ObliviousFunction.number(blind),
                let scalar = ObliviousFunction.number(scalar)
            else { throw .scalarOutOfRange }
            guard let point = P384.point(compressed: base) else { throw .notOnCurve }
            let factor = P384.Scalar(reducing: blind) * P384.Scalar(reducing: scalar).inverse()
            let commitment = ProjectivePoint<P384>.product(random, point).affine.compressed
            let challenge = challenge(element, base, commitment, message)
            let s = P384.Scalar(reducing: random) - challenge * factor
            return challenge.bigEndian + s.bigEndian
        }

        /// Whether the proof holds; `false` for anything malformed too.
        public static func isValid(_ proof: Bytes, _ element: Bytes, base: Bytes, message: Bytes) -> Bool {
            guard proof.count == self.proof, let c = P384.Scalar(bigEndian: proof, at: 0),
                let s = P384.Scalar(bigEndian: proof, at: 48), let point = P384.point(compressed: base),
                let multiple = P384.point(compressed: element),
                let commitment = EqualityProof.sum(s, point, c, multiple)
            else { return false }
            return challenge(element, base, commitment.compressed, message) == c
        }

        private static func challenge(
            _ element: Bytes, _ base: Bytes, _ commitment: Bytes, _ message: Bytes
        ) -> P384.Scalar {
            P384.hashToScalar(
                element + base + commitment + message, domain: Bytes(text: "countersign/vault/v1/known-multiple"))
        }
    }
#endif
