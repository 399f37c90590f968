import Encodings

/// When another server wants to be asked again: `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Seconds from now on.
    ///
    /// - Parameter now: seconds since 1970, by the server's clock; a date is compared with it, as there is no other.
    /// - Returns: 0 for a date that has passed; `nil` for what is neither a number nor a date.
    static func seconds(_ text: String, now: Int64) -> Int64? {
        if text.utf8.count <= 9, let number = parseDecimal(Bytes(text: text)) { return Int64(number) }
        return date(text).map { max(0, $0 - now) }
    }

    /// A date in the one form that may be written (RFC 9110 section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// The two older forms nobody writes any more.
    ///
    /// - Returns: seconds since 1970.
    static func date(_ text: String) -> Int64? {
        let pattern = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z][a-z]) (\d{4}) (\d\d):(\d\d):(\d\d) GMT/
        guard text.utf8.count == 29, let match = text.wholeMatch(of: pattern.asciiOnlyDigits()),
            let month = months.firstIndex(of: String(match.2)), let day = Int64(match.1), let year = Int64(match.3),
            let hour = Int64(match.4), let minute = Int64(match.5), let second = Int64(match.6),
            year >= 1970, (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year, Int64(month) + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Days from 1 January 1970 to a day of the Gregorian calendar, for years from 1970 on.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // A year that begins in March has its leap day at its end.
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let inYear = (153 * month + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + inYear - 719_468
    }
}
