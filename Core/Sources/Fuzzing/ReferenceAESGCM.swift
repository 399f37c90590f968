public import Encodings

/// AES in GCM (FIPS 197, SP 800-38D) for tests and fuzzing: its tables make it quick, and its time tells the key.
///
/// Nothing that is shipped uses it: there AES comes from WebCrypto or from a library.
public struct ReferenceAESGCM: Sendable {
    private let roundKeys: [UInt32]
    private let hashKeys: [UInt128]

    /// - Parameter key: 16 or 32 bytes, otherwise there is no cipher.
    public init?(key: Bytes) {
        guard key.count == 16 || key.count == 32 else { return nil }
        roundKeys = Self.schedule(key)
        // The products of the hash key with every four bits.
        let zero = Self.block(0, roundKeys)
        var multiples = [UInt128](repeating: 0, count: 16)
        multiples[8] = zero
        for index in [4, 2, 1] { multiples[index] = Self.divided(multiples[index * 2]) }
        for index in [2, 4, 8] {
            for lower in 1..<index { multiples[index + lower] = multiples[index] ^ multiples[lower] }
        }
        hashKeys = multiples
    }

    /// Appends the ciphertext and the tag.
    ///
    /// - Parameter nonce: usually 12 bytes; another length is hashed (SP 800-38D section 7.1).
    public func seal(
        _ plaintext: ArraySlice<UInt8>, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) {
        let start = output.count
        count(plaintext, nonce, into: &output)
        output += bytes(tag(output[start...], nonce, additionalData))
    }

    /// Appends the plaintext; `false` if the tag does not hold.
    public func open(
        _ sealed: ArraySlice<UInt8>, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard sealed.count >= 16 else { return false }
        let ciphertext = sealed.dropLast(16)
        guard bytes(tag(ciphertext, nonce, additionalData)) == Array(sealed.suffix(16)) else { return false }
        count(ciphertext, nonce, into: &output)
        return true
    }

    private func count(_ input: ArraySlice<UInt8>, _ nonce: Bytes, into output: inout Bytes) {
        var counter = start(nonce)
        var index = input.startIndex
        output.reserveCapacity(output.count + input.count + 16)
        while index < input.endIndex {
            // Only the last 32 bits count.
            counter = ((counter >> 32) << 32) | UInt128(UInt32(truncatingIfNeeded: counter) &+ 1)
            let key = bytes(Self.block(counter, roundKeys))
            let end = min(index + 16, input.endIndex)
            for place in index..<end { output.append(input[place] ^ key[place - index]) }
            index = end
        }
    }

    private func tag(_ ciphertext: ArraySlice<UInt8>, _ nonce: Bytes, _ additionalData: Bytes) -> UInt128 {
        let lengths = UInt128(additionalData.count * 8) << 64 | UInt128(ciphertext.count * 8)
        return hash(absorbed([additionalData[...], ciphertext]) ^ lengths) ^ Self.block(start(nonce), roundKeys)
    }

    /// The first counter block.
    private func start(_ nonce: Bytes) -> UInt128 {
        guard nonce.count != 12 else { return number(nonce[...]) << 32 | 1 }
        return hash(absorbed([nonce[...]]) ^ UInt128(nonce.count * 8))
    }

    /// Parts, each filled with zeros to whole blocks, hashed one after the other.
    private func absorbed(_ parts: [ArraySlice<UInt8>]) -> UInt128 {
        var sum: UInt128 = 0
        for part in parts {
            var index = part.startIndex
            while index < part.endIndex {
                let end = min(index + 16, part.endIndex)
                let block = number(part[index..<end]) << UInt128(8 * (16 - (end - index)))
                sum = hash(sum ^ block)
                index = end
            }
        }
        return sum
    }

    private func hash(_ value: UInt128) -> UInt128 {
        var sum: UInt128 = 0
        for place in 0..<32 {
            if place > 0 { for _ in 0..<4 { sum = Self.divided(sum) } }
            sum ^= hashKeys[Int(truncatingIfNeeded: value >> UInt128(4 * place)) & 15]
        }
        return sum
    }

