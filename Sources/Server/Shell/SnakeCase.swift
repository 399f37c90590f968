/// The names of the interface: `publicURL` and `publicUrl` are both `public_url` on the wire.
enum SnakeCase {
    /// The wire name of a property.
    ///
    /// The same rule as `JSONEncoder.KeyEncodingStrategy.convertToSnakeCase`. A word begins at a capital letter. A run
    /// of capitals is one word, and its last letter begins the next one when a small letter follows. A test compares.
    static func name(_ property: String) -> String {
        var result: [UInt8] = []
        let letters = Array(property.utf8)
        for (index, letter) in letters.enumerated() {
            guard isCapital(letter) else {
                result.append(letter)
                continue
            }
            let followsSmall = index > 0 && !isCapital(letters[index - 1])
            let beginsWord = index > 0 && index + 1 < letters.count && !isCapital(letters[index + 1])
            if followsSmall || beginsWord { result.append(UInt8(ascii: "_")) }
            result.append(letter | 0x20)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isCapital(_ letter: UInt8) -> Bool { (0x41...0x5A).contains(letter) }
}
