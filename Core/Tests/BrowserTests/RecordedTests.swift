import Encodings
import Foundation
import Testing

@testable import Browser
@testable import BrowserCalls

/// `Fixtures/calls.json`: calls and the answers that they must get, byte for byte, here and in the page.
///
/// `Tests/Browser/wasm_check.py` makes the same calls in the WebAssembly that ships. After a change that is meant,
/// `COUNTERSIGN_RECORD=1 swift test --package-path Core --filter RecordedTests` writes the file again; look at what
/// differs.
@Suite("Recorded calls", .serialized)
struct RecordedTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Fixtures/calls.json")

    /// Good calls of every function, and some that are refused.
    private static func calls() throws -> [TestCall] {
        let thumbprint = try GoodCalls.call("thumbprint")
        var opened = try GoodCalls.call("open_package")
        opened.blobs[0][100] ^= 1
        return try GoodCalls().calls + [
            TestCall(name: "nothing"), TestCall(name: "sha256"), thumbprint.with("key", .integer(1)),
            thumbprint.with("surprise", .bool(true)), opened,
        ]
    }

    private static func input(_ call: TestCall) -> Bytes {
        Frames.joined([Bytes(text: call.name), JSON.members(call.arguments).serialized()] + call.blobs)
    }

    @Test("are answered as before")
    func answers() throws {
        var recorded: [JSON] = []
        for call in try Self.calls() {
            let input = Self.input(call)
            recorded.append(
                .members([
                    ("name", .text(call.name)), ("call", .base64URL(input)),
                    ("answer", .base64URL(Browser.answer(input))),
                ]))
        }
        let text = JSON.members([("calls", .array(recorded))]).serialized() + [0x0A]
        if ProcessInfo.processInfo.environment["COUNTERSIGN_RECORD"] != nil { try Data(text).write(to: Self.file) }
        let before = try JSON.parse(Bytes(Data(contentsOf: Self.file)), maximumLength: 1 << 22)
        let calls = try #require(before["calls"]?.array)
        #expect(calls.count == recorded.count)
        for (old, new) in zip(calls, recorded) {
            let name = string(try #require(new["name"]?.string))
            #expect(old["call"] == new["call"], "the call of \(name) is another")
            #expect(old["answer"] == new["answer"], "the answer of \(name) is another")
        }
    }
}
