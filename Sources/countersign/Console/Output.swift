import Encodings
import Foundation
import Interface
import Wallet

/// The output of a command: words and tables for people, one JSON object with sorted names for programs.
enum Output {
    /// Prints an object.
    static func print(_ json: JSON) {
        Swift.print(((try? json.canonical()) ?? json.serialized()).text)
    }

    /// Prints a value of the HTTP interface in the form it has there.
    static func print(value: some Encodable) throws {
        Swift.print(try InterfaceCoding.encode(value).text)
    }

    /// Prints a list as `{"items": [...]}`.
    static func print<Element: Codable & Sendable>(items: [Element]) throws {
        try print(value: Listing(items))
    }

    /// A line for a person.
    static func line(_ text: String = "") { Swift.print(text) }

    /// A line for those who read while the command goes on: it is written at once.
    ///
    /// Past the buffers of the C library: flushing them waits for a thread that reads standard input.
    static func now(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    /// The same for an object.
    static func now(_ json: JSON) { now(((try? json.canonical()) ?? json.serialized()).text) }

    /// Rows under headings, each column as wide as it needs.
    static func table(_ headings: [String], _ rows: [[String]]) {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        let format = { (row: [String]) in
            zip(row, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
                .joined(separator: "  ")
                .trimmingCharacters(in: .whitespaces)
        }
        line(Terminal.styled(format(headings), .faint))
        for row in rows { line(format(row)) }
    }

    /// A time for people: in their own time zone.
    static func time(_ seconds: Int64) -> String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
            .year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        return String(Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(style).prefix(16))
    }

    /// A day for people: of UTC, in which the server counts days.
    static func day(_ seconds: Int64) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        return Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(style)
    }

    /// What the log recorded, as a line.
    static func act(_ act: LoggedAct) {
        line(Terminal.styled("  in the log as entry \(act.index), receipt verified", .faint))
    }
}
