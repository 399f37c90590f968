import BrowserCalls
import EllipticCurves
import Encodings
import Pico
import Testing

@testable import PicoBrowser

@Suite("A run of Pico in a page")
struct RunTests {
    let service: Service

    init() throws { service = try Service() }

    @Test("pairs with a new key, and keeps the secret that the service hands out")
    func pairing() throws {
        var page = Page(service.code.encoded())
        var verifier = service.verifier(.pairing)
        let begun = try page.step()
        #expect(begun.text("step") == "send" && page.count == 0)
        let verified = try page.receive(
            verifier.receive(start: begun.bytes("message"), at: 0, suite: service.suite))
        #expect(verified.text("step") == "sign" && page.count == 2)
        #expect(verified.text("name") == "Example Café" && verified.text("host") == "example.org")
        #expect(verified.text("fingerprint") == words(service.commitment.fingerprint))
        #expect(try verified.bytes("commitment") == service.commitment.bytes)
        let picoAuth = try page.sign(verified.bytes("bytes"), with: service.pico)
        let claim = try verifier.receive(picoAuth: picoAuth.bytes("message"), at: 0, suite: service.suite)
        #expect(claim.identity == service.pico.publicKey)
        let secret = try PairingSecret(name: Bytes(text: "alice"), data: Bytes(text: "s3cret"))
        let (status, _) = try verifier.accept(
            .newPairing, extraData: secret.encoded(), at: 0, suite: service.suite)
        let done = try page.receive(status)
        #expect(done.text("step") == "done" && done["session"] == .null && page.count == 4)
        #expect(done.text("account") == "alice")
        #expect(try done.bytes("secret") == Bytes(text: "s3cret"))
    }

    @Test("signs in with the key of the pairing, and brings back what it was given")
    func authentication() throws {
        var run = try service.met()
        #expect(run.verified.text("name") == "My café")
        run.page.extra = Bytes(text: "s3cret")
        let claim = try run.verifier.receive(
            picoAuth: try run.signed(by: service.pico), at: 0, suite: service.suite)
        #expect(claim.identity == service.pico.publicKey && claim.extraData == Bytes(text: "s3cret"))
        let (status, _) = try run.verifier.accept(.paired(service.pico.publicKey), at: 0, suite: service.suite)
        #expect(try run.page.receive(status).text("step") == "done")
    }

    @Test("hands out the key of a session when the service wants more of it")
    func continuous() throws {
        let (page, kept) = try service.session()
        #expect(page["id"] == .integer(7))
        #expect(try page.bytes("key") == kept.secretKey)
    }

    @Test("takes an answer of WebCrypto for exactly what it was asked, and for nothing else")
    func answers() throws {
        let run = try service.met()
        var page = run.page
        let (agreed, opened) = (page.answers[0], page.answers[1])
        #expect(agreed.text("operation") == "agree" && opened.text("operation") == "open")
        let members: [(Int, StaticString)] = [(0, "key"), (0, "bytes"), (1, "key"), (1, "iv"), (1, "bytes")]
        for (index, member) in members {
            let answer = run.page.answers[index]
            var bytes = try answer.bytes(member)
            bytes[bytes.count - 1] ^= 1
            page.answers = run.page.answers
            page.answers[index] = answer.setting(member, .base64URL(bytes))
            let asked = try page.ask()
            #expect(asked.text("step") == "need" && asked[member] == answer[member], "\(index) \(member)")
        }
        page.answers = [agreed, opened.setting("operation", .text("seal"))]
        #expect(try page.ask().text("step") == "need")
        page.answers = [agreed, opened.setting("result", .null)]
        #expect(try refusal { try page.ask() } == "cannot_open")
        page.answers = [agreed, opened.setting("result", .base64URL(try opened.bytes("result") + [0]))]
        #expect(try refusal { try page.ask() } == "cannot_open")
        page.answers = [agreed, opened.setting("operation", .text("erase"))]
        #expect(try refusal { try page.ask() } == "wrong_type")
        for result in [.null, .base64URL(Bytes(repeating: 1, count: 31))] as [JSON] {
            page.answers = [agreed.setting("result", result), opened]
            #expect(try refusal { try page.ask() } == "suite_failed")
        }
    }

    @Test("has its own key from WebCrypto, and takes no other one for it")
    func ephemeral() throws {
        let run = try service.met()
        var page = run.page
        page.ephemeral = Page.key(on: .p256, seed: "another")
        #expect(try page.ask().text("operation") == "agree")
        #expect(try refusal { try page.step() } == "cannot_open")
        page = run.page
        page.ephemeral = nil
        #expect(try refusal { try page.ask() } == "missing_member")
        page.ephemeral = Page.key(on: .p384, seed: "another")
        #expect(try refusal { try page.ask() } == "wrong_length")
    }

