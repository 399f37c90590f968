public import Encodings

/// The grammar of each kind of client field that the organisation can define.
public enum FieldValue {
    /// A decimal number: at most 15 digits, then perhaps a point or comma and at most 6 more.
    ///
    /// - Returns: the number with a point; `nil` for anything else.
    public static func number(_ text: Bytes) -> Bytes? {
        let isNegative = text.first == 0x2D
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == 0x2C || $0 == 0x2E })
        guard let whole = parts.first, (1...15).contains(whole.count), whole.allSatisfy(isDigit) else { return nil }
        var number: Bytes = isNegative ? [0x2D] : []
        number += whole
        guard parts.count == 2 else { return number }
        guard (1...6).contains(parts[1].count), parts[1].allSatisfy(isDigit) else { return nil }
        return number + [0x2E] + parts[1]
    }

    /// A day of the calendar, `2026-11-24`, from the year 1 on.
    ///
    /// - Returns: year, month and day; `nil` for anything else.
    public static func date(_ text: Bytes) -> (year: Int, month: Int, day: Int)? {
        guard text.count == 10, text[4] == 0x2D, text[7] == 0x2D, let year = digits(text[..<4]),
            let month = digits(text[5..<7]), let day = digits(text[8...]), year > 0, (1...12).contains(month)
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...days[month - 1]).contains(day) else { return nil }
        return (year, month, day)
    }

    private static func digits(_ text: ArraySlice<UInt8>) -> Int? {
        text.allSatisfy(isDigit) ? text.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
