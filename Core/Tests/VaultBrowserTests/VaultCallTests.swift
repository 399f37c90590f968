import BrowserCalls
import EllipticCurves
import Encodings
import Testing

@testable import Vault
@testable import VaultBrowser

/// One call, as a page makes it.
func call(_ name: String, _ arguments: [(String, JSON)], _ blobs: [Bytes] = []) throws -> JSON {
    let frames = Frames.joined([Bytes(text: name), JSON.members(arguments).serialized()] + blobs)
    let parts = try #require(Frames.split(VaultBrowser.answer(frames)))
    let value = try JSON.parse(parts[1])
    guard parts[0] == [0] else { throw Refused(code: String(decoding: value["code"]?.string ?? [], as: UTF8.self)) }
    return value
}

/// What the module refused, by its code.
struct Refused: Error, Equatable {
    let code: String
}

extension JSON {
    func bytes(_ name: StaticString) throws -> Bytes {
        let text = try #require(self[name]?.string)
        return try #require(Base64.decode(text, .url))
    }
}

@Suite struct VaultCallTests {
    let salt = Bytes(repeating: 4, count: 16)
    let random = Bytes((0..<48).map { UInt8($0 + 1) })

    func input() throws -> Bytes {
        try call(
            "pin_input",
            [("salt", .base64URL(salt)), ("memory", .integer(8)), ("passes", .integer(1)), ("lanes", .integer(1))],
            [Bytes(text: "583920")]
        ).bytes("input")
    }

    @Test func aPINGoesThroughTheGuardAndIsProved() throws {
        let input = try input()
        let same: [(String, JSON)] = [
            ("input", .base64URL(input)), ("salt", .base64URL(salt)), ("random", .base64URL(random)),
        ]
        let blinded = try call("pin_blind", same).bytes("blinded")
        let server = try ObliviousServer.derive(seed: random, info: [])
        let answer = try server.evaluate([blinded], randomness: random)
        let evaluated: [(String, JSON)] = [
            ("evaluated", .base64URL(answer.elements[0])), ("proof", .base64URL(answer.proof)),
        ]
        let value = try call("pin_value", same + evaluated + [("public_key", .base64URL(server.publicKey))]).bytes(
            "value")
        #expect(value.count == 48)
        let other = try ObliviousServer.derive(seed: random, info: [1]).publicKey
        #expect(throws: Refused(code: "cannot_open")) {
            try call("pin_value", same + evaluated + [("public_key", .base64URL(other))])
        }
        let secret = Bytes(repeating: 8, count: 32)
        let contents = PINContents(
            purpose: .main, key: try VaultSecret(secret), lock: .init(high: 0, low: 0), scalar: random.reversed())
        let verifier = try call(
            "pin_verifier",
            [
                ("input", .base64URL(input)), ("scalar", .base64URL(random.reversed())),
                ("reset_key", .base64URL(secret)),
            ]
        ).bytes("verifier")
        let tryID = Bytes(repeating: 6, count: 16)
        let proofs = try call(
            "pin_proofs",
            same + [
                ("opened", .array([.base64URL(contents.bytes), .null, .null, .null])),
                ("reset_keys", .array([.base64URL(secret), .null, .null, .null])), ("try", .base64URL(tryID)),
                ("more_random", .base64URL(Bytes((0..<1_000).map { UInt8(truncatingIfNeeded: $0) }))),
            ])
        let made = try (proofs["proofs"]?.array ?? []).map { proof in
            try PINProof(#require(Base64.decode(proof.string ?? [], .url)))
        }
        let slot = try PINVerifier(verifier)
        var state = try PINGuard(verifiers: [slot, slot, slot, slot])
        _ = try state.begin(tryID, blinded: blinded, now: 0)
        #expect(try state.prove(tryID, made, now: 1, suite: PageSuite(random: [])).isProved)
    }

    @Test func wordsAndSharesComeBack() throws {
        let key = Bytes(repeating: 0x7F, count: 32)
        let words = try #require(try call("words", [("key", .base64URL(key))])["words"]?.string)
        #expect(try call("words_key", [], [words]).bytes("key") == key)
        #expect(throws: Refused(code: "cannot_open")) {
            try call("words_key", [], [words.dropLast(5) + Bytes(text: "vote")])
        }
        let random = Bytes((0..<36).map { UInt8($0) })
        let made = try call("shares", [("secret", .base64URL(key)), ("random", .base64URL(random))])
        let shares = (made["shares"]?.array ?? []).compactMap { $0.string }
        #expect(shares.count == 3)
        #expect(try call("shares_secret", [], [shares[2], shares[0]]).bytes("secret") == key)
        #expect(throws: Refused(code: "malformed")) { try call("shares_secret", [], [shares[0], shares[0]]) }
        #expect(throws: Refused(code: "suite_failed")) { try call("shares", [("secret", .base64URL(key))]) }
    }

    @Test func pinsAndNamesAreJudged() throws {
        for (pin, refusal) in [
            ("583920", nil), ("12345", "too_short"), ("123456", "too_common"), ("58392a", "not_digits"),
        ] {
            let value = try call("pin_refusal", [], [Bytes(text: pin)])["refusal"]
            #expect(value == (refusal.map { .text($0) } ?? .null))
        }
        #expect(try call("name", [], [Bytes(text: "a/b")])["name"] == .text("a_b"))
    }

    @Test func whatIsTypedIsStretchedAsOtherProgramsDo() throws {
        // The example of Tests/Interop/pico/account_backup.py, computed by OpenSSL.
        let costs: [(String, JSON)] = [("memory", .integer(19_456)), ("passes", .integer(2)), ("lanes", .integer(2))]
        let salt: (String, JSON) = ("salt", .base64URL(Bytes(0..<16)))
        let key = try call("stretch", [salt] + costs, [Bytes(text: "7K3MQ0XA9TBE7K3MQ0XA9TBE")]).bytes("key")
        #expect(Hex.encode(key) == Bytes(text: "8e3498e58a499e5be0083671288cf00d0f0f94577f128df5fdf7139b2a7f58e8"))
        for (name, value) in [("memory", 1 << 20 + 1), ("memory", 7), ("passes", 17), ("passes", 0), ("lanes", 17)] {
            let dear = costs.map { $0.0 == name ? (name, JSON.integer(Int64(value))) : $0 }
            #expect(throws: Refused(code: "out_of_range")) { try call("stretch", [salt] + dear, [[1]]) }
        }
        let short: (String, JSON) = ("salt", .base64URL([1]))
        #expect(throws: Refused(code: "out_of_range")) { try call("stretch", [short] + costs, [[1]]) }
        #expect(throws: Refused(code: "missing_member")) { try call("stretch", [salt], [[1]]) }
    }

    @Test func whatAPageGetsWrongIsRefused() throws {
        let input = try input()
        #expect(throws: Refused(code: "wrong_length")) {
            try call(
                "pin_blind", [("input", .base64URL([1])), ("salt", .base64URL(salt)), ("random", .base64URL(random))])
        }
        #expect(throws: Refused(code: "suite_failed")) {
            try call("pin_blind", [("input", .base64URL(input)), ("salt", .base64URL(salt))])
        }
        #expect(throws: Refused(code: "out_of_range")) {
            try call("pin_input", [("salt", .base64URL(salt)), ("memory", .integer(1 << 40))], [[0x31]])
        }
        #expect(throws: Refused(code: "missing_blob")) { try call("pin_input", [("salt", .base64URL(salt))]) }
    }
}
