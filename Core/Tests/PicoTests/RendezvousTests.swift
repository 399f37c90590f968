import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("The rendezvous channel")
struct RendezvousTests {
    @Test("answers as the original server in every recorded case")
    func recorded() throws {
        let cases = try Fixture.cases("rendezvous")
        #expect(cases.count == 9)
        for vector in cases where try !vector.text("id").equals("new") { try replay(vector) }
    }

    private func replay(_ vector: JSON) throws {
        let id = string(try vector.text("id"))
        let requests = try vector.list("requests")
        var channel = RendezvousChannel()
        var answers: [UInt64: (RendezvousAnswer, Int64)] = [:]
        for (index, request) in requests.enumerated() {
            let now = try request.number("at_ms")
            let act: RendezvousChannel.Request
            switch string(try request.text("method")) {
            case "GET": act = .read
            case "POST": act = .write(try request.hex("send"))
            default: act = .close
            }
            for delivery in channel.handle(act, number: UInt64(index)) {
                answers[delivery.request] = (delivery.answer, now)
            }
        }
        let patience = Int64(RendezvousChannel.patience) * 1_000
        for number in requests.indices.map(UInt64.init) where answers[number] == nil {
            channel.leave(number)
            answers[number] = (.timedOut, patience)
        }
        for (index, request) in requests.enumerated() {
            let (answer, time) = try #require(answers[UInt64(index)], "\(id)")
            #expect(Int64(answer.statusCode) == (try request.number("expect_status")), "\(id)")
            #expect(time >= request["after_ms"]?.integer ?? 0)
            guard let type = request["expect_type"]?.string else { continue }
            #expect(type.equals(answer.contentType), "\(id)")
            let expected = try request.member("expect_body")
            if let hex = expected.string {
                #expect(answer.body == Hex.decode(hex), "\(id)")
            } else {
                let body = try JSON.parse(answer.body)
                #expect(body["code"] == expected["code"], "\(id)")
                #expect(answer.body.last == 0x0A)
            }
        }
        #expect(channel.isIdle)
    }

    @Test("answers are read back as a client has to read them")
    func answers() throws {
        let data = PicoFrame.encode(Bytes(text: "{\"status\":\"error\",\"code\":2}"))
        for answer in [RendezvousAnswer.data(data), .data([]), .taken, .closed, .timedOut, .busy] {
            var type: Bytes = []
            answer.contentType.withUTF8Buffer { unsafe type = Bytes($0) }
            #expect(
                try RendezvousAnswer.read(statusCode: answer.statusCode, contentType: type, body: answer.body) == answer
            )
        }
        let json = Bytes(text: "application/json")
        for (code, type, body) in [
            (200, Bytes(text: "text/html"), "{\"code\":0}"), (500, json, "{\"code\":0}"), (200, json, "{\"code\":1}"),
            (200, json, "{}"), (200, json, "[]"), (200, json, ""),
        ] {
            #expect(
                refusal { try RendezvousAnswer.read(statusCode: code, contentType: type, body: Bytes(text: body)) }
                    == .malformed)
        }
    }

    @Test("a client that goes away frees the slot and loses its write")
    func disconnecting() {
        var channel = RendezvousChannel()
        #expect(channel.handle(.write([1]), number: 1).isEmpty)
        channel.leave(2)
        #expect(!channel.isIdle)
        channel.leave(1)
        #expect(channel.isIdle)
        #expect(channel.handle(.read, number: 3).isEmpty)
        channel.leave(3)
        #expect(channel.isIdle)
    }

    @Test("a body above 64 KiB is refused and keeps no slot")
    func limit() {
        var channel = RendezvousChannel()
        let long = Bytes(repeating: 0, count: PicoLimits.message + 5)
        #expect(channel.handle(.write(long), number: 1).map { $0.answer } == [.tooLarge])
        #expect(channel.isIdle)
    }

    @Test("carries a whole run between our Pico and our service")
    func wholeRun() throws {
        let pair = try Pair()
        var channel = RendezvousChannel()
        var number: UInt64 = 0
        func carry(_ message: Bytes) throws -> Bytes {
            number += 2
            #expect(channel.handle(.read, number: number).isEmpty)
            let deliveries = channel.handle(.write(PicoFrame.encode(message)), number: number + 1)
            #expect(deliveries.last == .init(request: number + 1, answer: .taken))
            guard case .data(let body) = deliveries.first?.answer else { throw Missing() }
            return try PicoFrame.decode(body)
        }
        var verifier = pair.verifier()
        var (prover, start) = try pair.prover()
        let serviceAuth = try carry(verifier.receive(start: carry(start), at: 0, suite: pair.suite))
        _ = try prover.receive(serviceAuth: serviceAuth, at: 0, suite: pair.suite)
        let picoAuth = try carry(prover.answer(with: pair.pico, extraData: [], at: 0, suite: pair.suite))
        _ = try verifier.receive(picoAuth: picoAuth, at: 0, suite: pair.suite)
        let status = try carry(verifier.accept(.paired(pair.pico.publicKey), at: 0, suite: pair.suite).status)
        _ = try prover.receive(status: status, at: 0, suite: pair.suite)
    }
}
