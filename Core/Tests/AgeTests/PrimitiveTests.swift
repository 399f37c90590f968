import Encodings
import Testing

@testable import Age

@Suite("The cryptography of age in Swift")
struct PrimitiveTests {
    @Test("ChaCha20-Poly1305 is that of RFC 8439 and OpenSSL")
    func cipher() throws {
        let lines = try Fixture.lines("chacha20-poly1305.txt")
        #expect(lines.count == 58)
        for line in lines {
            let fields = try line.map(Fixture.hex)
            var (sealed, opened): (Bytes, Bytes) = ([7], [8])
            let isSealed = ChaCha20Poly1305.seal(
                fields[3][...], key: fields[0], nonce: fields[1], additionalData: fields[2], appendingTo: &sealed)
            #expect(isSealed && sealed == [7] + fields[4])
            let isOpened = ChaCha20Poly1305.open(
                sealed[1...], key: fields[0], nonce: fields[1], additionalData: fields[2], appendingTo: &opened)
            #expect(isOpened && opened == [8] + fields[3])
        }
    }

    @Test("A changed bit, another nonce, key or additional data opens nothing")
    func changed() throws {
        let (key, nonce) = (Bytes(repeating: 1, count: 32), Bytes(repeating: 2, count: 12))
        var sealed: Bytes = []
        #expect(ChaCha20Poly1305.seal([1, 2, 3], key: key, nonce: nonce, additionalData: [4], appendingTo: &sealed))
        func opens(_ sealed: Bytes, _ key: Bytes, _ nonce: Bytes, _ data: Bytes) -> Bool {
            var output: Bytes = [9]
            let isOpen = ChaCha20Poly1305.open(
                sealed[...], key: key, nonce: nonce, additionalData: data, appendingTo: &output)
            #expect(output.count == (isOpen ? 4 : 1))
            return isOpen
        }
        #expect(opens(sealed, key, nonce, [4]))
        for index in sealed.indices { #expect(!opens(sealed.flipping(index), key, nonce, [4])) }
        #expect(!opens(sealed, key.flipping(31), nonce, [4]))
        #expect(!opens(sealed, key, nonce.flipping(11), [4]))
        #expect(!opens(sealed, key, nonce, [4, 0]))
        #expect(!opens(Array(sealed.prefix(15)), key, nonce, [4]))
    }

    @Test(
        "Keys and nonces of other lengths are refused",
        arguments: [(0, 12), (31, 12), (33, 12), (32, 0), (32, 8), (32, 24)])
    func lengths(key: Int, nonce: Int) {
        let (key, nonce) = (Bytes(repeating: 1, count: key), Bytes(repeating: 2, count: nonce))
        var output: Bytes = []
        #expect(!ChaCha20Poly1305.seal([1], key: key, nonce: nonce, appendingTo: &output))
        #expect(
            !ChaCha20Poly1305.open(Bytes(repeating: 0, count: 17)[...], key: key, nonce: nonce, appendingTo: &output))
        #expect(output.isEmpty)
    }

    @Test("Poly1305 is that of RFC 8439 and OpenSSL, at the edges of its modulus too")
    func authenticator() throws {
        let lines = try Fixture.lines("poly1305.txt")
        #expect(lines.count == 46)
        for line in lines {
            let fields = try line.map(Fixture.hex)
            var mac = Poly1305(key: fields[0])
            unsafe fields[1].withUnsafeBytes { unsafe mac.updatePadded($0) }
            #expect(mac.finish() == fields[2])
        }
    }

    @Test("scrypt is that of RFC 7914 and OpenSSL")
    func passphrases() throws {
        let lines = try Fixture.lines("scrypt.txt")
        #expect(lines.count == 11)
        for line in lines {
            let numbers = try line[2...4].map { try #require(Int($0)) }
            let expected = try Fixture.hex(line[5])
            let key = Scrypt.derive(
                try Fixture.hex(line[0]), salt: try Fixture.hex(line[1]), logWork: numbers[0], blockSize: numbers[1],
                parallelism: numbers[2], count: expected.count)
            #expect(key == expected)
        }
    }

    @Test(
        "scrypt refuses parameters out of range",
        arguments: [(0, 8, 1, 32), (31, 8, 1, 32), (4, 0, 1, 32), (4, 8, 0, 32), (4, 8, 1, 0)])
    func ranges(logWork: Int, blockSize: Int, parallelism: Int, count: Int) {
        let key = Scrypt.derive(
            [1], salt: [2], logWork: logWork, blockSize: blockSize, parallelism: parallelism, count: count)
        #expect(key == nil)
    }
}
