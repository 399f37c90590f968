public import Encodings

extension CatalogueType {
    /// A field that says what a column of a list adds up to.
    struct Total: Sendable {
        /// The field.
        let name: String
        /// The list.
        let list: String
        /// The list's column.
        let column: String
    }

    /// The totals of columns in a document's lists, by the field that holds each: `credits_total` for the credits of
    /// courses.
    ///
    /// - Returns: nothing for a column without a single number, or one that adds up to more than can be counted.
    public func totals(of values: [JSON.Member]) -> [JSON.Member] {
        totals.compactMap { total in
            let rows = values.first { $0.name.equals(text: total.list) }?.value.array ?? []
            let cells = rows.compactMap { row in
                row.members?.first { $0.name.equals(text: total.column) }?.value
            }
            return Decimal.sum(of: cells).map { JSON.Member(total.name, $0) }
        }
    }

    private var totals: [Total] {
        fields.contains { Bytes(text: $0.name).equals("credits_total") }
            ? [Total(name: "credits_total", list: "courses", column: "credits")] : []
    }
}

/// Numbers of documents, counted exactly: in millionths, as a text such as `7.5` has at most six digits behind the point.
private enum Decimal {
    static let unit: UInt64 = 1_000_000

    /// The sum of those that are numbers.
    static func sum(of cells: [JSON]) -> JSON? {
        var sum: UInt64?
        for cell in cells {
            guard let number = millionths(cell) else { continue }
            let (next, isTooMuch) = (sum ?? 0).addingReportingOverflow(number)
            guard !isTooMuch else { return nil }
            sum = next
        }
        return sum.flatMap(json)
    }

    private static func millionths(_ value: JSON) -> UInt64? {
        if let number = value.integer {
            guard number >= 0 else { return nil }
            let (scaled, isTooMuch) = UInt64(number).multipliedReportingOverflow(by: unit)
            return isTooMuch ? nil : scaled
        }
        guard let parts = value.string?.split(at: 0x2E, maximum: 2), parts.count == 2, parts[1].count <= 6,
            let whole = parseDecimal(parts[0]), var part = digits(parts[1])
        else { return nil }
        for _ in parts[1].count..<6 { part *= 10 }
        let (scaled, isTooMuch) = UInt64(whole).multipliedReportingOverflow(by: unit)
        let (number, isStillTooMuch) = scaled.addingReportingOverflow(part)
        return isTooMuch || isStillTooMuch ? nil : number
    }

    /// Digits that may begin with zeros.
    private static func digits(_ text: Bytes) -> UInt64? {
        guard !text.isEmpty, text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return text.reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
    }

    /// As documents have numbers: a whole number, or a text with no zeros at its end.
    private static func json(_ number: UInt64) -> JSON? {
        let (whole, part) = (number / unit, number % unit)
        guard part > 0 else { return Int64(exactly: whole).map { .integer($0) } }
        var digits = Bytes(decimalBytes(unit + part).dropFirst())
        while digits.last == 0x30 { digits.removeLast() }
        return .string(decimalBytes(whole) + [0x2E] + digits)
    }
}
