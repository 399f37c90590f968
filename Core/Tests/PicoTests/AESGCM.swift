import Encodings

/// AES in GCM (FIPS 197, SP 800-38D) for tests: short, slow, and not in constant time.
///
/// `CryptographyTests` holds it to the vectors, and the transcripts of other programs do so again.
enum AESGCM {
    static func seal(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes {
        let cipher = AES(key: key)
        let start = counter(iv, cipher)
        let ciphertext = cipher.counted(plaintext, from: start &+ 1)
        return ciphertext + tag(ciphertext, start, cipher)
    }

    static func open(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        guard sealed.count >= 16 else { return nil }
        let cipher = AES(key: key)
        let start = counter(iv, cipher)
        let ciphertext = Array(sealed.dropLast(16))
        guard tag(ciphertext, start, cipher) == Array(sealed.suffix(16)) else { return nil }
        return cipher.counted(ciphertext, from: start &+ 1)
    }

    /// The first counter block: of 12 bytes followed by 1, of every other length hashed (section 7.1, step 2).
    private static func counter(_ iv: Bytes, _ cipher: AES) -> UInt128 {
        guard iv.count != 12 else { return number(iv + [0, 0, 0, 1]) }
        return hash(padded(iv) + bigEndianBytes(0) + bigEndianBytes(UInt64(iv.count * 8)), cipher)
    }

    private static func tag(_ ciphertext: Bytes, _ start: UInt128, _ cipher: AES) -> Bytes {
        let lengths = bigEndianBytes(0) + bigEndianBytes(UInt64(ciphertext.count * 8))
        return bytes(hash(padded(ciphertext) + lengths, cipher) ^ number(cipher.block(bytes(start))))
    }

    private static func hash(_ blocks: Bytes, _ cipher: AES) -> UInt128 {
        let key = number(cipher.block(Bytes(repeating: 0, count: 16)))
        var sum: UInt128 = 0
        for index in stride(from: 0, to: blocks.count, by: 16) {
            sum = product(sum ^ number(Array(blocks[index..<index + 16])), key)
        }
        return sum
    }

    private static func product(_ x: UInt128, _ y: UInt128) -> UInt128 {
        var sum: UInt128 = 0
        var factor = y
        for bit in 0..<128 {
            if (x >> UInt128(127 - bit)) & 1 == 1 { sum ^= factor }
            factor = factor & 1 == 1 ? (factor >> 1) ^ (UInt128(0xE1) << 120) : factor >> 1
        }
        return sum
    }

    private static func padded(_ bytes: Bytes) -> Bytes {
        bytes + Bytes(repeating: 0, count: (16 - bytes.count % 16) % 16)
    }

    fileprivate static func number(_ bytes: Bytes) -> UInt128 { bytes.reduce(0) { $0 << 8 | UInt128($1) } }

    fileprivate static func bytes(_ number: UInt128) -> Bytes {
        (0..<16).map { UInt8(truncatingIfNeeded: number >> UInt128(120 - 8 * $0)) }
    }
}

/// The block cipher; keys of 16 and 32 bytes.
private struct AES {
    private static let box = makeBox()
    private let roundKeys: [Bytes]

    init(key: Bytes) {
        let words = key.count / 4
        var schedule = (0..<words).map { Array(key[4 * $0..<4 * $0 + 4]) }
        var constant: UInt8 = 1
        while schedule.count < 4 * (words + 7) {
            var word = schedule[schedule.count - 1]
            if schedule.count % words == 0 {
                word = [word[1], word[2], word[3], word[0]].map { Self.box[Int($0)] }
                word[0] ^= constant
                constant = Self.doubled(constant)
            } else if words > 6, schedule.count % words == 4 {
                word = word.map { Self.box[Int($0)] }
            }
            let earlier = schedule[schedule.count - words]
            schedule.append((0..<4).map { word[$0] ^ earlier[$0] })
        }
        roundKeys = (0..<words + 7).map { round in Array(schedule[4 * round..<4 * round + 4].joined()) }
    }

    func block(_ input: Bytes) -> Bytes {
        var state = Self.sum(input, roundKeys[0])
        for round in 1..<roundKeys.count {
            // SubBytes and ShiftRows: row r of column c comes from column c + r.
            var mixed = (0..<16).map { Self.box[Int(state[($0 + 4 * ($0 % 4)) % 16])] }
            if round < roundKeys.count - 1 {
                mixed = (0..<4).flatMap { Self.mix(mixed, $0) }
            }
            state = Self.sum(mixed, roundKeys[round])
        }
        return state
    }

    func counted(_ text: Bytes, from start: UInt128) -> Bytes {
        var output: Bytes = []
        var counter = start
        for index in stride(from: 0, to: text.count, by: 16) {
            let key = block(AESGCM.bytes(counter))
            for place in index..<min(index + 16, text.count) { output.append(text[place] ^ key[place - index]) }
            // Only the last 32 bits count.
            counter = ((counter >> 32) << 32) | UInt128(UInt32(truncatingIfNeeded: counter) &+ 1)
        }
        return output
    }

    private static func mix(_ state: Bytes, _ column: Int) -> Bytes {
        let bytes = Array(state[4 * column..<4 * column + 4])
        let all = bytes.reduce(0, ^)
        return (0..<4).map { bytes[$0] ^ all ^ doubled(bytes[$0] ^ bytes[($0 + 1) % 4]) }
    }

    private static func sum(_ left: Bytes, _ right: Bytes) -> Bytes { zip(left, right).map { $0 ^ $1 } }

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
