/// A person's name in its parts, as papers write it.
///
/// A person with a single name leaves the other part empty.
public struct PersonName: Codable, Sendable, Equatable {
    /// Given names, in their order.
    public var givenName: String
    /// Family names, in their order.
    ///
    /// Papers put a single name here, too.
    public var familyName: String

    public init(givenName: String, familyName: String) {
        self.givenName = givenName
        self.familyName = familyName
    }

    /// The whole name as it is read: family name first, without a space, where both are written in Chinese characters, kana
    /// or hangul.
    public var whole: String {
        let parts = [givenName, familyName].filter { !$0.isEmpty }
        guard parts.count == 2, parts.allSatisfy(Self.isEastAsian) else { return parts.joined(separator: " ") }
        return familyName + givenName
    }

    private static func isEastAsian(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            // Kana, the two marks of iteration, unified ideographs with extensions, hangul syllables.
            case 0x3005, 0x3007, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
                0x20000...0x323AF:
                true
            default: false
            }
        }
    }
}
