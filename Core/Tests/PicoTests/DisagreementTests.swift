import EllipticCurves
import Encodings
import Testing

@testable import Pico

/// Section 12 of the specification, by its numbers: what we do where the old programs differ.
@Suite("The 14 disagreements")
struct DisagreementTests {
    private let pair: Pair
    private var suite: TestSuite { pair.suite }

    init() throws { pair = try Pair() }

    /// Runs a Pico that always sends and signs session id 0, as libpico's does.
    private func libpicoSignsIn(sessionID: Int32) throws -> PicoError? {
        var verifier = PicoVerifier(
            identity: pair.service, purpose: .authentication, sessionID: sessionID, at: 0)
        let pico = try ForgingPico(pair, &verifier)
        let message = try pico.picoAuth(pico.proof(pair.pico).encoded() + PicoElements.write([]))
        return refusal { try verifier.receive(picoAuth: message, at: 0, suite: suite) }
    }

    @Test("1: session id 0 takes every Pico; another one takes those that echo it")
    func sessionID() throws {
        #expect(try libpicoSignsIn(sessionID: 0) == nil)
        #expect(try libpicoSignsIn(sessionID: 9) == .wrongSession)
        for id: Int32 in [0, 7, -1, -5, 1_234_567, .max, .min] {
            var pair = pair
            pair.sessionID = id
            var run = try pair.met()
            let picoAuth = try run.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
            #expect(try SealedMessage.parse(picoAuth).sessionID == id)
            _ = try run.verifier.receive(picoAuth: picoAuth, at: 0, suite: suite)
            let status = try run.verifier.accept(.paired(pair.pico.publicKey), at: 0, suite: suite).status
            // libpico may put another number into Status: a Pico ignores it.
            let other = try JSON.parse(status).setting("sessionId", .integer(99)).serialized()
            _ = try run.prover.receive(status: other, at: 0, suite: suite)
        }
    }

    @Test("2: we answer a bad PicoAuth with Status -1, and take silence for no")
    func badPicoAuth() throws {
        var verifier = pair.verifier()
        let pico = try ForgingPico(pair, &verifier)
        #expect(refusal { try verifier.receive(picoAuth: [0], at: 0, suite: suite) } == .malformed)
        #expect(try pico.statusByte(verifier.reject(suite: suite)) == 0xFF)
        var run = try pair.met()
        _ = try run.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
        #expect(refusal { try run.prover.receive(status: [], at: PicoProver.patience + 1, suite: suite) } == .timedOut)
    }

    @Test("3: a Pico checks the service's identity, and the signature of a pairing code")
    func identity() throws {
        var (prover, start) = try pair.prover()
        let forger = try Forger(pair, start: start)
        let message = try forger.serviceAuth(forger.proof(suite.freshKey(on: .p256)).encoded())
        #expect(refusal { try prover.receive(serviceAuth: message, at: 0, suite: suite) } == .wrongService)
        let renamed = try JSON.parse(pair.code.encoded()).setting("sn", .text("other")).serialized()
        #expect(refusal { try PicoCode.read(renamed, suite: suite) } == .invalidSignature)
    }

    @Test("4: bytes behind the last element are refused in every message")
    func trailing() throws {
        var (prover, start) = try pair.prover()
        let forger = try Forger(pair, start: start)
        let serviceAuth = try forger.serviceAuth(forger.proof(pair.service).encoded() + [0])
        #expect(refusal { try prover.receive(serviceAuth: serviceAuth, at: 0, suite: suite) } == .malformed)
        var verifier = pair.verifier()
        let pico = try ForgingPico(pair, &verifier)
        let picoAuth = try pico.picoAuth(pico.proof(pair.pico).encoded() + PicoElements.write([]) + [0])
        #expect(refusal { try verifier.receive(picoAuth: picoAuth, at: 0, suite: suite) } == .malformed)
        #expect(refusal { try PicoStatus.parse([0, 0, 0, 0, 0, 0]) } == .malformed)
        let number = try PicoSequence(Bytes(0..<32))
        let pause = PicoReauth(state: .paused, sequence: number)
        #expect(refusal { try PicoReauth.parse(pause.encoded() + [0]) } == .malformed)
        let reauth = ServiceReauth(state: .active, timeout: 1, sequence: number)
        #expect(refusal { try ServiceReauth.parse(reauth.encoded() + [0]) } == .malformed)
    }

    @Test("5: a rendezvous point's TIMEOUT is no message, and the same request goes again")
    func timeout() throws {
        var channel = RendezvousChannel()
        #expect(channel.handle(.write([1]), number: 1).isEmpty)
        channel.leave(1)
        let answer = RendezvousAnswer.timedOut
        let read = try RendezvousAnswer.read(
            statusCode: answer.statusCode, contentType: Bytes(text: "application/json"), body: answer.body)
        #expect(read == .timedOut)
        #expect(channel.handle(.write([1]), number: 2).isEmpty)
        #expect(channel.handle(.read, number: 3).first?.answer == .data([1]))
    }

    @Test("6: one message is one body; none of ours is so long that jpico would split it")
    func split() throws {
        let frame = PicoFrame.encode(try pair.prover().start)
        #expect(refusal { try PicoFrame.decode(Array(frame.prefix(4))) } == .malformed)
        #expect(refusal { try PicoFrame.decode(Array(frame.dropFirst(4))) } == .malformed)
        let pair = try Pair(on: .p521)
        var run = try pair.met()
        let most = Bytes(repeating: 0x61, count: PicoLimits.extraData)
        let picoAuth = try run.prover.answer(with: pair.pico, extraData: most, at: 0, suite: pair.suite)
        _ = try run.verifier.receive(picoAuth: picoAuth, at: 0, suite: pair.suite)
        let status = try run.verifier.accept(
            .paired(pair.pico.publicKey), extraData: most, at: 0, suite: pair.suite
        ).status
        for message in [run.start, run.serviceAuth, picoAuth, status] {
            #expect(PicoFrame.encode(message).count <= 8_188)
        }
    }

