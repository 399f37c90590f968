import Foundation

extension WalletClient {
    /// The day of a time in seconds since 1970, in UTC, as `YYYY-MM-DD`.
    package static func day(_ time: Int64) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        return Date(timeIntervalSince1970: TimeInterval(time)).formatted(style)
    }
}
