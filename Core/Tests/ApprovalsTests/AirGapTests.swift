import Approvals
import EllipticCurves
import Encodings
import Testing

@Suite("A message across an air gap")
struct AirGapTests {
    private let suite = PureSuite()

    private func collect(_ texts: [Bytes]) throws -> Bytes? {
        var collector = PartCollector()
        for text in texts {
            if let message = try collector.add(text, suite: suite) { return message }
        }
        return nil
    }

    private func shuffled(_ texts: [Bytes], _ seed: UInt64) -> [Bytes] {
        var state = seed
        return texts.map { text -> (UInt64, Bytes) in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33, text)
        }.sorted { $0.0 < $1.0 }.map { $0.1 }
    }

    @Test("has the link and the parts that Python makes, and comes together in any order")
    func vectors() throws {
        let vectors = try Fixture.json("approvals").list("air_gap")
        #expect(vectors.count == 4)
        for vector in vectors {
            let message = try vector.hex("message")
            let length = Int(try vector.number("length"))
            let texts = try vector.list("parts").map { try #require($0.string) }
            #expect(ApprovalLink.encode(message) == (try vector.text("link")))
            #expect(try ApprovalLink.parse(try vector.text("link")) == message)
            #expect(try ApprovalLink.parse(ApprovalLink.encode(message, forPages: true)) == message)
            let parts = try ApprovalPart.parts(of: message, length: length, suite: suite)
            #expect(parts.map { $0.encoded() } == texts)
            #expect(try collect(texts) == message)
            #expect(try collect(texts.reversed()) == message)
            for seed in UInt64(1)...20 { #expect(try collect(shuffled(texts, seed)) == message) }
            #expect(try collect(Array(texts.dropLast())) == nil)
        }
    }

    @Test("takes neither duplicates nor parts of another message, and is not disturbed by them")
    func foreign() throws {
        let message = Bytes(0..<250)
        let parts = try ApprovalPart.parts(of: message, length: 100, suite: suite).map { $0.encoded() }
        let others = try ApprovalPart.parts(of: message + [0], length: 100, suite: suite).map { $0.encoded() }
        var collector = PartCollector()
        #expect(collector.expected == nil)
        #expect(try collector.add(parts[1], suite: suite) == nil)
        #expect(collector.expected == 3)
        #expect(throws: PartError.duplicate) { try collector.add(parts[1], suite: suite) }
        for other in others { #expect(throws: PartError.foreign) { try collector.add(other, suite: suite) } }
        // The same message in other pieces is another animation.
        let halves = try ApprovalPart.parts(of: message, length: 125, suite: suite).map { $0.encoded() }
        #expect(throws: PartError.foreign) { try collector.add(halves[0], suite: suite) }
        #expect(throws: PartError.notAPart) { try collector.add(ApprovalLink.encode(message), suite: suite) }
        #expect(throws: PartError.notAPart) { try collector.add(Bytes(text: "https://example.org"), suite: suite) }
        #expect(collector.received == 1)
        #expect(try collector.add(parts[2], suite: suite) == nil)
        #expect(try collector.add(parts[0], suite: suite) == message)
        #expect(throws: PartError.duplicate) { try collector.add(parts[0], suite: suite) }
    }

    @Test("is not put together from pieces that say they are its own")
    func forged() throws {
        let message = Bytes(0..<250)
        let parts = try ApprovalPart.parts(of: message, length: 100, suite: suite)
        func forged(_ index: Int, _ piece: Bytes) -> Bytes {
            let digest = Base64.encode(parts[0].digest, .url)
            return Bytes(text: "authreq:2:\(index)/3/") + digest + [0x2F] + Base64.encode(piece, .url)
        }
        var collector = PartCollector()
        #expect(try collector.add(parts[0].encoded(), suite: suite) == nil)
        let otherPiece = forged(1, Bytes(repeating: 0, count: 100))
        #expect(throws: PartError.conflicting) { try collector.add(otherPiece, suite: suite) }
        #expect(throws: PartError.conflicting) { try collector.add(forged(2, [1, 2, 3]), suite: suite) }
        #expect(throws: PartError.conflicting) {
            try collector.add(forged(3, Bytes(repeating: 0, count: 101)), suite: suite)
        }
        #expect(try collector.add(forged(2, Bytes(repeating: 0, count: 100)), suite: suite) == nil)
        #expect(throws: PartError.damaged) { try collector.add(parts[2].encoded(), suite: suite) }
        // It begins again, and the true ones go through.
        #expect(collector.received == 0)
        #expect(try collector.add(parts[0].encoded(), suite: suite) == nil)
        #expect(try collector.add(parts[1].encoded(), suite: suite) == nil)
        #expect(try collector.add(parts[2].encoded(), suite: suite) == message)
        // The last piece may come first, and then says nothing yet about how long the others are.
        var last = PartCollector()
        #expect(try last.add(parts[2].encoded(), suite: suite) == nil)
        #expect(throws: PartError.conflicting) { try last.add(forged(1, Bytes(repeating: 0, count: 49)), suite: suite) }
    }

    @Test(
        "is refused in every other spelling",
        arguments: [
            "", "authreq:2:", "authreq:2:1/1", "authreq:2:1/1/D/QQ", "authreq:2:0/1/D/QQ", "authreq:2:2/1/D/QQ",
            "authreq:2:01/1/D/QQ", "authreq:2:1/513/D/QQ", "authreq:2:1/0/D/QQ", "authreq:2:-1/1/D/QQ",
            "authreq:2:1/1/D/", "authreq:2:1/1/D/Q", "authreq:2:1/1/D/QR", "authreq:2:1/1/D/QQ==",
            "authreq:2:1/1/D/QQ/QQ",
            "authreq:3:1/1/D/QQ", "authreq://1/1/D/QQ", "AUTHREQ:2:1/1/D/QQ", "authreq:2:1/1/x/QQ",
            "authreq:2:1/18446744073709551616/D/QQ",
        ])
    func spelling(text: String) {
        let digest = String(decoding: Base64.encode(Bytes(repeating: 1, count: 32), .url), as: UTF8.self)
        let written = Bytes(
            text: text.replacing("D", with: digest, maxReplacements: text == "authreq:2:1/1/D/QQ" ? 0 : 1))
        #expect(throws: ApprovalError.malformed) { try ApprovalPart.parse(written) }
        #expect(throws: ApprovalError.malformed) { try ApprovalPart.parse(Bytes(text: "x") + written) }
    }

    @Test("has limits")
    func limits() throws {
        #expect(throws: ApprovalError.malformed) { try ApprovalPart.parts(of: [], suite: suite) }
        #expect(throws: ApprovalError.malformed) {
            try ApprovalPart.parts(of: Bytes(repeating: 0, count: 513), length: 1, suite: suite)
        }
        #expect(throws: ApprovalError.malformed) { try ApprovalPart.parts(of: [1], length: 0, suite: suite) }
        let long = Bytes(repeating: 0, count: ApprovalLink.maximumMessage + 1)
        #expect(throws: ApprovalError.malformed) { try ApprovalPart.parts(of: long, suite: suite) }
        for link in ["", "authreq:2:", "authreq:2:%%", "authreq:2:QR", "authreq://QQ", "web+authreq:QQ"] {
            #expect(throws: ApprovalError.malformed) { try ApprovalLink.parse(Bytes(text: link)) }
        }
        #expect(throws: ApprovalError.malformed) { try ApprovalLink.parse(ApprovalLink.encode(long)) }
    }
}
