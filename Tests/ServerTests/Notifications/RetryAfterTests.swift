import Testing

@testable import Server

/// `Retry-After`, which others write (RFC 9110 section 10.2.3).
@Suite("When others want to be asked again")
struct RetryAfterTests {
    @Test(
        "a number of seconds, or a date by our clock",
        arguments: [
            ("0", 0), ("120", 120), ("999999999", 999_999_999), ("Mon, 21 Sep 2026 14:13:20 GMT", 0),
            ("Mon, 21 Sep 2026 14:14:20 GMT", 60), ("Mon, 21 Sep 2026 14:13:19 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("", nil), ("-1", nil),
            ("1.5", nil), (" 1", nil), ("1000000000", nil), ("soon", nil), ("Mon, 21 Sep 2026 14:13:20", nil),
            ("Mon, 21 Sep 2026 24:13:20 GMT", nil), ("Mon, 00 Sep 2026 14:13:20 GMT", nil),
            ("Mon, 21 Spt 2026 14:13:20 GMT", nil), ("Mon, 21 Sep 1969 14:13:20 GMT", nil),
            ("Mon, 21 Sep 2026 14:13:20 CET", nil), ("Mon, \u{662}\u{661} Sep 2026 14:13:20 GMT", nil),
        ] as [(String, Int64?)])
    func seconds(text: String, expected: Int64?) {
        #expect(RetryAfter.seconds(text, now: 1_790_000_000) == expected)
    }

    @Test("dates over leap days and centuries")
    func dates() {
        #expect(RetryAfter.date("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(RetryAfter.date("Tue, 29 Feb 2000 00:00:00 GMT") == 951_782_400)
        #expect(RetryAfter.date("Mon, 01 Mar 2100 00:00:00 GMT") == 4_107_542_400)
        #expect(RetryAfter.date("Fri, 31 Dec 1999 23:59:59 GMT") == 946_684_799)
        for day in 0..<20_000 as Range<Int64> {
            // The other direction is the mail's, which knows the calendar from elsewhere.
            guard day % 37 == 0 else { continue }
            let time = day * 86_400 + 12_345
            #expect(RetryAfter.date(MailMessage.date(time).replacing("+0000", with: "GMT")) == time)
        }
    }
}