    @Test("7: we write JSON that libpico's parser reads, and read integers in plain digits alone")
    func json() throws {
        var run = try pair.met()
        let picoAuth = try run.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
        for message in [run.start, run.serviceAuth, picoAuth, pair.code.encoded(), pair.authenticationCode.encoded()] {
            #expect(!message.contains { [0x5B, 0x5C, 0x0A, 0].contains($0) })
            for member in try #require(JSON.parse(message).members) {
                #expect(member.value.bool == nil && member.value != .null && member.value.array == nil)
            }
        }
        for version in ["2.0", "2e0", "-0", "\"2\"", "null", "[2]", "02"] {
            let text = string(run.start).replacing("\"picoVersion\":2", with: "\"picoVersion\":\(version)")
            var verifier = pair.verifier()
            #expect(refusal { try verifier.receive(start: Bytes(text: text), at: 0, suite: suite) } == .malformed)
        }
        // An escape is no other text; a name that comes twice is no JSON.
        let escaped = string(run.start).replacing("=", with: "\\u003d").replacing("/", with: "\\/")
        var verifier = pair.verifier()
        _ = try verifier.receive(start: Bytes(text: escaped), at: 0, suite: suite)
        let twice = string(run.start).replacing("{", with: "{\"picoVersion\":2,")
        verifier = pair.verifier()
        #expect(refusal { try verifier.receive(start: Bytes(text: twice), at: 0, suite: suite) } == .malformed)
    }

    @Test("8: base64 is strict")
    func base64() throws {
        let good = try JSON.parse(pair.prover().start)
        for nonce in ["AQI", "AQI=\n", " AQI=", "AQ-=", "_w==", "AR==", "AQI=AQI=", "AQ==="] {
            var verifier = pair.verifier()
            let start = good.setting("picoNonce", .text(nonce)).serialized()
            #expect(refusal { try verifier.receive(start: start, at: 0, suite: suite) } == .malformed, "\(nonce)")
        }
    }

    @Test("9: P-256 unless a service is marked as old, and then long signatures of codes as well")
    func curves() throws {
        for curve in EllipticCurve.allCases where curve != .p256 {
            let old = try Pair(on: curve)
            let text = old.code.encoded()
            #expect(refusal { try PicoCode.read(text, suite: suite) } == .unsupportedCurve)
            #expect(try PicoCode.read(text, curves: .old, suite: suite) == .pairing(old.code))
        }
        #expect(try Base64.decode(JSON.parse(Pair(on: .p521).code.encoded()).text("sig"), .standard)?.count ?? 0 > 127)
    }

    @Test("10: the port of a Bluetooth address is hexadecimal")
    func bluetoothPort() throws {
        let address = try PicoAddress.parse(Bytes(text: "btspp://0123456789ab:10"), accepting: [.bluetooth])
        #expect(address.port == 16)
    }

    @Test("11: each side counts its own messages, and our times suit both old services")
    func continuous() throws {
        let sessions = try pair.sessions()
        var pico = try PicoContinuousProver(sessions.pico, at: 0, suite: suite)
        var service = try PicoContinuousVerifier(sessions.service, at: 0, suite: suite)
        for _ in 0..<3 {
            _ = try service.receive(pico.send(.active, at: 0, suite: suite), at: 0, suite: suite)
            _ = try pico.receive(service.reply(at: 0, suite: suite), at: 0, suite: suite)
        }
        // 5 s before the service gives up; libpico's short times leave half.
        let pauses: [Int32] = [10_000, 50_000, 5_000, 3_000, 1].map { PicoTimings.pause($0) }
        #expect(pauses == [5_000, 45_000, 2_500, 1_500, 0])
    }

    @Test("12: every status except 0 and 1 is a refusal, -2 too")
    func status() throws {
        for byte in UInt8.min...UInt8.max {
            let error = refusal { try PicoStatus.parse([byte, 0, 0, 0, 0]) }
            #expect(error == (byte < 2 ? nil : .rejected))
        }
    }

    @Test("13: the length of the key decides: AES-128 in a run, AES-256 in a backup")
    func keyLengths() throws {
        let keys = PicoKeys(secret: [1], picoNonce: [2], serviceNonce: [3], suite: suite)
        let lengths = [keys.picoEncryption, keys.serviceEncryption, keys.shared].map { $0.bytes.count }
        #expect(lengths == [16, 16, 16])
        let secret = Bytes(0..<12)
        let file = try JSON.parse(PicoBackup.seal([7], secret: secret, suite: suite))
        let (sealed, iv) = (
            try #require(Base64.decode(file.text("encryptedData"), .standard)),
            try #require(Base64.decode(file.text("iv"), .standard))
        )
        #expect(TestSuite().openAESGCM(sealed, key: SHA256.hash(secret), iv: iv) == [7])
    }

    @Test("14: addresses may be https")
    func https() throws {
        #expect(try PicoCode.read(pair.code.encoded(), suite: suite) == .pairing(pair.code))
        #expect(pair.code.address.scheme == .https)
    }
}
