import EllipticCurves
import Encodings
import Testing

@Suite("X25519")
struct X25519Tests {
    @Test("Shared secrets are those of RFC 7748 and OpenSSL, and points of small order give none")
    func vectors() throws {
        let lines = try Fixture.lines("x25519.txt")
        #expect(lines.count == 108)
        var refused = 0
        for line in lines {
            let expected = try Fixture.bytes(line[2])
            let secret = X25519.sharedSecret(of: try Fixture.bytes(line[0]), with: try Fixture.bytes(line[1]))
            if expected.allSatisfy({ $0 == 0 }) {
                #expect(secret == nil)
                refused += 1
            } else {
                #expect(secret == expected)
            }
        }
        #expect(refused > 10)
    }

    @Test("A thousand secrets in a row end where RFC 7748 says")
    func iterated() throws {
        var (scalar, point): (Bytes, Bytes) = (
            [9] + Bytes(repeating: 0, count: 31), [9] + Bytes(repeating: 0, count: 31)
        )
        for round in 1...1000 {
            (scalar, point) = (try #require(X25519.sharedSecret(of: scalar, with: point)), scalar)
            guard round == 1 else { continue }
            #expect(scalar == (try Fixture.bytes("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079")))
        }
        #expect(scalar == (try Fixture.bytes("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51")))
    }

    @Test("Both sides agree, and nobody else does")
    func agreement() throws {
        let (alice, bob) = (Bytes(repeating: 0x5A, count: 32), Bytes(repeating: 0xC3, count: 32))
        let (toBob, toAlice) = (try #require(X25519.publicKey(of: bob)), try #require(X25519.publicKey(of: alice)))
        let secret = try #require(X25519.sharedSecret(of: alice, with: toBob))
        #expect(X25519.sharedSecret(of: bob, with: toAlice) == secret)
        #expect(X25519.sharedSecret(of: bob, with: toBob) != secret)
    }

    @Test("Other lengths are refused, not read past", arguments: [0, 1, 31, 33, 64])
    func lengths(count: Int) {
        let (bytes, key) = (Bytes(repeating: 9, count: count), Bytes(repeating: 9, count: 32))
        #expect(X25519.sharedSecret(of: bytes, with: key) == nil)
        #expect(X25519.sharedSecret(of: key, with: bytes) == nil)
        #expect(X25519.publicKey(of: bytes) == nil)
    }
}
