import EllipticCurves
import Encodings
import Testing

@testable import Pico

/// Section 13 of the specification, by its numbers: weaknesses of what is around the protocol.
@Suite("Weaknesses 13 to 24")
struct FurtherWeaknessTests {
    private let pair: Pair
    private var suite: TestSuite { pair.suite }

    init() throws { pair = try Pair() }

    @Test("13: a sealed password that does not open is no empty password")
    func sealedSecret() throws {
        let key = Bytes(0..<16)
        let text = try SealedLoginSecret.seal(Bytes(text: "p"), key: key, suite: suite)
        #expect(refusal { try SealedLoginSecret.open(text, key: key.flipping(0), suite: suite) } == .cannotOpen)
        #expect(refusal { try SealedLoginSecret.open([], key: key, suite: suite) } == .malformed)
    }

    @Test("14: every refused PicoAuth gets the same Status, and both checks are always computed")
    func oneAnswer() throws {
        let counting = CountingSuite()
        let other = try suite.freshKey(on: .p256)
        var lengths: Set<Int> = []
        var work: [CountingSuite.Counts] = []
        for fault in 0..<4 {
            var verifier = pair.verifier()
            let pico = try ForgingPico(pair, &verifier)
            let good = pico.proof(pair.pico)
            let signature = other.signature(over: [], with: .sha256)
            let proof = IdentityProof(
                spki: good.spki, signature: fault & 1 == 0 ? good.signature : signature,
                mac: fault & 2 == 0 ? good.mac : good.mac.flipping(0))
            let message = try pico.picoAuth(proof.encoded() + PicoElements.write([]))
            counting.reset()
            let error = refusal { try verifier.receive(picoAuth: message, at: 0, suite: counting) }
            #expect(error == [nil, .invalidSignature, .invalidMAC, .invalidSignature][fault])
            work.append(counting.counts)
            let status = try verifier.reject(suite: suite)
            #expect(try pico.statusByte(status) == 0xFF)
            lengths.insert(status.count)
        }
        #expect(lengths.count == 1)
        #expect(work.allSatisfy { $0.checks == 1 && $0.codes == 1 })
    }

    @Test("15: nothing is computed with a key before it is checked")
    func validation() throws {
        for (name, spki, _) in try KeyAttackTests.bad(pair.pico.publicKey) {
            let counting = CountingSuite()
            var verifier = pair.verifier()
            let start = JSON.members([
                ("picoVersion", .integer(2)), ("picoEphemeralPublicKey", PicoJSON.base64(spki)),
                ("picoNonce", PicoJSON.base64([1])),
            ])
            #expect(refusal { try verifier.receive(start: start.serialized(), at: 0, suite: counting) } != nil)
            #expect(counting.counts == CountingSuite.Counts(), "\(name)")
        }
    }

    @Test("16: Status counts only in a run whose service was verified")
    func status() throws {
        var (prover, start) = try pair.prover()
        let forger = try Forger(pair, start: start)
        let status = try forger.status(PicoStatus(code: .accepted, extraData: []).encoded())
        #expect(refusal { try prover.receive(status: status, at: 0, suite: suite) } == .outOfOrder)
        var run = try pair.met()
        _ = try run.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
        #expect(refusal { try run.prover.receive(status: status, at: 0, suite: suite) } == .cannotOpen)
    }

    @Test("17: codes of Lens are recognised and declined")
    func lens() throws {
        for vector in try Fixture.cases("codes") where try vector.text("id").equals("lp") {
            let code = try PicoCode.read(vector.text("text"), suite: suite)
            #expect(code.decision == .decline(.replaysPasswords))
        }
    }

    @Test("18: a backup opens only whole and with its secret")
    func backup() throws {
        let secret = try suite.fresh(PicoBackup.secretLength)
        let file = try PicoBackup.seal(Bytes(0..<100), secret: secret, suite: suite)
        #expect(try PicoBackup.open(file, secret: secret, suite: suite) == Bytes(0..<100))
        #expect(refusal { try PicoBackup.open(file, secret: secret.flipping(11), suite: suite) } == .cannotOpen)
    }

    @Test("19: no description of a run, a session or a key shows a secret")
    func descriptions() throws {
        let secret = Bytes(text: "the secret of the pairing")
        var run = try pair.met()
        var texts = [describe(run.prover), describe(run.verifier)]
        let picoAuth = try run.prover.answer(with: pair.pico, extraData: secret, at: 0, suite: suite)
        let claim = try run.verifier.receive(picoAuth: picoAuth, at: 0, suite: suite)
        texts += [describe(claim), describe(run.verifier)]
        let (status, session) = try run.verifier.accept(
            .paired(pair.pico.publicKey), continuous: true, extraData: secret, at: 0, suite: suite)
        let outcome = try run.prover.receive(status: status, at: 0, suite: suite)
        let kept = try #require(session)
        texts += [describe(outcome), describe(kept), describe(PairingSecret.read(secret)), describe(pair)]
        texts.append(describe(try PicoContinuousProver(kept, at: 0, suite: suite)))
        let secrets = [secret, kept.secretKey, pair.pico.secretScalar, pair.service.secretScalar]
        for text in texts {
            for secret in secrets {
                #expect(!text.contains(secret.map { "\($0)" }.joined(separator: ", ")))
                #expect(!text.contains(string(Hex.encode(secret))))
                #expect(!text.contains(secret.map { "- \($0)" }.joined(separator: "\n")))
            }
        }
    }

