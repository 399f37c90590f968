public import Encodings

/// Codes for people to read out and type: Crockford's base 32, without I, L, O and U, in groups of four.
public enum HumanCode {
    /// A random code, such as `7K3M-Q0XA-9TBE`; each character carries five bits.
    ///
    /// - Parameter groups: of four characters; three hold 60 bits.
    public static func random(groups: Int = 3) -> String {
        var generator = SystemRandomNumberGenerator()
        return random(groups: groups, using: &generator)
    }

    /// A code from the given source.
    public static func random(groups: Int, using generator: inout some RandomNumberGenerator) -> String {
        let text = CrockfordCode.text(of: RandomBytes.make(groups * 4, using: &generator))
        return String(decoding: text, as: UTF8.self)
    }

    /// What a person typed, as `random` writes it without hyphens: capitals, O read as 0, I and L as 1, hyphens and
    /// spaces dropped.
    ///
    /// - Returns: `nil` when another character is there, or nothing.
    public static func normalised(_ typed: String) -> Bytes? {
        CrockfordCode.normalised(Bytes(text: typed))
    }

    /// Whether a person typed this code.
    ///
    /// Takes the same time for every code of one length.
    public static func matches(_ typed: String, _ code: String) -> Bool {
        guard let left = normalised(typed), let right = normalised(code) else { return false }
        return left.equalsInConstantTime(right)
    }
}
