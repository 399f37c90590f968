/// A moment as Amazon's interfaces write it, in UTC.
struct AWSTime: Equatable {
    /// Seconds since 1970.
    let seconds: Int64

    /// `20150830T123600Z`.
    var stamp: String {
        let time = ((seconds % 86_400) + 86_400) % 86_400
        return day + "T" + Self.padded(time / 3_600) + Self.padded(time / 60 % 60) + Self.padded(time % 60) + "Z"
    }

    /// `20150830`.
    var day: String {
        let (year, month, day) = Self.date(ofDay: (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400)
        return "\(year)" + Self.padded(month) + Self.padded(day)
    }

    init(seconds: Int64) { self.seconds = seconds }

    /// Reads `2015-08-30T12:36:00.000Z`, with or without a fraction.
    ///
    /// - Returns: `nil` for any other text.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (20...30).contains(bytes.count), bytes[bytes.count - 1] == UInt8(ascii: "Z") else { return nil }
        let marks: [(place: Int, byte: Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        guard marks.allSatisfy({ bytes[$0.place] == $0.byte.asciiValue }) else { return nil }
        let fraction = bytes[19..<bytes.count - 1]
        guard fraction.isEmpty || (fraction.first == UInt8(ascii: ".") && Self.number(fraction.dropFirst()) != nil),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
            (1970...9_999).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        seconds = Self.day(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The days from 1 March of year 0 to 1 January 1970.
    private static let epoch: Int64 = 719_468

    /// Days since 1970.
    ///
    /// Years begin in March here, so that a leap day is a year's last.
    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let years = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear - epoch
    }

    /// The opposite of `day`, for days from 1970 on.
    private static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = number + epoch
        let (era, dayOfEra) = (days / 146_097, days % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