    @Test("with other random bytes is another run, to which nothing that came belongs")
    func otherRandomness() throws {
        let run = try service.met()
        var page = run.page
        // The first 32 stand for the key that WebCrypto holds, and the next eight are the nonce.
        page.random[32] ^= 1
        #expect(try page.ask().text("step") == "need")
        #expect(try refusal { try page.step() } == "cannot_open")
        page = run.page
        // So many take the key and the nonce, and none is left for the IV.
        page.random = Array(page.random.prefix(40))
        #expect(try page.ask().text("step") == "sign")
        #expect(try refusal { try page.sign(run.verified.bytes("bytes"), with: service.pico) } == "suite_failed")
        page.random = Array(page.random.prefix(31))
        #expect(try refusal { try page.ask() } == "suite_failed")
    }

    @Test("gives nothing to sign for a service that is not the one of the code")
    func wrongService() throws {
        var page = Page(
            PicoAuthenticationCode(
                service: try #require(PicoCommitment(bytes: SHA256.hash([]))), address: service.address
            ).encoded())
        page.key = service.pico.publicKey.x963
        var verifier = service.verifier(.authentication)
        let serviceAuth = try verifier.receive(
            start: try page.step().bytes("message"), at: 0, suite: service.suite)
        #expect(try refusal { try page.receive(serviceAuth) } == "wrong_service")
    }

    @Test("ends with a message of which one byte was changed")
    func changed() throws {
        let run = try service.met()
        for index in stride(from: 0, to: run.serviceAuth.count, by: 17) {
            var page = run.page
            page.answers = []
            page.received[0][index] ^= 1
            let value = try? page.step()
            #expect(value == nil, "byte \(index)")
        }
    }

    @Test("puts no signature of another key, and none over other bytes, into a message")
    func signatures() throws {
        let stranger = try ECPrivateKey(.p256, scalar: SHA256.hash(Bytes(text: "stranger")))
        var run = try service.met()
        let bytes = try run.verified.bytes("bytes")
        run.page.signature = try ECDSASignature.raw(fromDER: stranger.signature(over: bytes, with: .sha256))
        run.page.times.append(2_000)
        #expect(try refusal { try run.page.ask() } == "invalid_signature")
        run = try service.met()
        #expect(
            try refusal { try run.page.sign(Bytes(text: "else"), with: service.pico) } == "invalid_signature")
        run = try service.met()
        run.page.signature = Bytes(repeating: 0, count: 64)
        run.page.times.append(2_000)
        #expect(try refusal { try run.page.ask() } == "wrong_type")
    }

    @Test("knows a refusal, and when its time is over")
    func refusals() throws {
        var run = try service.met()
        _ = try run.verifier.receive(picoAuth: try run.signed(by: service.pico), at: 0, suite: service.suite)
        let status = try run.verifier.reject(suite: service.suite)
        var late = run.page
        #expect(try refusal { try run.page.receive(status) } == "rejected")
        #expect(try refusal { try late.receive(status, after: PicoProver.patience + 1) } == "timed_out")
        run = try service.met()
        let bytes = try run.verified.bytes("bytes")
        #expect(
            try refusal { try run.page.sign(bytes, with: service.pico, after: PicoProver.patience + 1) }
                == "timed_out")
    }

    @Test("is told when each thing happened, and no time goes back")
    func times() throws {
        var page = service.page()
        page.times = []
        #expect(try refusal { try page.ask() } == "wrong_length")
        page.times = [5, 6]
        #expect(try refusal { try page.ask() } == "wrong_length")
        let run = try service.met()
        page = run.page
        page.times = [2_000, 1_000]
        #expect(try refusal { try page.ask() } == "wrong_type")
    }

    @Test("needs the pairing's key to sign in, and a code that may be run")
    func missing() throws {
        var page = service.page()
        page.key = nil
        #expect(try refusal { try page.ask() } == "not_authorised")
        page = service.page()
        page.received = [Bytes(text: "{}"), Bytes(text: "{}")]
        page.times = [1, 2, 3]
        #expect(try refusal { try page.ask() } == "missing_member")
        #expect(try refusal { try Page(Bytes(text: "{}")).ask() } == "malformed")
    }
}

extension JSON {
    /// The object with another value for a member.
    func setting(_ name: StaticString, _ value: JSON) -> JSON {
        .object(
            (members ?? []).map { member in
                member.name.equals(name) ? Member(words(member.name), value) : member
            })
    }
}
