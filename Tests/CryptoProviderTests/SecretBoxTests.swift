import CryptoProvider
import Encodings
import Testing

@Suite struct SecretBoxTests {
    let key = Bytes(repeating: 7, count: 32)
    let secret = Bytes(text: "a private key")

    @Test("A key of any other length is refused", arguments: [0, 16, 31, 33])
    func badKey(_ length: Int) {
        #expect(throws: SecretBoxError.badKey) { try SecretBox(key: Bytes(repeating: 1, count: length)) }
    }

    @Test("A box does not open for another purpose, under another key, or with any changed byte")
    func attacks() throws {
        let box = try SecretBox(key: key)
        let sealed = try box.seal(secret, purpose: "log key")
        #expect(throws: SecretBoxError.notAuthentic) { try box.open(sealed, purpose: "root key") }
        #expect(throws: SecretBoxError.notAuthentic) { try box.open(sealed, purpose: "") }
        let other = try SecretBox(key: Bytes(repeating: 8, count: 32))
        #expect(throws: SecretBoxError.notAuthentic) { try other.open(sealed, purpose: "log key") }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x80
            #expect(throws: SecretBoxError.notAuthentic) { try box.open(changed, purpose: "log key") }
        }
        for length in 0..<sealed.count {
            #expect(throws: SecretBoxError.self) { try box.open(Array(sealed[..<length]), purpose: "log key") }
        }
    }

    @Test("What is sealed is opened, and never sealed the same way twice", arguments: [0, 1, 32, 5000])
    func roundTrip(_ length: Int) throws {
        let box = try SecretBox(key: key)
        let plaintext = Bytes(repeating: 0x41, count: length)
        let sealed = try box.seal(plaintext, purpose: "test")
        #expect(sealed.count == length + 28)
        #expect(try box.open(sealed, purpose: "test") == plaintext)
        #expect(try box.seal(plaintext, purpose: "test") != sealed)
    }
}
