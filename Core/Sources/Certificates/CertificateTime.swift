package import Encodings

/// Certificate times (RFC 5280 section 4.1.2.5) as seconds since 1970.
package enum CertificateTime {
    static func read(from reader: inout CertificateReader) throws(CertificateError) -> Int64 {
        try seconds(reader.any())
    }

    /// Reads UTCTime until 2049 and GeneralizedTime after, both to the second and in UTC: the only forms allowed.
    package static func seconds(_ element: DERReader.Element) throws(CertificateError) -> Int64 {
        let text = element.content
        let yearDigits: Int
        switch element.tag {
        case DERTag.utcTime: yearDigits = 2
        case DERTag.generalizedTime: yearDigits = 4
        default: throw .badTime
        }
        guard text.count == yearDigits + 11, text[text.count - 1] == 0x5A,
            var year = number(text, 0, yearDigits),
            let month = number(text, yearDigits, 2), let day = number(text, yearDigits + 2, 2),
            let hour = number(text, yearDigits + 4, 2), let minute = number(text, yearDigits + 6, 2),
            let second = number(text, yearDigits + 8, 2)
        else { throw .badTime }
        if yearDigits == 2 {
            year += year < 50 ? 2000 : 1900
        } else if year < 2050 {
            throw .badTime
        }
        guard month >= 1, month <= 12, day >= 1, day <= days(inMonth: month, of: year), hour < 24, minute < 60,
            second < 60
        else { throw .badTime }
        return daysSince1970(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
    }

    /// Writes UTCTime until 2049 and GeneralizedTime after.
    ///
    /// - Returns: `nil` before 1970 and after 9999.
    static func written(_ time: Int64) -> Bytes? {
        guard time >= 0, time < daysSince1970(10_000, 1, 1) * 86400 else { return nil }
        let (days, second) = time.quotientAndRemainder(dividingBy: 86400)
        let (year, month, day) = date(days)
        let isShort = year < 2050
        var text: Bytes = []
        if !isShort { append(year / 100, to: &text) }
        for number in [year % 100, month, day, second / 3600, second / 60 % 60, second % 60] {
            append(number, to: &text)
        }
        text.append(0x5A)
        return DERWriter.element(isShort ? DERTag.utcTime : DERTag.generalizedTime, text)
    }

    /// Two digits.
    private static func append(_ number: Int64, to text: inout Bytes) {
        text.append(0x30 + UInt8(number / 10))
        text.append(0x30 + UInt8(number % 10))
    }

    /// The year, month and day that begin so many days after 1970 began.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // No year has more than 366 days, so this is the right year or an earlier one.
        var year = 1970 + days / 366
        while daysSince1970(year + 1, 1, 1) <= days { year += 1 }
        var month: Int64 = 1
        while month < 12, daysSince1970(year, month + 1, 1) <= days { month += 1 }
        return (year, month, days - daysSince1970(year, month, 1) + 1)
    }

    private static func number(_ text: Bytes, _ start: Int, _ count: Int) -> Int64? {
        var value: Int64 = 0
        for index in start..<start + count {
            guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
            value = value * 10 + Int64(text[index] - 0x30)
        }
        return value
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days in the proleptic Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day is the last.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let marchMonth = (month + 9) % 12
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    }
}
