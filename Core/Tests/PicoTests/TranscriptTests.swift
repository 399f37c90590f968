import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("Recorded runs of libpico and jpico")
struct TranscriptTests {
    @Test("our Pico takes the service's messages, and writes its own byte for byte", arguments: Transcript.names)
    func pico(name: String) throws {
        let run = try Transcript(name)
        var (prover, start, suite) = try run.prover()
        try compare(start, run, "start")
        let service = try prover.receive(serviceAuth: run.wire("service_auth"), at: 10, suite: suite)
        #expect(service.commitment.bytes == (try run.json.hex("service_commitment")))
        #expect(service.bytesToSign == (try run.message("pico_auth").hex("signed_bytes")))
        let extra = try run.message("pico_auth").text("extra")
        let answer = try prover.answer(with: run.key("pico_identity"), extraData: extra, at: 20, suite: suite)
        try compare(answer, run, "pico_auth")
        let outcome = try prover.receive(status: run.wire("status"), at: 30, suite: suite)
        #expect(outcome.extraData == (try run.message("status").text("extra")))
        #expect(outcome.session == nil)
        guard let kept = run.json["stored"]?["pico_keeps"], run.isPairing else { return }
        let secret = PairingSecret.read(outcome.extraData)
        #expect(try secret.data == kept.text("data"))
        #expect(secret.name == kept["name"]?.string)
    }

    @Test("our service takes the Pico's messages, and writes its own byte for byte", arguments: Transcript.names)
    func service(name: String) throws {
        let run = try Transcript(name)
        var (verifier, suite) = try run.verifier()
        let answer = try verifier.receive(start: run.wire("start"), at: 10, suite: suite)
        try compare(answer, run, "service_auth")
        let claim = try verifier.receive(picoAuth: run.wire("pico_auth"), at: 20, suite: suite)
        #expect(claim.commitment.bytes == (try run.json.hex("pico_commitment")))
        #expect(claim.identity == (try run.key("pico_identity").publicKey))
        #expect(claim.extraData == (try run.message("pico_auth").text("extra")))
        let (status, session) = try verifier.accept(
            run.isPairing ? .newPairing : .paired(run.key("pico_identity").publicKey),
            extraData: run.message("status").text("extra"), at: 30, suite: suite)
        try compare(status, run, "status")
        #expect(session == nil)
    }

    /// The whole message, if a Pico or a service with our order of members and RFC 6979 wrote it.
    ///
    /// Of the others the ECDSA nonce is unknown. There the signature counts, and all other bytes of the plaintext.
    private func compare(_ message: Bytes, _ run: Transcript, _ name: StaticString) throws {
        let recorded = try run.message(name)
        if run.isReproducible(name) {
            #expect(message == (try recorded.text("wire")), "\(name)")
            #expect(PicoFrame.encode(message) == (try recorded.hex("frame_prefix")) + message)
        }
        let (ours, theirs) = (try JSON.parse(message), try JSON.parse(recorded.text("wire")))
        let names = try #require(theirs.members).map { $0.name }
        #expect(names.count == ours.members?.count)
        for each in names where !each.equals("encryptedData") { #expect(ours[bytes: each] == theirs[bytes: each]) }
    }

    @Test("what we sign is what they signed, and their signatures and codes hold", arguments: Transcript.names)
    func proofs(name: String) throws {
        let run = try Transcript(name)
        let nonces = try run.json.member("nonces")
        struct Part {
            let name: StaticString
            let who: StaticString
            let ephemeral: StaticString
            let peerNonce: Bytes
            let mac: StaticString
        }
        let parts = [
            Part(
                name: "service_auth", who: "service_identity", ephemeral: "service_ephemeral",
                peerNonce: try nonces.hex("pico"), mac: "service_mac"),
            Part(
                name: "pico_auth", who: "pico_identity", ephemeral: "pico_ephemeral",
                peerNonce: try nonces.hex("service"), mac: "pico_mac"),
        ]
        for part in parts {
            let message = try run.message(part.name)
            let identity = try run.key(part.who)
            let signed = IdentityProof.signedBytes(
                peerNonce: part.peerNonce, sessionID: try run.sessionID(),
                ephemeral: try run.key(part.ephemeral).publicKey)
            #expect(signed == (try message.hex("signed_bytes")))
            let mac = IdentityProof.mac(
                identity.publicKey.spki, key: SecretBytes(try run.json.member("kdf").hex(part.mac)), suite: TestSuite())
            #expect(mac == (try message.hex("mac")))
            var elements = PicoElements(try message.hex("plaintext"))
            let proof = try IdentityProof(&elements)
            #expect(proof.signature == (try message.hex("signature")))
            #expect(TestSuite().isValidSignature(proof.signature, over: signed, publicKey: identity.publicKey))
            let sealed = try SealedMessage.parse(message.text("wire"))
            #expect(sealed.iv == (try message.hex("iv")))
        }
    }

    @Test("every message of a run has the frame of its length", arguments: Transcript.names)
    func frames(name: String) throws {
        for message in try Transcript(name).json.list("messages") {
            guard message["frame_prefix"] != nil else { continue }
            let wire = try message.text("wire")
            #expect(PicoFrame.encode(wire) == (try message.hex("frame_prefix")) + wire)
            #expect(try PicoFrame.decode(PicoFrame.encode(wire)) == wire)
        }
    }

    @Test("we make the codes of our own side again, and read all", arguments: Transcript.names)
    func codes(name: String) throws {
        let run = try Transcript(name)
        guard let text = run.json["code_text"]?.string else { return }
        let identity = try run.key("service_identity")
        switch try PicoCode.read(text, curves: run.curves, suite: TestSuite()) {
        case .pairing(let code):
            #expect(code.publicKey == identity.publicKey)
            let again = try PicoPairingCode(
                name: code.name, address: code.address, identity: identity, suite: TestSuite())
            #expect(run.isPairing)
            if name != "p256-pair-service-libpico" { #expect(again.encoded() == text) }
        case .authentication(let code):
            #expect(code.service == PicoCommitment(of: identity.publicKey, suite: TestSuite()))
            if name != "p192-auth-service-libpico" { #expect(code.encoded() == text) }
        default: Issue.record("another type")
        }
    }
}
