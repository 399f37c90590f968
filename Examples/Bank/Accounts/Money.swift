/// A sum in pence: whole numbers alone, so nothing is ever rounded.
struct Money: Hashable, Comparable, Sendable, CustomStringConvertible {
    static let currency = "GBP"
    /// A transfer has at most this much.
    static let largest = Money(pence: 1_000_000_00)
    let pence: Int64

    init(pence: Int64) { self.pence = pence }

    /// Takes what a person types: `30`, `30.5`, `30.50`, `£1,250`.
    ///
    /// - Returns: `nil` for anything else, for nothing, and for more than ``largest``.
    init?(typed: String) {
        let text = typed.filter { $0 != "," && $0 != "£" && $0 != " " }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), Self.isNumber(parts[0], 1...7), let pounds = Int64(parts[0]) else {
            return nil
        }
        var pence: Int64 = 0
        if parts.count == 2 {
            guard Self.isNumber(parts[1], 1...2), let number = Int64(parts[1]) else { return nil }
            pence = parts[1].utf8.count == 1 ? number * 10 : number
        }
        self.pence = pounds * 100 + pence
        guard self.pence > 0, self <= Self.largest else { return nil }
    }

    private static func isNumber(_ text: Substring, _ length: ClosedRange<Int>) -> Bool {
        length.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    var description: String {
        let (pounds, rest) = pence.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(pence < 0 ? "-" : "")\(pounds).\(rest < 10 ? "0" : "")\(rest) \(Self.currency)"
    }

    static func < (left: Money, right: Money) -> Bool { left.pence < right.pence }
    static func + (left: Money, right: Money) -> Money { Money(pence: left.pence + right.pence) }
    static func - (left: Money, right: Money) -> Money { Money(pence: left.pence - right.pence) }
}
