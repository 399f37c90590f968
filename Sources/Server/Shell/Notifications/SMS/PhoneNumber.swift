import Encodings

/// A phone number in the international form: a plus sign, the code of the country, and the number (ITU-T E.164).
struct PhoneNumber: Sendable, Equatable {
    /// The plus sign and 7 to 15 digits.
    let text: String

    /// Takes the signs that people write between digits: spaces, hyphens, dots, slashes and brackets.
    ///
    /// - Returns: `nil` for anything else, and for a national zero in brackets: nobody dials it from abroad.
    init?(_ typed: String) {
        guard typed.utf8.count <= 40, !typed.contains("(0)") else { return nil }
        let digits = typed.utf8.dropFirst().filter { !" -./()".utf8.contains($0) }
        guard typed.utf8.first == UInt8(ascii: "+"), (7...15).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != UInt8(ascii: "0")
        else { return nil }
        text = "+" + String(decoding: digits, as: UTF8.self)
    }
}

/// The beginnings of numbers to which this server sends, as the operator sets them; all, if there are none.
package struct PhonePrefixes: Sendable, Equatable, CustomStringConvertible {
    let list: [String]

    /// Every number.
    static let all = PhonePrefixes(list: [])

    private init(list: [String]) { self.list = list }

    /// Reads beginnings such as `+49 +43`.
    ///
    /// - Returns: `nil` when one is no plus sign with digits behind it, or there is none.
    package init?(_ text: String) {
        let list = text.split(separator: " ").map(String.init)
        let isNumber = { (prefix: String) in
            prefix.hasPrefix("+") && (2...16).contains(prefix.utf8.count)
                && prefix.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
        }
        guard !list.isEmpty, list.allSatisfy(isNumber) else { return nil }
        self.init(list: list)
    }

    func allow(_ number: PhoneNumber) -> Bool { list.isEmpty || list.contains { number.text.hasPrefix($0) } }

    /// As it was set.
    package var description: String { list.joined(separator: " ") }
}
