#if !ONLY_P256
    import Encodings

    /// The proof that elements were multiplied by the private key of a public key (RFC 9497 section 2.2).
    enum EqualityProof {
        /// - Returns: c and s; `nil` for something that is no element.
        static func make(
            key: Words<6>, random: Words<6>, publicKey: Bytes, elements: [Bytes], evaluated: [Bytes]
        ) -> Bytes? {
            guard let composite = composites(publicKey: publicKey, elements: elements, evaluated: evaluated) else {
                return nil
            }
            let product = ProjectivePoint<P384>.product(key, composite.element).affine
            let base = P384.generatorMultiples.product(random).affine
            let other = ProjectivePoint<P384>.product(random, composite.element).affine
            let challenge = challenge(
                publicKey, [composite.element.compressed, product.compressed, base.compressed, other.compressed])
            let s = P384.Scalar(reducing: random) - challenge * P384.Scalar(reducing: key)
            return challenge.bigEndian + s.bigEndian
        }

        /// Whether the proof holds, for public values.
        static func isValid(_ proof: Bytes, publicKey: Bytes, elements: [Bytes], evaluated: [Bytes]) -> Bool {
            guard proof.count == ObliviousFunction.proof, let key = P384.point(compressed: publicKey),
                let c = P384.Scalar(bigEndian: proof, at: 0), let s = P384.Scalar(bigEndian: proof, at: 48),
                elements.count == evaluated.count,
                let composite = composites(publicKey: publicKey, elements: elements, evaluated: evaluated)
            else { return false }
            let base = sum(s, P384.generator, c, key)
            let other = sum(s, composite.element, c, composite.evaluated)
            guard let base, let other else { return false }
            return challenge(
                publicKey,
                [composite.element.compressed, composite.evaluated.compressed, base.compressed, other.compressed]) == c
        }

        /// `a` times one point and `b` times another, in variable time; `nil` for infinity.
        static func sum(
            _ a: P384.Scalar, _ left: AffinePoint<P384>, _ b: P384.Scalar, _ right: AffinePoint<P384>
        ) -> AffinePoint<P384>? {
            let sum = JacobianPoint<P384>.sum(a.number, JacobianPoint(left), b.number, JacobianPoint(right))
            return sum.affine.map { AffinePoint(x: $0.x, y: $0.y) }
        }

        /// One element for all (ComputeComposites), in variable time.
        private static func composites(
            publicKey: Bytes, elements: [Bytes], evaluated: [Bytes]
        ) -> (element: AffinePoint<P384>, evaluated: AffinePoint<P384>)? {
            let domain = Bytes(text: "Seed-") + ObliviousFunction.context
            let seed = SHA384.hash(ObliviousFunction.prefixed(publicKey) + ObliviousFunction.prefixed(domain))
            var element = JacobianPoint<P384>.infinity
            var result = JacobianPoint<P384>.infinity
            for index in elements.indices {
                guard let point = P384.point(compressed: elements[index]),
                    let product = P384.point(compressed: evaluated[index])
                else { return nil }
                let place: Bytes = [UInt8(index >> 8), UInt8(index & 255)]
                let transcript =
                    ObliviousFunction.prefixed(seed) + place + ObliviousFunction.prefixed(elements[index])
                    + ObliviousFunction.prefixed(evaluated[index]) + Bytes(text: "Composite")
                let factor = ObliviousFunction.hashToScalar(transcript).number
                element = element + multiple(factor, point)
                result = result + multiple(factor, product)
            }
            guard let first = element.affine, let second = result.affine else { return nil }
            return (AffinePoint(x: first.x, y: first.y), AffinePoint(x: second.x, y: second.y))
        }

        private static func multiple(_ factor: Words<6>, _ point: AffinePoint<P384>) -> JacobianPoint<P384> {
            JacobianPoint.sum(factor, JacobianPoint(point), .zero, JacobianPoint(point))
        }

        private static func challenge(_ publicKey: Bytes, _ elements: [Bytes]) -> P384.Scalar {
            var transcript = ObliviousFunction.prefixed(publicKey)
            for element in elements { transcript += ObliviousFunction.prefixed(element) }
            return ObliviousFunction.hashToScalar(transcript + Bytes(text: "Challenge"))
        }
    }
#endif
