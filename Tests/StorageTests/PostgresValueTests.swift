import Testing

@testable import Storage

@Suite("Values as PostgreSQL writes them")
struct PostgresValueTests {
    @Test("bytes: a backslash, an x, and two digits for each")
    func bytes() throws {
        #expect(try PostgresResult.bytes("\\x") == [])
        #expect(try PostgresResult.bytes("\\x00ff10") == [0, 255, 16])
    }

    @Test(
        "anything else is refused, and nothing of it is left out",
        arguments: ["\\x0", "\\x00f", "\\x0g", "\\xg0", "00ff", "x00ff", "", "\\", "\\x00FF", "\\x+1"])
    func refused(text: String) {
        #expect(throws: StorageError.corrupt(detail: "a byte column holds something else")) {
            _ = try PostgresResult.bytes(text)
        }
    }
}
