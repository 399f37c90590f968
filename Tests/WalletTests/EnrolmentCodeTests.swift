import Encodings
import Testing

@testable import Wallet

@Suite("The code of a face-to-face check")
struct EnrolmentCodeTests {
    static let code = EnrolmentCode(
        server: "https://sign.example.edu", enrolment: "0123456789abcdef0123456789abcdef",
        signingKey: Bytes(repeating: 1, count: 32), encryptionKey: Bytes(repeating: 2, count: 32),
        commitment: Bytes(repeating: 3, count: 32))

    @Test("is read back, with white space around it")
    func roundTrip() throws {
        #expect(try EnrolmentCode.parse(Self.code.text) == Self.code)
        #expect(try EnrolmentCode.parse(" \t\(Self.code.text)\r\n") == Self.code)
        #expect(Self.code.text.utf8.count < 500)
    }

    @Test("is read from the link to the administrator's page too, and from no other server's")
    func link() throws {
        let link = Self.code.link
        #expect(link.hasPrefix("https://sign.example.edu/console/check#"))
        #expect(try EnrolmentCode.parse(link) == Self.code)
        #expect(throws: WalletError.badCode("the link leads to another server than the code is for")) {
            try EnrolmentCode.parse(link.replacing("sign.example.edu", with: "evil.example"))
        }
    }

    static func text(_ json: String) -> String { EnrolmentCode.prefix + Bytes(text: json).base64URL }
    static let hash = String(repeating: "A", count: 43)

    @Test(
        "is refused in any other form",
        arguments: [
            "", "countersign-enrol:", "hello", "COUNTERSIGN-ENROL:abcd", "countersign-enroll:abcd",
            code.text + "=", code.text + "A", String(code.text.dropLast()), code.text + " " + code.text,
            EnrolmentCode.prefix + String(repeating: "A", count: 2_000),
            text("{}"), text("[]"), text("null"), text("{\"server\":\"https://a\"}"),
            // Not canonical: order, white space, escapes.
            text(
                "{\"server\":\"https://a\",\"commitment\":\"\(hash)\",\"encryption_key\":\"\(hash)\",\"enrolment\":\"e\",\"key\":\"\(hash)\"}"
            ),
            text(
                "{ \"commitment\":\"\(hash)\",\"encryption_key\":\"\(hash)\",\"enrolment\":\"e\",\"key\":\"\(hash)\",\"server\":\"https://a\"}"
            ),
            // A member too many, a short hash, an empty id.
            text(
                "{\"a\":1,\"commitment\":\"\(hash)\",\"encryption_key\":\"\(hash)\",\"enrolment\":\"e\",\"key\":\"\(hash)\",\"server\":\"https://a\"}"
            ),
            text(
                "{\"commitment\":\"AAAA\",\"encryption_key\":\"\(hash)\",\"enrolment\":\"e\",\"key\":\"\(hash)\",\"server\":\"https://a\"}"
            ),
            text(
                "{\"commitment\":\"\(hash)\",\"encryption_key\":\"\(hash)\",\"enrolment\":\"\",\"key\":\"\(hash)\",\"server\":\"https://a\"}"
            ),
            text(
                "{\"commitment\":\"\(hash)\",\"encryption_key\":\"\(hash)\",\"enrolment\":\"e\",\"key\":\"\(hash)\",\"server\":\"\"}"
            ),
        ])
    func refused(text: String) {
        #expect(throws: WalletError.self) { try EnrolmentCode.parse(text) }
    }
}

@Suite("A shared link")
struct SharedLinkTests {
    @Test("is read back")
    func roundTrip() throws {
        let link = SharedLink(server: "https://sign.example.edu", id: "abc", key: Bytes(repeating: 9, count: 32))
        #expect(try SharedLink.parse(link.text) == link)
        #expect(try SharedLink.parse("http://localhost:8080/s/a-b_c#\(EnrolmentCodeTests.hash)\n").id == "a-b_c")
    }

    @Test(
        "is refused in any other form",
        arguments: [
            "", "https://a/s/b", "https://a/s/b#", "https://a/s/b#short", "https://a/t/b#\(EnrolmentCodeTests.hash)",
            "https://a/s/../b#\(EnrolmentCodeTests.hash)", "https://a/s/b/c#\(EnrolmentCodeTests.hash)",
            "https://a/s/b?x#\(EnrolmentCodeTests.hash)", "ftp://a/s/b#\(EnrolmentCodeTests.hash)",
            "http://elsewhere.example/s/b#\(EnrolmentCodeTests.hash)", "https://a/s/b#\(EnrolmentCodeTests.hash)#",
            "https://user@a/s/b#\(EnrolmentCodeTests.hash)",
        ])
    func refused(text: String) {
        #expect(throws: WalletError.self) { try SharedLink.parse(text) }
    }
}
