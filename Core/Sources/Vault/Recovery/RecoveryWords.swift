public import Encodings

/// A key as 24 printed words: 256 bits and a checksum of 8 bits, as BIP-39 spells them.
public enum RecoveryWords {
    /// How many words there are.
    public static let count = 24

    /// The words of a key, with single spaces between them.
    public static func text<Suite: VaultCryptoSuite>(of key: VaultSecret, suite: Suite) -> Bytes {
        let words = RecoveryWordList.all()
        let bytes = key.bytes + suite.sha256(key.bytes).prefix(1)
        var text: Bytes = []
        for place in 0..<count {
            var index = 0
            for bit in 11 * place..<11 * place + 11 {
                index = index << 1 | Int(bytes[bit >> 3] >> UInt8(7 - bit & 7) & 1)
            }
            if place > 0 { text.append(0x20) }
            text += words[index]
        }
        return text
    }

    /// The key of words that somebody typed.
    ///
    /// Capital letters, any spaces and line ends are taken; of each word the first four letters are enough.
    ///
    /// - Throws: `malformed` for another number of words, `notFound` for a word that is not in the list, `cannotOpen` if
    ///   the checksum does not hold.
    public static func key<Suite: VaultCryptoSuite>(
        of typed: Bytes, suite: Suite
    ) throws(VaultError) -> VaultSecret {
        guard typed.count <= 1_024 else { throw .malformed }
        let parts = typed.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : 0x09...0x0D ~= $0 ? 0x20 : $0 }
            .split(at: 0x20).filter { !$0.isEmpty }
        guard parts.count == count else { throw .malformed }
        let words = RecoveryWordList.all()
        var bytes = Bytes(repeating: 0, count: 33)
        for (place, part) in parts.enumerated() {
            guard let index = words.firstIndex(where: { matches(part, $0) }) else { throw .notFound }
            for bit in 0..<11 where index >> (10 - bit) & 1 == 1 {
                let position = 11 * place + bit
                bytes[position >> 3] |= 0x80 >> UInt8(position & 7)
            }
        }
        let key = Array(bytes[..<32])
        guard suite.sha256(key)[0] == bytes[32] else { throw .cannotOpen }
        return try VaultSecret(key)
    }

    private static func matches(_ typed: Bytes, _ word: Bytes) -> Bool {
        typed == word || (typed.count >= 4 && typed.count < word.count && Array(word.prefix(typed.count)) == typed)
    }
}
