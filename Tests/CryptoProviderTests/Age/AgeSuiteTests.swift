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

    @Test("Pieces that are sealed at the same time are those that are sealed one by one", arguments: [0, 1, 2, 9])
    func pieces(count: Int) {
        let (key, content) = (RandomBytes.make(32), RandomBytes.make(count * AgeLimits.chunk))
        let nonces = (0..<count).map { _ in RandomBytes.make(12) }
        var (together, single): (Bytes, Bytes) = ([1], [1])
        // A slice that does not begin at zero.
        let slice = ([2, 3] + content + [4])[2..<2 + content.count]
        #expect(library.sealChaCha20Poly1305(pieces: slice, key: key, nonces: nonces, appendingTo: &together))
        #expect(pure.sealChaCha20Poly1305(pieces: slice, key: key, nonces: nonces, appendingTo: &single))
        #expect(together.count == 1 + count * (AgeLimits.chunk + 16) && together.hasSameBytes(as: single))
        for suite: any AgeCryptoSuite in [library, pure] {
            var output: Bytes = []
            let long = content + [1]
            #expect(!suite.sealChaCha20Poly1305(pieces: long[...], key: key, nonces: nonces, appendingTo: &output))
            if count > 0 {
                #expect(
                    !suite.sealChaCha20Poly1305(pieces: content[...], key: [1], nonces: nonces, appendingTo: &output))
                let short = nonces.dropLast() + [[1]]
                #expect(
                    !suite.sealChaCha20Poly1305(
                        pieces: content[...], key: key, nonces: Array(short), appendingTo: &output))
            }
        }
    }

    @Test("Pieces opened at the same time are given out up to the first that does not open", arguments: [0, 1, 9])
    func openedPieces(count: Int) {
        let (key, content) = (RandomBytes.make(32), RandomBytes.make(count * AgeLimits.chunk))
        let nonces = (0..<count).map { _ in RandomBytes.make(12) }
        var sealed: Bytes = []
        #expect(pure.sealChaCha20Poly1305(pieces: content[...], key: key, nonces: nonces, appendingTo: &sealed))
        let length = AgeLimits.sealedChunk
        let pieces: [ArraySlice<UInt8>] = (0..<count).map { sealed[$0 * length..<($0 + 1) * length] }
        func check(_ pieces: [ArraySlice<UInt8>], _ key: Bytes, _ nonces: [Bytes], whole: Int) {
            for suite: any AgeCryptoSuite in [library, pure] {
                var output: Bytes = [1]
                let opened = suite.openChaCha20Poly1305(pieces: pieces, key: key, nonces: nonces, appendingTo: &output)
                #expect(opened == whole)
                let expected: Bytes = [1] + content.prefix(whole * AgeLimits.chunk)
                #expect(output.hasSameBytes(as: expected), "\(whole) whole pieces")
            }
        }
        check(pieces, key, nonces, whole: count)
        check(pieces, key, nonces + [RandomBytes.make(12)], whole: 0)
        guard count > 0 else { return }
        check(pieces, [1], nonces, whole: 0)
        check(pieces, key, Array(nonces.dropLast()), whole: 0)
        check(pieces, key, Array(nonces.dropLast()) + [[1]], whole: count - 1)
        check(Array(pieces.dropLast()) + [pieces[count - 1].dropLast()], key, nonces, whole: count - 1)
        // Its tag holds, but it is no whole piece.
        var short: Bytes = []
        #expect(pure.sealChaCha20Poly1305([1, 2], key: key, nonce: nonces[0], appendingTo: &short))
        check([short[...]] + Array(pieces.dropFirst()), key, nonces, whole: 0)
        for index in 0..<count {
            // Of two that are spoiled the first counts, whichever thread is quicker.
            var spoiled = sealed
            spoiled[index * length] ^= 1
            spoiled[sealed.count - 1] ^= 0x80
            let changed: [ArraySlice<UInt8>] = (0..<count).map { spoiled[$0 * length..<($0 + 1) * length] }
            check(changed, key, nonces, whole: index)
        }
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