    /// The product with x, whose powers go up to the right.
    private static func divided(_ value: UInt128) -> UInt128 {
        value & 1 == 1 ? (value >> 1) ^ (UInt128(0xE1) << 120) : value >> 1
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> UInt128 {
        var value: UInt128 = 0
        for byte in bytes { value = value << 8 | UInt128(byte) }
        return value
    }

    private func bytes(_ value: UInt128) -> Bytes {
        bigEndianBytes(UInt64(truncatingIfNeeded: value >> 64)) + bigEndianBytes(UInt64(truncatingIfNeeded: value))
    }
}

// The block cipher.
extension ReferenceAESGCM {
    private static let box = makeBox()
    /// For every byte the column that it becomes in one round.
    private static let columns = box.map { byte in
        UInt32(doubled(byte)) << 24 | UInt32(byte) << 16 | UInt32(byte) << 8 | UInt32(doubled(byte) ^ byte)
    }

    private static func schedule(_ key: Bytes) -> [UInt32] {
        let count = key.count / 4
        var words = (0..<count).map { index in
            key[4 * index..<4 * index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        var constant: UInt8 = 1
        while words.count < 4 * (count + 7) {
            var word = words[words.count - 1]
            if words.count % count == 0 {
                word = substituted(word << 8 | word >> 24) ^ UInt32(constant) << 24
                constant = doubled(constant)
            } else if count > 6, words.count % count == 4 {
                word = substituted(word)
            }
            words.append(words[words.count - count] ^ word)
        }
        return words
    }

    private static func block(_ input: UInt128, _ keys: [UInt32]) -> UInt128 {
        var state: (UInt32, UInt32, UInt32, UInt32) = (
            UInt32(truncatingIfNeeded: input >> 96) ^ keys[0], UInt32(truncatingIfNeeded: input >> 64) ^ keys[1],
            UInt32(truncatingIfNeeded: input >> 32) ^ keys[2], UInt32(truncatingIfNeeded: input) ^ keys[3]
        )
        func turn(_ column: UInt32, _ by: UInt32) -> UInt32 { by == 0 ? column : column >> by | column << (32 - by) }
        func mixed(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
            columns[Int(a >> 24)] ^ turn(columns[Int(b >> 16 & 255)], 8) ^ turn(columns[Int(c >> 8 & 255)], 16)
                ^ turn(columns[Int(d & 255)], 24)
        }
        let rounds = keys.count / 4 - 1
        for round in 1..<rounds {
            let (a, b, c, d) = state
            state = (
                mixed(a, b, c, d) ^ keys[4 * round], mixed(b, c, d, a) ^ keys[4 * round + 1],
                mixed(c, d, a, b) ^ keys[4 * round + 2], mixed(d, a, b, c) ^ keys[4 * round + 3]
            )
        }
        func last(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
            substituted(a & 0xFF00_0000 | b & 0x00FF_0000 | c & 0xFF00 | d & 0xFF)
        }
        let (a, b, c, d) = state
        let words = [last(a, b, c, d), last(b, c, d, a), last(c, d, a, b), last(d, a, b, c)]
        return (0..<4).reduce(UInt128(0)) { $0 << 32 | UInt128(words[$1] ^ keys[4 * rounds + $1]) }
    }

    private static func substituted(_ word: UInt32) -> UInt32 {
        UInt32(box[Int(word >> 24)]) << 24 | UInt32(box[Int(word >> 16 & 255)]) << 16
            | UInt32(box[Int(word >> 8 & 255)]) << 8 | UInt32(box[Int(word & 255)])
    }

    private static func doubled(_ byte: UInt8) -> UInt8 { (byte << 1) ^ (byte & 0x80 == 0 ? 0 : 0x1B) }

    /// The inverse in the field, then the affine map (FIPS 197 section 5.1.1).
    private static func makeBox() -> Bytes {
        (0...255).map { value in
            let inverse = (0...255).map { UInt8($0) }.first { product(UInt8(value), $0) == 1 } ?? 0
            var output = inverse ^ 0x63
            for turn in 1...4 { output ^= (inverse << UInt8(turn)) | (inverse >> UInt8(8 - turn)) }
            return output
        }
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var sum: UInt8 = 0
        var factor = left
        for bit in 0..<8 {
            if (right >> UInt8(bit)) & 1 == 1 { sum ^= factor }
            factor = doubled(factor)
        }
        return sum
    }
}
