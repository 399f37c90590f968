import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("The cryptography of the protocol")
struct CryptographyTests {
    private let suite = TestSuite()

    @Test("seals and opens as the vectors, with IVs of 16 and 12 bytes")
    func sealing() throws {
        let cases = try Fixture.cases("gcm")
        #expect(cases.count == 5)
        for vector in cases {
            let (key, iv) = (try vector.hex("key"), try vector.hex("iv"))
            let (plaintext, sealed) = (try vector.hex("plaintext"), try vector.hex("encryptedData"))
            #expect(suite.sealAESGCM(plaintext, key: key, iv: iv) == sealed)
            #expect(suite.openAESGCM(sealed, key: key, iv: iv) == plaintext)
            for index in sealed.indices { #expect(suite.openAESGCM(sealed.flipping(index), key: key, iv: iv) == nil) }
        }
    }

    @Test("AES-256 is that of FIPS 197 appendix C.3, seen through its counter")
    func wideKey() throws {
        // The GCM specification's test case 13: an empty text under a key of 32 zeros.
        let zeros = Bytes(repeating: 0, count: 32)
        let tag = Hex.decode(Bytes(text: "530f8afbc74536b9a963b4f1c4cb738b"))
        #expect(suite.sealAESGCM([], key: zeros, iv: Bytes(repeating: 0, count: 12)) == tag)
    }

    @Test("derives the five keys of the vectors")
    func derivation() throws {
        let cases = try Fixture.cases("kdf")
        #expect(cases.count == 4)
        for vector in cases { try check(vector, vector.hex("pico_nonce"), vector.hex("service_nonce")) }
    }

    private func check(_ vector: JSON, _ picoNonce: Bytes, _ serviceNonce: Bytes) throws {
        let keys = PicoKeys(
            secret: try vector.hex("z"), picoNonce: picoNonce, serviceNonce: serviceNonce, suite: suite)
        #expect(keys.picoMAC.bytes == (try vector.hex("pico_mac")))
        #expect(keys.picoEncryption.bytes == (try vector.hex("pico_enc")))
        #expect(keys.serviceMAC.bytes == (try vector.hex("service_mac")))
        #expect(keys.serviceEncryption.bytes == (try vector.hex("service_enc")))
        #expect(keys.shared.bytes == (try vector.hex("shared")))
    }

    @Test("agrees on the secret and the keys of every transcript", arguments: Transcript.names)
    func agreement(name: String) throws {
        let run = try Transcript(name)
        let own = try run.key("pico_ephemeral")
        let peer = try run.key("service_ephemeral")
        #expect(suite.sharedSecret(of: own, with: peer.publicKey) == (try run.json.member("kdf").hex("z")))
        #expect(suite.sharedSecret(of: peer, with: own.publicKey) == (try run.json.member("kdf").hex("z")))
        let nonces = try run.json.member("nonces")
        try check(run.json.member("kdf"), nonces.hex("pico"), nonces.hex("service"))
    }

    @Test("a shared secret keeps its leading zeros")
    func leadingZero() throws {
        let run = try Transcript("p256-pair-leading-zero-z")
        let secret = suite.sharedSecret(
            of: try run.key("pico_ephemeral"), with: try run.key("service_ephemeral").publicKey)
        #expect(secret?.count == 32 && secret?.first == 0)
    }

    @Test("a commitment is the hash of the key with its curve, and a fingerprint is for people")
    func commitment() throws {
        let run = try Transcript("p256-auth-pico-libpico")
        let commitment = PicoCommitment(of: try run.key("service_identity").publicKey, suite: suite)
        #expect(commitment.bytes == (try run.json.hex("service_commitment")))
        #expect(commitment.base64 == Base64.encode(commitment.bytes, .standard) && commitment.base64.count == 44)
        #expect(commitment.fingerprint.count == 23)
        #expect(PicoCommitment(bytes: commitment.bytes) == commitment)
        #expect(PicoCommitment(bytes: Array(commitment.bytes.dropLast())) == nil)
    }

    @Test("public keys are read in their one spelling, with the prefix of the specification")
    func publicKeys() throws {
        for (curve, count) in [(EllipticCurve.p192, 75), (.p256, 91), (.p384, 120), (.p521, 158)] {
            let key = try suite.freshKey(on: curve).publicKey
            #expect(key.spki.count == count)
            #expect(try PicoCurves.old.publicKey(spki: key.spki) == key)
            for length in 0..<count {
                #expect(refusal { try PicoCurves.old.publicKey(spki: Array(key.spki.prefix(length))) } != nil)
            }
        }
    }

    @Test("a suite that gives the wrong number of random bytes makes no keys and no messages")
    func randomness() {
        let short = TestSuite([[1, 2, 3]])
        #expect(refusal { try short.fresh(8) } == .suiteFailed)
        let weak = TestSuite([[1, 2, 3]])
        #expect(refusal { try weak.freshKey(on: .p256) } == .suiteFailed)
    }
}
