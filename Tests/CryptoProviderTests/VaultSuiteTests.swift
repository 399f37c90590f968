import Crypto
import CryptoExtras
import EllipticCurves
import Encodings
import Foundation
import Testing
import Vault

@testable import CryptoProvider

/// The library and our own arithmetic are the same party to a vault.
@Suite("The vault's cryptography")
struct VaultSuiteTests {
    private let library = SwiftCryptoSuite()

    private static func random() throws -> Bytes { try ObliviousFunction.randomScalar(SwiftCryptoSuite().randomBytes) }

    /// The server's half by the library, the client's by our own curve.
    @Test("A blinded element gets the same value from the library and from our own curve")
    func evaluation() throws {
        let scalar = try Self.random()
        let theirs = try P384._VOPRF.PrivateKey(rawRepresentation: scalar)
        let ours = try ObliviousServer(key: scalar)
        #expect(Bytes(theirs.publicKey.oprfRepresentation) == ours.publicKey)
        let client = try ObliviousClient(input: Bytes(text: "a PIN"), blind: Self.random())
        let blinded = try P384._VOPRF.BlindedElement(oprfRepresentation: Data(client.blindedElement))
        let evaluation = try theirs.evaluate(blinded)
        let raw = Bytes(evaluation.rawRepresentation)
        let value = client.value(
            evaluated: Array(raw.prefix(49)), proof: Array(raw.dropFirst(49)), publicKey: ours.publicKey)
        let answer = try ours.evaluate([client.blindedElement], randomness: Self.random())
        #expect(answer.elements[0] == Array(raw.prefix(49)))
        let again = client.value(evaluated: answer.elements[0], proof: answer.proof, publicKey: ours.publicKey)
        #expect(value != nil && value == again)
    }

    /// And the other way round.
    @Test("The library takes what our own curve evaluates")
    func client() throws {
        let ours = try ObliviousServer(key: Self.random())
        let publicKey = try P384._VOPRF.PublicKey(compressedRepresentation: Data(ours.publicKey))
        let input = Data("a PIN".utf8)
        let blinded = try publicKey.blind(input)
        let element = Bytes(blinded.blindedElement.oprfRepresentation)
        let answer = try ours.evaluate([element], randomness: Self.random())
        let evaluation = try P384._VOPRF.BlindEvaluation(rawRepresentation: Data(answer.elements[0] + answer.proof))
        let value = try publicKey.finalize(blinded, using: evaluation)
        let own = try ObliviousClient(input: Bytes(input), blind: Self.random())
        let again = try ours.evaluate([own.blindedElement], randomness: Self.random())
        #expect(
            own.value(evaluated: again.elements[0], proof: again.proof, publicKey: ours.publicKey) == Bytes(value))
    }

    @Test("Stretching a PIN gives what libargon2 gives")
    func stretching() throws {
        let salt = Bytes(0..<16)
        let own = try Argon2id.pin.hash(Bytes(text: "583920"), salt: salt)
        let parameters = Argon2Parameters(memory: Argon2id.pin.memory, passes: Argon2id.pin.passes, lanes: 1)
        let theirs = try Argon2.deriveBlocking(
            passphrase: Bytes(text: "583920"), salt: salt, parameters: parameters, length: 32)
        #expect(own == theirs)
    }

    @Test("HPKE opens in the library what we seal")
    func sealingToAKey() throws {
        let member = Crypto.P256.KeyAgreement.PrivateKey()
        let secret = try VaultSecret.random(library)
        let access = SharedAccess.compartment(secret, name: NodeName.cleaned(Bytes(text: "Together")))
        let sealed = try access.sealed(to: Bytes(member.publicKey.x963Representation), id: [7], suite: library)
        let suite = HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)
        var recipient = try HPKE.Recipient(
            privateKey: member, ciphersuite: suite, info: Data("countersign/vault/v1/share\0".utf8),
            encapsulatedKey: Data(sealed.prefix(65)))
        let opened = try recipient.open(Data(sealed.dropFirst(65)), authenticating: Data([7]))
        #expect(Bytes(opened.dropFirst(2).prefix(32)) == secret.bytes)
    }

    @Test("Sealed contents open again as they were, and not once a byte of them was changed")
    func contents() throws {
        let compartment = try Compartment.random(library)
        let node = try compartment.make(
            NodeMetadata(.file, name: NodeName.cleaned(Bytes(text: "a")), created: 1), in: compartment.root,
            suite: library)
        let opened = try compartment.open(node.record, in: compartment.root, suite: library)
        #expect(opened.metadata == node.metadata)
        let version = try compartment.newVersion(of: node.id, size: 40_000, now: 1, suite: library)
        var sealer = try version.sealer(library)
        var sealed = sealer.header
        try sealer.update(Bytes(repeating: 3, count: 40_000)[...], into: &sealed)
        while !(try sealer.finish(into: &sealed)) {}
        var opener = try version.opener(library)
        var content: Bytes = []
        try opener.update(sealed[...], into: &content)
        try opener.finish(into: &content)
        #expect(content == Bytes(repeating: 3, count: 40_000))
        var changed = sealed
        changed[20_000] ^= 1
        var other = try version.opener(library)
        #expect(throws: VaultError.cannotOpen) { try other.update(changed[...], into: &content) }
    }
}
