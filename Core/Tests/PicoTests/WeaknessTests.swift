import EllipticCurves
import Encodings
import Testing

@testable import Pico

/// Section 13 of the specification, by its numbers: weaknesses of the protocol and of keys.
///
/// The table of all 24 is in `docs/pico.md`; those that only a server or a page can answer have a reason there.
@Suite("Weaknesses 1 to 12")
struct WeaknessTests {
    private let pair: Pair
    private var suite: TestSuite { pair.suite }

    init() throws { pair = try Pair() }

    @Test("1: an old curve needs the mark of an old service, on each side and in each message")
    func oldCurves() throws {
        for curve in EllipticCurve.allCases where curve != .p256 {
            let old = try Pair(on: curve)
            #expect(refusal { try PicoProver.pair(with: old.code, at: 0, suite: suite) } == .unsupportedCurve)
            let pairing = PicoPairing(service: old.pairing.service, name: [], identity: old.pico.publicKey)
            #expect(
                refusal {
                    try PicoProver.authenticate(
                        with: old.authenticationCode, pairing: pairing, at: 0, suite: suite)
                } == .unsupportedCurve)
            var verifier = pair.verifier()
            let start = try old.prover().start
            #expect(refusal { try verifier.receive(start: start, at: 0, suite: suite) } == .unsupportedCurve)
            verifier = PicoVerifier(identity: old.service, purpose: .authentication, at: 0)
            let new = try pair.prover().start
            #expect(refusal { try verifier.receive(start: new, at: 0, suite: suite) } == .unsupportedCurve)
            // An identity key on an old curve, in a run on P-256.
            verifier = pair.verifier()
            let pico = try ForgingPico(pair, &verifier)
            let message = try pico.picoAuth(pico.proof(old.pico).encoded() + PicoElements.write([]))
            #expect(refusal { try verifier.receive(picoAuth: message, at: 0, suite: suite) } == .unsupportedCurve)
            var run = try pair.met()
            #expect(refusal { try run.prover.answer(with: old.pico, extraData: [], at: 0, suite: suite) } != nil)
        }
        let only = PicoCurves.oldService(on: .p192)
        #expect(EllipticCurve.allCases.filter { only.allows($0) } == [.p192])
    }

    @Test("2: only version 2, and a service on another curve is another service")
    func version() throws {
        let start = try JSON.parse(pair.prover().start)
        for version: Int64 in [0, 1, 3, -2] {
            var verifier = pair.verifier()
            let other = start.setting("picoVersion", .integer(version)).serialized()
            #expect(refusal { try verifier.receive(start: other, at: 0, suite: suite) } == .unsupportedVersion)
        }
        // The service has moved to P-384, and the person has marked it as old: still not the one that is paired.
        let pairing = PicoPairing(
            service: pair.pairing.service, name: [], identity: pair.pico.publicKey, curves: .old)
        var (prover, first) = try PicoProver.authenticate(
            with: pair.authenticationCode, pairing: pairing, at: 0, suite: suite)
        var verifier = PicoVerifier(
            identity: try suite.freshKey(on: .p384), purpose: .authentication, curves: .old, at: 0)
        let answer = try verifier.receive(start: first, at: 0, suite: suite)
        #expect(refusal { try prover.receive(serviceAuth: answer, at: 0, suite: suite) } == .wrongService)
    }

    @Test("3: a swapped code has another fingerprint, and its signature is verified all the same")
    func fingerprint() throws {
        let swapped = try PicoPairingCode(
            name: pair.code.name, address: pair.code.address, identity: suite.freshKey(on: .p256), suite: suite)
        guard case .pairing(let read) = try PicoCode.read(swapped.encoded(), suite: suite) else { throw Missing() }
        #expect(read.name == pair.code.name && read.address == pair.code.address)
        let fingerprints = [read, pair.code].map { PicoCommitment(of: $0.publicKey, suite: suite).fingerprint }
        #expect(fingerprints[0] != fingerprints[1])
    }

    @Test("4: a name that took bytes of the address leaves no address")
    func separator() throws {
        let code = try JSON.parse(pair.code.encoded())
        let all = pair.code.name + pair.code.address.text
        for length in 1..<all.count where length != pair.code.name.count {
            let (name, address) = (Array(all.prefix(length)), Array(all.dropFirst(length)))
            guard UTF8Text.isValid(name), UTF8Text.isValid(address) else { continue }
            let shifted = code.setting("sn", .string(name)).setting("sa", .string(address)).serialized()
            #expect(refusal { try PicoCode.read(shifted, suite: suite) } == .unsupportedAddress)
        }
    }

    @Test("5: the person sees whom they sign in to, before anything is sent, and codes do not last")
    func relay() throws {
        var (prover, start) = try pair.prover()
        var verifier = pair.verifier()
        var late = verifier
        let answer = try verifier.receive(start: start, at: 0, suite: suite)
        let service = try prover.receive(serviceAuth: answer, at: 0, suite: suite)
        #expect(service.name == pair.pairing.name && service.host.equals("rendezvous.example"))
        #expect(service.commitment == pair.pairing.service)
        #expect(refusal { try late.receive(start: start, at: 300_001, suite: suite) } == .timedOut)
    }

    @Test("6: each check of section 4.3 alone keeps PicoAuth from being sent")
    func checks() throws {
        let other = try suite.freshKey(on: .p256)
        let cases: [(PicoError, (Forger) throws -> Bytes)] = [
            (.malformed, { _ in Bytes(text: "{}") }),
            (
                .cannotOpen,
                { forger in
                    try SealedMessageTamper.tag(forger.serviceAuth(forger.proof(pair.service).encoded()))
                }
            ),
            (.malformed, { try $0.serviceAuth($0.proof(pair.service).encoded() + [0]) }),
            (.wrongService, { try $0.serviceAuth($0.proof(other).encoded()) }),
            (
                .invalidSignature,
                { forger in
                    let good = forger.proof(pair.service)
                    let signature = other.signature(over: forger.signedBytes, with: .sha256)
                    return try forger.serviceAuth(
                        IdentityProof(spki: good.spki, signature: signature, mac: good.mac).encoded())
                }
            ),
            (
                .invalidMAC,
                { forger in
                    let good = forger.proof(pair.service)
                    return try forger.serviceAuth(
                        IdentityProof(spki: good.spki, signature: good.signature, mac: good.mac.flipping(31)).encoded())
                }
            ),
        ]
        for (expected, make) in cases {
            var (prover, start) = try pair.prover()
            let message = try make(Forger(pair, start: start))
            #expect(refusal { try prover.receive(serviceAuth: message, at: 0, suite: suite) } == expected)
            #expect(refusal { try prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite) } == .outOfOrder)
        }
        // And the same message without any of this is taken.
        var (prover, start) = try pair.prover()
        let forger = try Forger(pair, start: start)
        _ = try prover.receive(
            serviceAuth: forger.serviceAuth(forger.proof(pair.service).encoded()), at: 0, suite: suite)
    }

    @Test("7: the session id is compared with our own, and the host that is shown is the one that was scanned")
    func binding() throws {
        var pair = pair
        pair.sessionID = 7
        var run = try pair.met()
        let picoAuth = try run.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
        let other = try JSON.parse(picoAuth).setting("sessionId", .integer(0)).serialized()
        #expect(refusal { try run.verifier.receive(picoAuth: other, at: 0, suite: suite) } == .wrongSession)
        let code = PicoAuthenticationCode(
            service: pair.pairing.service, address: .address("https://elsewhere.example/channel/a"))
        var (prover, start) = try PicoProver.authenticate(with: code, pairing: pair.pairing, at: 0, suite: suite)
        var verifier = pair.verifier()
        let answer = try verifier.receive(start: start, at: 0, suite: suite)
        #expect(try prover.receive(serviceAuth: answer, at: 0, suite: suite).host.equals("elsewhere.example"))
    }

    @Test("8: each run has new keys and nonces, and a verifier takes one Start")
    func freshness() throws {
        let (first, second) = (try pair.met(), try pair.met())
        let starts = try [first, second].map { try StartMessage.parse($0.start, curves: .current) }
        #expect(starts[0].nonce != starts[1].nonce && starts[0].ephemeral != starts[1].ephemeral)
        let answers = try [first, second].map { try ServiceAuthMessage.parse($0.serviceAuth, curves: .current) }
        #expect(answers[0].nonce != answers[1].nonce && answers[0].ephemeral != answers[1].ephemeral)
        #expect(starts[0].nonce.count == 8 && answers[0].nonce.count == 8)
        var verifier = first.verifier
        #expect(refusal { try verifier.receive(start: first.start, at: 0, suite: suite) } == .outOfOrder)
    }

    @Test("9: each message has a new IV of 16 bytes, and a key seals a limited number")
    func volumes() throws {
        let session = try PicoSession(sessionID: 0, key: Bytes(0..<16))
        var channel = try ReauthChannel(session, sendsFirst: true, messages: 2, suite: suite)
        var peer = try ReauthChannel(session, sendsFirst: true, suite: suite)
        var ivs: Set<Bytes> = []
        for _ in 0..<2 {
            let message = try channel.send(.active, suite: suite) {
                PicoReauth(state: .active, sequence: $0).encoded()
            }
            ivs.insert(try SealedMessage.parse(message).iv)
            let answer = try peer.send(.active, suite: suite) {
                ServiceReauth(state: .active, timeout: 1, sequence: $0).encoded()
            }
            for (sent, side) in [(answer, 0), (message, 1)] {
                var taken = side == 0 ? channel : peer
                let opened = try taken.open(sent, suite: suite)
                let text = opened.plaintext
                let sequence =
                    side == 0 ? try ServiceReauth.parse(text).sequence : try PicoReauth.parse(text).sequence
                try taken.take(.active, sequence, after: opened.before)
                if side == 0 { channel = taken } else { peer = taken }
            }
        }
        #expect(ivs.count == 2 && ivs.allSatisfy { $0.count == 16 })
        #expect(refusal { try channel.send(.active, suite: suite) { _ in [] } } == .exhausted)
        #expect(channel.state == .failed)
        #expect(PicoLimits.messagesPerKey == 1 << 20)
    }

    @Test("10: a reflected message of a session fails, even if its number begins like a length")
    func reflection() throws {
        let session = try PicoSession(sessionID: 0, key: Bytes(0..<16))
        // 00000020 and zeros: without the first bit such a number would read as an element of 32 bytes.
        let number = Bytes([0, 0, 0, 0x20]) + Bytes(repeating: 0, count: 28)
        let scripted = TestSuite([number])
        var pico = try PicoContinuousProver(session, at: 0, suite: scripted)
        let message = try pico.send(.active, at: 0, suite: suite)
        #expect(refusal { try pico.receive(message, at: 0, suite: suite) } == .malformed)
        let bare = PicoReauth(state: .active, sequence: try PicoSequence(number)).encoded()
        #expect(refusal { try ServiceReauth.parse(bare) } == nil, "this is what the first bit is for")
        var service = try PicoContinuousVerifier(session, at: 0, suite: scripted)
        var other = try PicoContinuousProver(session, at: 0, suite: suite)
        _ = try service.receive(other.send(.active, at: 0, suite: suite), at: 0, suite: suite)
        let answer = try service.reply(at: 0, suite: suite)
        #expect(refusal { try service.receive(answer, at: 0, suite: suite) } == .malformed)
    }

    @Test("11: whatever comes from a channel is hostile, and has limits")
    func channel() throws {
        let long = Bytes(repeating: 0x20, count: PicoLimits.message + 1)
        var verifier = pair.verifier()
        #expect(refusal { try verifier.receive(start: long, at: 0, suite: suite) } == .tooLarge)
        #expect(refusal { try PicoFrame.decode(PicoFrame.encode(long)) } == .tooLarge)
        #expect(
            refusal {
                try RendezvousAnswer.read(
                    statusCode: 200, contentType: Bytes(text: "application/octet-stream"), body: long + [0, 0, 0, 0])
            } == .tooLarge)
        var slot = RendezvousChannel()
        _ = slot.handle(.read, number: 1)
        // A second reader is told so; a Pico then takes a new channel.
        #expect(slot.handle(.read, number: 2).map { $0.answer } == [.busy])
    }

    @Test("12: a rendezvous channel keeps nothing once it is delivered, and Start tells no identity")
    func metadata() throws {
        var slot = RendezvousChannel()
        _ = slot.handle(.write([1, 2, 3]), number: 1)
        _ = slot.handle(.read, number: 2)
        #expect(slot.isIdle)
        let start = try JSON.parse(pair.prover().start)
        #expect(start.members?.count == 3)
        let identity = Base64.encode(pair.pico.publicKey.spki, .standard)
        #expect(try start.text("picoEphemeralPublicKey") != identity)
    }
}

/// Changes to sealed messages on the wire.
enum SealedMessageTamper {
    /// The message with the last bit of its tag changed.
    static func tag(_ message: Bytes) throws -> Bytes {
        let json = try JSON.parse(message)
        guard let sealed = Base64.decode(try json.text("encryptedData"), .standard) else { throw Missing() }
        return json.setting("encryptedData", PicoJSON.base64(sealed.flipping(sealed.count - 1))).serialized()
    }
}
