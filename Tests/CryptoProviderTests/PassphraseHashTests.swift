import Encodings
import Testing

@testable import CryptoProvider

@Suite struct PassphraseHashTests {
    static let salt = "MDEyMzQ1Njc4OWFiY2RlZg"
    static let tag = "JZ5VpMbkUHSuJaIwyunuHHoyybaSylUYtwLlaMidzf8"

    static let malformedTexts: [String] = [
        "", "$", "$$$$$", "argon2id", "$argon2id$v=19$m=32,t=1,p=1$\(salt)",
        "$argon2i$v=19$m=32,t=1,p=1$\(salt)$\(tag)",
        "$argon2d$v=19$m=32,t=1,p=1$\(salt)$\(tag)",
        "$argon2id$v=16$m=32,t=1,p=1$\(salt)$\(tag)",
        "$argon2id$m=32,t=1,p=1$\(salt)$\(tag)",
        "$argon2id$v=19$m=32,p=1,t=1$\(salt)$\(tag)",
        "$argon2id$v=19$m=032,t=1,p=1$\(salt)$\(tag)",
        "$argon2id$v=19$m=-32,t=1,p=1$\(salt)$\(tag)",
        "$argon2id$v=19$m=32,t=1,p=1,x=2$\(salt)$\(tag)",
        "$argon2id$v=19$m=99999999999999999999,t=1,p=1$\(salt)$\(tag)",
        "$argon2id$v=19$m=32,t=1,p=1$\(salt)==$\(tag)",
        "$argon2id$v=19$m=32,t=1,p=1$\(salt)$\(tag)$",
        "$argon2id$v=19$m=32,t=1,p=1$\(salt)$\(tag)\n",
        "$argon2id$v=19$m=32,t=1,p=1$\(salt)$" + String(repeating: "A", count: 400),
        "$2b$12$abcdefghijklmnopqrstuv",
    ]

    @Test("What is no PHC string of Argon2id is refused", arguments: malformedTexts)
    func malformed(_ text: String) {
        #expect(throws: PassphraseHashError.malformed) { try PassphraseHash(text, limits: .forTests) }
    }

    @Test(
        "Parameters that would make guessing cheap or eat all memory are refused",
        arguments: [
            "m=32,t=1,p=1", "m=19455,t=2,p=1", "m=65536,t=1,p=4", "m=1048577,t=3,p=4", "m=4294967295,t=3,p=4",
            "m=65536,t=17,p=4", "m=65536,t=0,p=4", "m=65536,t=3,p=0", "m=65536,t=3,p=17",
            "m=9223372036854775807,t=3,p=4",
        ])
    func limits(_ costs: String) {
        let text = "$argon2id$v=19$\(costs)$\(Self.salt)$\(Self.tag)"
        #expect(throws: PassphraseHashError.badParameters) { try PassphraseHash(text) }
    }

    @Test("A short salt or a short hash is refused")
    func short() {
        let costs = "$argon2id$v=19$m=65536,t=3,p=4"
        #expect(throws: PassphraseHashError.badParameters) { try PassphraseHash("\(costs)$AAAA$\(Self.tag)") }
        #expect(throws: PassphraseHashError.badParameters) { try PassphraseHash("\(costs)$\(Self.salt)$AAAA") }
    }

    @Test("Argon2id gives the answer of RFC 9106 section 5.3")
    func rfc9106() throws {
        let tag = try Argon2.deriveBlocking(
            passphrase: Bytes(repeating: 1, count: 32), salt: Bytes(repeating: 2, count: 16),
            secret: Bytes(repeating: 3, count: 8), associatedData: Bytes(repeating: 4, count: 12),
            parameters: Argon2Parameters(memory: 32, passes: 3, lanes: 4), length: 32)
        let expected = "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"
        #expect(Hex.encode(tag) == Bytes(text: expected))
    }

    /// Made by the Python package argon2-cffi.
    static let knownHashes: [(String, String)] = [
        (
            "correct horse battery staple",
            "$argon2id$v=19$m=65536,t=3,p=4$\(salt)$77UfmnZYT23WpPeUKhovauWm5OxRQv9nTf1dJ+tF5EY"
        ),
        ("correct horse battery staple", "$argon2id$v=19$m=32,t=1,p=1$\(salt)$\(tag)"),
        ("blåbærsyltetøy", "$argon2id$v=19$m=256,t=2,p=2$\(salt)$GOCOmcue7WeXT/8Yd53jaQ"),
    ]

    @Test("Hashes of another implementation are checked, and written again as they were", arguments: knownHashes)
    func known(_ passphrase: String, _ text: String) throws {
        let stored = try PassphraseHash(text, limits: .forTests)
        #expect(stored.text == text)
        #expect(try stored.matchesBlocking(PassphraseHash.bytes(of: passphrase)))
        #expect(try !stored.matchesBlocking(PassphraseHash.bytes(of: passphrase + " ")))
        #expect(try !stored.matchesBlocking([]))
    }

    @Test("Raw derivation gives the answer of another implementation")
    func raw() throws {
        let key = try Argon2.deriveBlocking(
            passphrase: [], salt: Bytes(text: "saltsaltsalt"),
            parameters: Argon2Parameters(memory: 64, passes: 2, lanes: 4), length: 48)
        let expected =
            "4954476a434242d12971944ffd05f6724925a9be35279468ca67fe822d5833d5e31d4d03e547574018560bc94b0d990c"
        #expect(Hex.encode(key) == Bytes(text: expected))
    }

    @Test("Composed and decomposed letters are one passphrase")
    func normalisation() {
        #expect(PassphraseHash.bytes(of: "bl\u{E5}") == PassphraseHash.bytes(of: "bla\u{30A}"))
        #expect(PassphraseHash.bytes(of: "A") != PassphraseHash.bytes(of: "a"))
    }

    @Test("A passphrase beyond its longest is refused before any work")
    func tooLong() {
        #expect(throws: PassphraseHashError.badParameters) {
            try PassphraseHash.makeBlocking(
                Bytes(repeating: 0x61, count: 1025), salt: Bytes(repeating: 1, count: 16), parameters: .forTests)
        }
    }
}
