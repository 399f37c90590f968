import Encodings
import Interface
import Testing

@testable import Wallet

@Suite("A stream of live events")
struct EventParserTests {
    static let event = #"{"kind":"request","id":"r1","state":"pending"}"#

    @Test(
        "gives the events in it",
        arguments: [
            ("data: \(event)\n\n", 1), ("data:\(event)\n\n", 1), ("data: \(event)\r\n\r\n", 1),
            ("data: \(event)\r\r", 1), ("\u{FEFF}data: \(event)\n\n", 1),
            (": heartbeat\n\n", 0), ("event: x\nid: 4\nretry: 10\ndata: \(event)\n\n", 1),
            ("data: \(event)\n", 0), ("data\n\n", 0), ("data: not json\n\n", 0),
            ("data: {\"kind\":\"request\",\ndata: \"id\":\"r1\",\"state\":\"pending\"}\n\n", 1),
            ("data: \(event)\n\n: x\n\ndata: \(event)\n\n", 2), ("datum: \(event)\n\n", 0), ("\n\n\n", 0),
        ])
    func events(text: String, count: Int) {
        var parser = EventParser()
        let events = parser.take(text.utf8)
        #expect(events.count == count)
        #expect(events.allSatisfy { $0.kind == "request" && $0.id == "r1" && $0.state == "pending" })
    }

    @Test("does not depend on how it is cut", arguments: ["\n", "\r\n", "\r"])
    func cut(end: String) {
        let text = Array("data: \(Self.event)\(end)\(end)".utf8)
        for place in 0...text.count {
            var parser = EventParser()
            let events = parser.take(text[..<place]) + parser.take(text[place...])
            #expect(events.count == 1)
        }
    }

    @Test("drops an event that is too long, and goes on with the next")
    func tooLong() {
        var parser = EventParser()
        let long = String(repeating: "x", count: EventParser.maximumLength + 1)
        #expect(parser.take("data: \(long)\n\n".utf8).isEmpty)
        let many = String(repeating: "data: \(String(repeating: "y", count: 1_000))\n", count: 100)
        #expect(parser.take("\(many)\n".utf8).isEmpty)
        // Only ends of lines are still too much.
        let empty = String(repeating: "data:\n", count: EventParser.maximumLength)
        #expect(parser.take("data: \(Self.event)\n\(empty)\n".utf8).isEmpty)
        #expect(parser.take("data: \(Self.event)\n\n".utf8).count == 1)
    }
}
