import Encodings
import Logging
import Synchronization
import Testing

@testable import Server

@Suite("The log is one line an event")
struct LogTests {
    private func lines(_ format: ServerConfiguration.LogFormat, _ write: (Logger) -> Void) -> [String] {
        let bytes = Mutex<Bytes>([])
        let handler = LineLogHandler(format: format) { line in bytes.withLock { $0 += line } }
        write(Logger(label: "x") { _ in handler })
        return String(decoding: bytes.withLock { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("nobody can forge a line", arguments: ServerConfiguration.LogFormat.allCases)
    func forged(_ format: ServerConfiguration.LogFormat) {
        let found = lines(format) {
            $0.info("a\n2026 error forged", metadata: ["x": "\r\nforged\u{1B}[2J", "y\n": "z"])
        }
        #expect(found.count == 1)
        #expect(found.allSatisfy { !$0.utf8.contains { $0 < 0x20 } })
    }

    @Test("JSON lines are JSON")
    func json() throws {
        let found = lines(.json) { logger in
            var logger = logger
            logger[metadataKey: "hb.request.id"] = "id1"
            logger.warning("hello", metadata: ["n": "\(3)"])
            logger.debug("below the level")
        }
        #expect(found.count == 1)
        let json = try JSON.parse(Bytes(text: try #require(found.first)))
        #expect(json["level"] == .text("warning") && json["message"] == .text("hello"))
        #expect(json["request"] == .text("id1") && json["n"] == .text("3") && json["time"] != nil)
        let time = String(decoding: json["time"]?.string ?? [], as: UTF8.self)
        #expect(time.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil)
    }
}
