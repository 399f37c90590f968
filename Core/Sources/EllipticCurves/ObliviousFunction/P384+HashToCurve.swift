#if !ONLY_P256
    import Encodings

    /// Hashing to P-384: the suite P384_XMD:SHA-384_SSWU_RO_ of RFC 9380 section 8.3.
    ///
    /// What is hashed may be a secret. No step branches on it or reads memory by it; its length is public.
    extension P384 {
        /// A point that nobody knows a logarithm of.
        static func hashToCurve(_ message: Bytes, domain: Bytes) -> ProjectivePoint<P384> {
            let uniform = expandMessage(message, domain: domain, count: 144)
            let first = mapToCurve(residue(uniform, at: 0))
            let second = mapToCurve(residue(uniform, at: 72))
            return ProjectivePoint(first) + ProjectivePoint(second)
        }

        /// A number modulo the order (RFC 9497 section 4.4, HashToScalar).
        static func hashToScalar(_ message: Bytes, domain: Bytes) -> Scalar {
            residue(expandMessage(message, domain: domain, count: 72), at: 0)
        }

        /// expand_message_xmd with SHA-384 (RFC 9380 section 5.3.1); domains have at most 255 bytes.
        private static func expandMessage(_ message: Bytes, domain: Bytes, count: Int) -> Bytes {
            let suffix = domain + [UInt8(domain.count)]
            let length: Bytes = [UInt8(count >> 8), UInt8(count & 255)]
            let start = SHA384.hash(Bytes(repeating: 0, count: 128) + message + length + [0] + suffix)
            var block = SHA384.hash(start + [1] + suffix)
            var output = block
            var number: UInt8 = 2
            while output.count < count {
                var mixed = block
                for index in mixed.indices { mixed[index] ^= start[index] }
                block = SHA384.hash(mixed + [number] + suffix)
                output += block
                number += 1
            }
            return Array(output.prefix(count))
        }

        /// 72 big-endian bytes modulo a prime of 384 bits (RFC 9380 section 5.2).
        private static func residue<Modulus: PrimeModulus>(
            _ bytes: Bytes, at offset: Int
        ) -> Montgomery<Modulus> where Modulus.Number == Words<6> {
            let high = Montgomery<Modulus>(reducing: Words(bigEndian: bytes, at: offset, byteCount: 24))
            let low = Montgomery<Modulus>(reducing: Words(bigEndian: bytes, at: offset + 24, byteCount: 48))
            return high * Montgomery<Modulus>(reducing: Modulus.r) + low
        }

        /// The simplified SWU map in its straight line (RFC 9380 appendix F.2) with A = -3 and Z = -12.
        private static func mapToCurve(_ u: Field) -> AffinePoint<P384> {
            let twelve = small(12)
            let zuu = (twelve * u.squared()).negated()
            let denominator = zuu.squared() + zuu
            let b = timesB(.one)
            let numerator = b * (denominator + .one)
            // A·(-denominator), or A·Z for u = 0 and the like.
            let divisor = triple(denominator).replaced(by: small(36), where: denominator.zeroMask)
            let square = divisor.squared()
            let cube = square * divisor
            // (numerator³ + A·numerator·divisor² + b·divisor³) / divisor³ is the right side of the curve's equation.
            let right = numerator * (numerator.squared() - triple(square)) + b * cube
            let (isSquare, root) = squareRoot(right, over: cube)
            let x = (zuu * numerator).replaced(by: numerator, where: isSquare)
            let y = (zuu * u * root).replaced(by: root, where: isSquare)
            let sameSign = Mask(bit: 1 ^ (lowestBit(u) ^ lowestBit(y)))
            return AffinePoint(x: x * divisor.inverse(), y: y.negated().replaced(by: y, where: sameSign))
        }

        /// The root of u/v, or of Z·u/v if u/v is no square (RFC 9380 appendix F.2.1.2).
        private static func squareRoot(_ u: Field, over v: Field) -> (isSquare: Mask, root: Field) {
            let uv = u * v
            let first = root(v.squared() * uv) * uv
            let second = first * rootOfTwelve
            let isSquare = (first.squared() * v - u).zeroMask
            return (isSquare, second.replaced(by: first, where: isSquare))
        }

        /// The power with (p - 3) / 4.
        private static func root(_ value: Field) -> Field {
            value.power(Prime.words.subtracting(Words(3)).difference.shiftedRight(by: 2), bitCount: 382)
        }

        /// A square root of -Z = 12.
        private static var rootOfTwelve: Field { root(small(12)) * small(12) }

        private static func small(_ number: UInt64) -> Field { Field(reducing: Words(number)) }

        private static func triple(_ element: Field) -> Field { element.doubled() + element }

        private static func lowestBit(_ element: Field) -> UInt64 { element.number[0] & 1 }

        /// The affine point of a compressed form (SEC 1 section 2.3.4); the point may be known.
        ///
        /// - Returns: `nil` for another length or form, a coordinate not below the prime, or no point of the curve.
        static func point(compressed bytes: Bytes) -> AffinePoint<P384>? {
            guard bytes.count == 49, bytes[0] == 2 || bytes[0] == 3, let x = Field(bigEndian: bytes, at: 1) else {
                return nil
            }
            let square = right(x)
            let y = root(square) * square
            guard y.squared() == square, !y.isZero else { return nil }
            return AffinePoint(x: x, y: lowestBit(y) == UInt64(bytes[0] & 1) ? y : y.negated())
        }
    }

    extension AffinePoint<P384> {
        /// The compressed form (SEC 1 section 2.3.3), 49 bytes.
        var compressed: Bytes { [UInt8(2 | (y.number[0] & 1))] + x.bigEndian }
    }
#endif
