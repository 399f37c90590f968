import Encodings
import Testing

@testable import HandSignatures

/// Values of fields that an organisation defines.
@Suite("Values of defined fields")
struct FieldValueTests {
    @Test(
        "numbers have digits, and perhaps a part behind a point or comma",
        arguments: [
            ("7", "7"), ("-7", "-7"), ("007", "007"), ("1.5", "1.5"), ("1,5", "1.5"),
            ("123456789012345", "123456789012345"),
            ("0.123456", "0.123456"), ("", nil), ("-", nil), ("1.", nil), (".5", nil), ("1.2.3", nil), ("1e5", nil),
            ("١", nil), ("1234567890123456", nil), ("0.1234567", nil), ("+1", nil), (" 1", nil), ("--1", nil),
        ] as [(String, String?)])
    func numbers(_ text: String, _ number: String?) {
        #expect(FieldValue.number(Bytes(text: text)) == number.map { Bytes(text: $0) })
    }

    @Test(
        "dates are days that there are",
        arguments: [
            ("2026-11-24", true), ("2024-02-29", true), ("2000-02-29", true), ("0001-01-01", true),
            ("2026-02-29", false),
            ("1900-02-29", false), ("2026-13-01", false), ("2026-00-10", false), ("2026-04-31", false),
            ("2026-04-00", false), ("0000-01-01", false), ("2026-1-1", false), ("24.11.2026", false),
            ("2026/11/24", false), ("2026-11-24T", false), ("٢٠٢٦-11-24", false), ("", false),
        ])
    func dates(_ text: String, _ isDay: Bool) {
        #expect((FieldValue.date(Bytes(text: text)) != nil) == isDay)
    }
}
