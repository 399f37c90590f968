import Encodings

/// A time as a challenge shows it: `2026-11-25 03:11:08 UTC`, in the Gregorian calendar.
enum CivilTime {
    /// The last second of the year 9999.
    static let latest: Int64 = 253_402_300_799

    /// - Parameter time: seconds since 1970, from 0 to `latest`.
    static func text(_ time: Int64) -> Bytes {
        let (days, second) = time.quotientAndRemainder(dividingBy: 86_400)
        // Years are counted from March of the year 0, so that the leap day is the last of its year.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let day = shifted - era * 146_097
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isAfterDecember = month >= 10
        var text = digits(year + era * 400 + (isAfterDecember ? 1 : 0), 4)
        text += [0x2D] + digits(isAfterDecember ? month - 9 : month + 3, 2)
        text += [0x2D] + digits(dayOfYear - (153 * month + 2) / 5 + 1, 2)
        text += [0x20] + digits(second / 3_600, 2) + [0x3A] + digits(second / 60 % 60, 2) + [0x3A]
        return text + digits(second % 60, 2) + Bytes(text: " UTC")
    }

    private static func digits(_ number: Int64, _ count: Int) -> Bytes {
        var digits = decimalBytes(UInt64(number))
        while digits.count < count { digits.insert(0x30, at: 0) }
        return digits
    }
}
