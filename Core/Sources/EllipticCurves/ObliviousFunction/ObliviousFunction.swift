#if !ONLY_P256
    public import Encodings

    /// VOPRF(P-384, SHA-384): a function of an input that only one side knows, under a key that only the other side has
    /// (RFC 9497, mode 1).
    ///
    /// The client blinds its input, the server evaluates it under its key and proves that it did, and the client takes the
    /// blind off. The server learns nothing of the input; without the server nobody can try inputs.
    ///
    /// Secrets are the input and the blind of the client, and the key and the randomness of the server: code that handles
    /// them takes the same steps for all of them.
    public enum ObliviousFunction {
        /// The bytes of an element: a compressed point.
        public static let element = 49
        /// The bytes of a key, a blind, or a random number.
        public static let scalar = 48
        /// The bytes of a proof.
        public static let proof = 96
        /// The bytes of the function's value.
        public static let output = 48

        static let context = Bytes(text: "OPRFV1-") + [1] + Bytes(text: "-P384-SHA384")

        /// A scalar between 1 and the order minus 1 out of random bytes, by rejection.
        ///
        /// - Throws: `badRandomness` if the source gives another number of bytes, or a number out of range 64 times.
        public static func randomScalar(
            _ randomBytes: (_ count: Int) -> Bytes
        ) throws(EllipticCurveError) -> Bytes {
            for _ in 0..<64 {
                let bytes = randomBytes(scalar)
                guard bytes.count == scalar else { throw .badRandomness }
                if number(bytes) != nil { return bytes }
            }
            throw .badRandomness
        }

        /// The input as an element, with a scalar: of a blind, or for a `KnownMultiple`.
        ///
        /// - Parameter scalar: between 1 and the order minus 1.
        /// - Throws: `scalarOutOfRange`.
        public static func element(of input: Bytes, times scalar: Bytes) throws(EllipticCurveError) -> Bytes {
            guard let number = number(scalar) else { throw .scalarOutOfRange }
            let point = P384.hashToCurve(input, domain: Bytes(text: "HashToGroup-") + context).affine
            return ProjectivePoint<P384>.product(number, point).affine.compressed
        }

        /// Whether the bytes are an element: a compressed point of the curve.
        public static func isElement(_ bytes: Bytes) -> Bool { P384.point(compressed: bytes) != nil }

        /// A number between 1 and the order minus 1; `nil` for others.
        static func number(_ bytes: Bytes) -> Words<6>? {
            guard bytes.count == scalar else { return nil }
            let number = Words<6>(bigEndian: bytes, byteCount: scalar)
            return number.isKey(of: P384.Order.self) ? number : nil
        }

        static func hashToScalar(_ message: Bytes) -> P384.Scalar {
            P384.hashToScalar(message, domain: Bytes(text: "HashToScalar-") + context)
        }

        /// Bytes with their length before them, two bytes.
        static func prefixed(_ bytes: Bytes) -> Bytes {
            [UInt8(bytes.count >> 8 & 255), UInt8(bytes.count & 255)] + bytes
        }
    }

    /// The client's half of one evaluation, or of several of the same input under different keys.
    public struct ObliviousClient: Sendable {
        /// What goes to the server.
        public let blindedElement: Bytes
        private let input: SecretBytes
        private let blind: SecretBytes

        /// Blinds an input.
        ///
        /// - Parameters:
        ///   - input: at most 65,535 bytes.
        ///   - blind: a fresh random scalar (`ObliviousFunction.randomScalar`).
        /// - Throws: `scalarOutOfRange`; `malformedKey` for an input that is too long.
        public init(input: Bytes, blind: Bytes) throws(EllipticCurveError) {
            guard input.count <= 65_535 else { throw .malformedKey }
            blindedElement = try ObliviousFunction.element(of: input, times: blind)
            self.input = SecretBytes(input)
            self.blind = SecretBytes(blind)
        }

        /// The value of the function, 48 bytes, once the server's proof was checked.
        ///
        /// - Parameters:
        ///   - evaluated: the element that the server answered with.
        ///   - proof: the server's, of this one element.
        ///   - publicKey: the server's for this function, 49 bytes.
        /// - Returns: `nil` if the proof does not hold, or something is malformed.
        public func value(evaluated: Bytes, proof: Bytes, publicKey: Bytes) -> Bytes? {
            guard
                EqualityProof.isValid(
                    proof, publicKey: publicKey, elements: [blindedElement], evaluated: [evaluated]),
                let point = P384.point(compressed: evaluated)
            else { return nil }
            var blind = self.blind.bytes
            defer { blind.wipe() }
            let inverse = P384.Scalar(reducing: Words(bigEndian: blind)).inverse().number
            let unblinded = ProjectivePoint<P384>.product(inverse, point).affine.compressed
            var input = self.input.bytes
            defer { input.wipe() }
            return SHA384.hash(
                ObliviousFunction.prefixed(input) + ObliviousFunction.prefixed(unblinded) + Bytes(text: "Finalize"))
        }
    }

    /// The server's half: one key.
    public struct ObliviousServer: Sendable {
        /// The public key, 49 bytes: clients check proofs with it.
        public let publicKey: Bytes
        private let key: SecretBytes

        /// Takes a private key.
        ///
        /// - Throws: `scalarOutOfRange` for another length or number.
        public init(key: Bytes) throws(EllipticCurveError) {
            guard let number = ObliviousFunction.number(key) else { throw .scalarOutOfRange }
            publicKey = P384.generatorMultiples.product(number).affine.compressed
            self.key = SecretBytes(key)
        }

        /// Derives a key from a seed (RFC 9497 section 3.2.1).
        ///
        /// - Throws: `badRandomness` if no number is in range.
        public static func derive(seed: Bytes, info: Bytes) throws(EllipticCurveError) -> Self {
            let domain = Bytes(text: "DeriveKeyPair") + ObliviousFunction.context
            for counter: UInt8 in 0...255 {
                let input = seed + ObliviousFunction.prefixed(info) + [counter]
                let scalar = P384.hashToScalar(input, domain: domain)
                if !scalar.isZero { return try Self(key: scalar.bigEndian) }
            }
            throw .badRandomness
        }

        /// Evaluates blinded elements under the key, with one proof for all of them.
        ///
        /// - Parameters:
        ///   - elements: 1 to 16 of 49 bytes.
        ///   - randomness: a fresh random scalar.
        /// - Throws: `notOnCurve` for what is no element, `scalarOutOfRange` for the randomness.
        public func evaluate(
            _ elements: [Bytes], randomness: Bytes
        ) throws(EllipticCurveError) -> (elements: [Bytes], proof: Bytes) {
            guard let random = ObliviousFunction.number(randomness) else { throw .scalarOutOfRange }
            guard 1...16 ~= elements.count else { throw .malformedKey }
            var secret = key.bytes
            defer { secret.wipe() }
            let number = Words<6>(bigEndian: secret)
            var evaluated: [Bytes] = []
            for element in elements {
                guard let point = P384.point(compressed: element) else { throw .notOnCurve }
                evaluated.append(ProjectivePoint<P384>.product(number, point).affine.compressed)
            }
            guard
                let proof = EqualityProof.make(
                    key: number, random: random, publicKey: publicKey, elements: elements, evaluated: evaluated)
            else { throw .notOnCurve }
            return (evaluated, proof)
        }
    }
#endif
