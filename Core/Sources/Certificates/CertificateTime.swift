internal import Encodings

/// Certificate times (RFC 5280 section 4.1.2.5) as seconds since 1970.
enum CertificateTime {
    /// Reads UTCTime until 2049 and GeneralizedTime after, both to the second and in UTC: the only forms allowed.
    static func read(from reader: inout CertificateReader) throws(CertificateError) -> Int64 {
        let element = try reader.any()
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
