import Age
import CryptoProvider
import Encodings
import Testing

/// The library's cryptography of the age format, against the test kit and against our own.
@Suite("age on swift-crypto")
struct AgeSuiteTests {
    private let library = SwiftCryptoSuite()
    private let pure = PureAgeSuite { RandomBytes.make($0) }

    @Test("Every file of the test kit opens or fails as it says, hybrid keys included", arguments: AgeTestKitCase.all)
    func testKit(_ one: AgeTestKitCase) throws {
        let format: AgeFormat = one.members["armored"] == ["yes"] ? .armoured : .binary
        for pieces in [65_536, 1_009] {
            let (content, error) = openedAge(one.file, try one.keys(), format: format, pieces: pieces, suite: library)
            #expect([error?.expectation ?? "success"] == one.members["expect"])
            if let hash = one.members["payload"]?.first, error?.expectation != "armor failure" {
                #expect(Hex.encode(SHA256.hash(content)) == Bytes(text: hash))
            }
        }
    }

    @Test("The test kit is all there")
    func all() {
        #expect(AgeTestKitCase.all.count == 143)
        #expect(AgeTestKitCase.all.filter { $0.members["expect"] == ["success"] }.count > 20)
    }

    @Test("Both suites compute the same, and refuse the same")
    func same() throws {
        for count in [0, 1, 16, 64, 255, 256, 65_536] {
            let (key, nonce, content) = (RandomBytes.make(32), RandomBytes.make(12), RandomBytes.make(count))
            var (first, second): (Bytes, Bytes) = ([1], [1])
            #expect(library.sealChaCha20Poly1305(content[...], key: key, nonce: nonce, appendingTo: &first))
            #expect(pure.sealChaCha20Poly1305(content[...], key: key, nonce: nonce, appendingTo: &second))
            #expect(first.hasSameBytes(as: second))
            for bit in [8, first.count * 8 - 1] {
                var spoiled = first
                spoiled[bit / 8] ^= 1 << UInt8(bit % 8)
                var output: Bytes = []
                #expect(!library.openChaCha20Poly1305(spoiled[1...], key: key, nonce: nonce, appendingTo: &output))
                #expect(!pure.openChaCha20Poly1305(spoiled[1...], key: key, nonce: nonce, appendingTo: &output))
                #expect(output.isEmpty)
            }
            let (secret, peer) = (RandomBytes.make(32), RandomBytes.make(32))
            #expect(library.x25519(secret, publicKey: peer) == pure.x25519(secret, publicKey: peer))
        }
        for peer in [Bytes(repeating: 0, count: 32), [1] + Bytes(repeating: 0, count: 31), [1, 2]] {
            #expect(library.x25519(RandomBytes.make(32), publicKey: peer) == nil)
            #expect(pure.x25519(RandomBytes.make(32), publicKey: peer) == nil)
        }
        for logWork in [1, 10, 14] {
            let (passphrase, salt) = (RandomBytes.make(20), RandomBytes.make(44))
            let key = library.scrypt(passphrase, salt: salt, logWork: logWork)
            #expect(key?.count == 32 && key == pure.scrypt(passphrase, salt: salt, logWork: logWork))
        }
        #expect(library.scrypt([1], salt: [2], logWork: 0) == nil && library.scrypt([1], salt: [2], logWork: 23) == nil)
        var output: Bytes = []
        #expect(
            !library.sealChaCha20Poly1305([], key: [1], nonce: Bytes(repeating: 0, count: 12), appendingTo: &output))
        #expect(!library.sealChaCha20Poly1305([], key: RandomBytes.make(32), nonce: [1], appendingTo: &output))
    }

    @Test("What one suite seals, the other opens")
    func across() throws {
        let identity = try AgeIdentity.generate(suite: library)
        let recipient = try identity.recipient(suite: pure)
        #expect(try identity.recipient(suite: library) == recipient)
        let content = RandomBytes.make(150_000)
        let (first, second) = (
            try ageFile(content, with: AgeSealer(to: [recipient], suite: library)),
            try ageFile(content, with: AgeSealer(to: [recipient], suite: pure))
        )
        for (file, opened) in [
            (first, openedAge(first, [identity], suite: pure)), (second, openedAge(second, [identity], suite: library)),
        ] {
            #expect(file.count == first.count && opened.error == nil && opened.content.hasSameBytes(as: content))
        }
    }

    @Test("Hybrid keys seal and open, keep their text, and nobody else's key opens")
    func hybrid() throws {
        let identities = try (0..<2).map { _ in try AgeIdentity.generate(hybrid: true, suite: library) }
        let recipient = try identities[0].recipient(suite: library)
        #expect(recipient.isHybrid && recipient.text.starts(with: Bytes(text: "age1pq1")))
        #expect(try AgeRecipient(recipient.text) == recipient)
        let again = try AgeIdentity(try #require(identities[0].text))
        let file = try ageFile([1, 2, 3], with: AgeSealer(to: [recipient], suite: library))
        #expect(openedAge(file, [again], suite: library) == ([1, 2, 3], nil))
        #expect(openedAge(file, [identities[1]], suite: library) == ([], .noMatch))
        #expect(openedAge(file, [again], suite: pure) == ([], .unsupported))
    }
}