    /// All that Swift says of a value.
    private func describe(_ value: some Any) -> String {
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        return text.split(separator: "\n").map { $0.trimmingPrefix(while: { $0 == " " }) }.joined(separator: "\n")
    }

    @Test("20: a key that is no longer stored is refused")
    func revocation() throws {
        var run = try pair.met()
        let picoAuth = try run.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
        _ = try run.verifier.receive(picoAuth: picoAuth, at: 0, suite: suite)
        // Found under the commitment, and replaced since.
        let replaced = try suite.freshKey(on: .p256).publicKey
        #expect(refusal { try run.verifier.accept(.paired(replaced), at: 0, suite: suite) } == .notAuthorised)
        let status = try run.verifier.reject(suite: suite)
        #expect(refusal { try run.prover.receive(status: status, at: 0, suite: suite) } == .rejected)
    }

    @Test("21: nonces of signatures are deterministic")
    func nonces() {
        let message = Bytes(text: "message")
        let first = suite.signature(over: message, with: pair.pico)
        #expect(first == suite.signature(over: message, with: pair.pico))
        #expect(first?.prefix(36) != suite.signature(over: message + [0], with: pair.pico)?.prefix(36))
    }

    @Test("22: both values of s are accepted, and only strict DER")
    func malleability() throws {
        let message = Bytes(text: "message")
        let raw = pair.pico.rawSignature(over: message, with: .sha256)
        let low = ECDSASignature.lowS(raw)
        let order = Hex.decode(Bytes(text: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
        var high = try #require(order)
        var borrow = 0
        for index in (0..<32).reversed() {
            let digit = Int(high[index]) - Int(low[32 + index]) - borrow
            borrow = digit < 0 ? 1 : 0
            high[index] = UInt8(truncatingIfNeeded: digit)
        }
        for raw in [low, Array(low.prefix(32)) + high] {
            let der = try #require(ECDSASignature.der(fromRaw: raw))
            #expect(suite.isValidSignature(der, over: message, publicKey: pair.pico.publicKey))
            for loose in [der + [0], [0x30, 0x81, der[1]] + Array(der.dropFirst(2))] {
                #expect(!suite.isValidSignature(loose, over: message, publicKey: pair.pico.publicKey))
            }
        }
    }

    @Test("23: lengths that crashed the old library are refused everywhere")
    func lengths() throws {
        for length: UInt32 in [.max, 0x8000_0000, 0x7FFF_FFFF, 0xFFFF_FF80, 5] {
            let bytes = PicoElements.number(length) + [1, 2, 3, 4]
            var elements = PicoElements(bytes)
            #expect(refusal { try elements.next(8) } == .malformed)
            #expect(refusal { try PicoFrame.decode(bytes) } == .malformed)
            #expect(refusal { try PicoStatus.parse([0] + bytes) } == .malformed)
            #expect(refusal { try PicoReauth.parse([0] + bytes) } == .malformed)
            var (prover, start) = try pair.prover()
            let message = try Forger(pair, start: start).serviceAuth(bytes)
            #expect(refusal { try prover.receive(serviceAuth: message, at: 0, suite: suite) } == .malformed)
        }
        for count in 0..<16 {
            let short = SealedMessage(sessionID: 0, encryptedData: Bytes(repeating: 0, count: count), iv: [1])
            #expect(refusal { try short.open(SecretBytes(Bytes(0..<16)), suite: suite) } == .cannotOpen)
        }
    }

    @Test("23: all lengths up to the limit are read, those with high bytes too")
    func everyLength() throws {
        for count in 0...PicoLimits.extraData {
            let status = PicoStatus(code: .accepted, extraData: Bytes(repeating: 7, count: count))
            #expect(try PicoStatus.parse(status.encoded()) == status)
        }
        let long = PicoStatus(code: .accepted, extraData: Bytes(repeating: 7, count: PicoLimits.extraData + 1))
        #expect(refusal { try PicoStatus.parse(long.encoded()) } == .tooLarge)
    }

    @Test("24: the stored secret leaves the Pico only after the service has proved itself")
    func secretLast() throws {
        var (prover, start) = try pair.prover()
        var early = prover
        let secret = Bytes(text: "iv:secret")
        #expect(refusal { try early.answer(with: pair.pico, extraData: secret, at: 0, suite: suite) } == .outOfOrder)
        var verifier = pair.verifier()
        let answer = try verifier.receive(start: start, at: 0, suite: suite)
        #expect(refusal { try early.receive(serviceAuth: answer, at: 0, suite: suite) } == .outOfOrder)
        #expect(try prover.receive(serviceAuth: answer, at: 0, suite: suite).publicKey == pair.service.publicKey)
        let picoAuth = try prover.answer(with: pair.pico, extraData: secret, at: 0, suite: suite)
        #expect(try verifier.receive(picoAuth: picoAuth, at: 0, suite: suite).extraData == secret)
        let tooMuch = Bytes(repeating: 0, count: PicoLimits.extraData + 1)
        var run = try pair.met()
        let error = refusal { try run.prover.answer(with: pair.pico, extraData: tooMuch, at: 0, suite: suite) }
        #expect(error == .tooLarge)
    }
}
