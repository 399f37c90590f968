import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("A backup of accounts in our own format")
struct AccountBackupTests {
    private let example: JSON

    init() throws { example = try Fixture.json("account-backup") }

    @Test("that another program made is read, and ours is byte for byte the same")
    func sameBytes() throws {
        let (text, plain) = (try example.text("file"), try example.text("plain"))
        let file = try AccountBackupFile(text)
        #expect(file.derivation == .init(memory: 19_456, passes: 2, lanes: 2, salt: try example.hex("salt")))
        #expect(file.derivation.isAcceptable)
        let sealed = try example.hex("sealed")
        #expect(file.sealed == sealed && file.encoded == text)
        let box = Bytes(text: "countersign secret box v1\n")
        let additional = try example.hex("additional")
        #expect(box + AccountBackupFile.purpose(of: file.derivation) == additional)
        let accounts = try BackedUpAccount.parse(plain)
        #expect(accounts.count == 2 && accounts[0].asksEveryTime && accounts[0].created == 1_790_000_000)
        #expect(accounts[0].extraData == Bytes(text: "a secret") && accounts[0].name == Bytes(text: "ada"))
        #expect(accounts[1].curve == .p192 && accounts[1].serviceName == Bytes(text: "An old / service"))
        #expect(try BackedUpAccount.encoded(accounts) == plain)
    }

    @Test("is sealed under what a phrase is without its hyphens, however it was typed")
    func phrase() throws {
        let (phrase, password) = (try example.text("phrase"), try example.text("password"))
        #expect(AccountBackupFile.password(of: phrase) == password)
        for typed in ["7k3m q0xa 9tbe 7k3m q0xa 9tbe", " 7K3MQOXA9TBE-7K3MQoXA9TBE "] {
            #expect(AccountBackupFile.password(of: Bytes(text: typed)) == password)
        }
        for typed in ["", "7K3M-Q0XA-9TBE", string(phrase) + "0", "7K3M-Q0XA-9TBE-7K3M-Q0XA-9TBU", "🦊"] {
            #expect(AccountBackupFile.password(of: Bytes(text: typed)) == nil, "\(typed)")
        }
        let random = Bytes((0..<24).map { UInt8($0 * 11 & 0xFF) })
        let made = try AccountBackupFile.phrase(of: random)
        #expect(made.count == 29 && AccountBackupFile.password(of: made)?.count == 24)
        #expect(refusal { try AccountBackupFile.phrase(of: Bytes(0..<23)) } == .malformed)
    }

    @Test("is refused as a file if anything of its form is another, and one of the original's app by name")
    func malformed() throws {
        let text = try example.text("file")
        let json = try JSON.parse(text)
        let derivation = try json.member("derivation")
        let wrong = [
            json.setting("format", .text("countersign-accounts-v2")), json.setting("more", .null),
            json.setting("format", nil), json.setting("sealed", .text("AA")), json.setting("sealed", .text("A===")),
            json.setting("derivation", .null),
        ]
        let derivations = [
            derivation.setting("name", .text("argon2i")), derivation.setting("memory_kib", .integer(-1)),
            derivation.setting("memory_kib", .integer(1 << 31)), derivation.setting("passes", .text("2")),
            derivation.setting("lanes", nil), derivation.setting("salt", .text("AAECAwQFBgcICQoLDA0O")),
            derivation.setting("more", .null),
        ].map { json.setting("derivation", $0) }
        for json in wrong + derivations {
            #expect(refusal { try AccountBackupFile(json.serialized()) } == .malformed, "\(string(json.serialized()))")
        }
        for text in [[], text + [0x30], Array(text.dropLast(3))] {
            #expect(refusal { try AccountBackupFile(text) } == .malformed)
        }
        #expect(refusal { try AccountBackupFile(Bytes(repeating: 0x20, count: (4 << 20) + 1)) } == .tooLarge)
        let original = try Fixture.json("backup").text("file_text")
        #expect(refusal { try AccountBackupFile(original) } == .unsupportedVersion)
    }

    @Test("with a derivation that is too cheap, or takes too much, is not opened")
    func derivations() throws {
        let salt = Bytes(0..<16)
        #expect(AccountBackupFile.Derivation.recommended(salt: salt).isAcceptable)
        for (memory, passes, lanes) in [
            (19_455, 2, 1), (1 << 20 + 1, 2, 1), (65_536, 1, 1), (65_536, 17, 1), (65_536, 2, 0), (65_536, 2, 17),
        ] {
            let derivation = AccountBackupFile.Derivation(memory: memory, passes: passes, lanes: lanes, salt: salt)
            #expect(!derivation.isAcceptable, "\(memory) \(passes) \(lanes)")
        }
    }

    @Test("whose contents are not those of accounts is refused, whoever sealed them")
    func contents() throws {
        let account = try #require(try JSON.parse(example.text("plain")).array?.first)
        func refused(_ json: JSON) -> PicoError? { refusal { try BackedUpAccount.parse(json.serialized()) } }
        let long = Bytes(repeating: 0x61, count: 257)
        let wrong: [(String, JSON?)] = [
            ("service", .text("AAAA")), ("service", nil), ("serviceName", .text("")), ("serviceName", .string(long)),
            ("name", .text("a\u{202E}b")), ("name", .text("a\nb")), ("curve", .text("p224")), ("curve", nil),
            ("key", .text("AAAA")), ("key", .text("!")),
            ("extraData", .string(Base64.encode(Bytes(repeating: 0, count: 4_097), .url))), ("extraData", nil),
            ("asksEveryTime", .integer(1)), ("created", .integer(-1)), ("created", .integer(253_402_300_800)),
            ("created", .text("1")),
        ]
        for (name, value) in wrong {
            #expect(refused(.array([account.setting(name, value)])) == .malformed, "\(name)")
        }
        for scalar in [Bytes(repeating: 0, count: 32), Bytes(repeating: 0xFF, count: 32)] {
            #expect(refused(.array([account.setting("key", .string(Base64.encode(scalar, .url)))])) == .invalidKey)
        }
        for json in [JSON.null, account, .array([.null]), .array([.array([])])] { #expect(refused(json) == .malformed) }
        #expect(refused(.array(Array(repeating: account, count: 101))) == .tooLarge)
        // What a later version may add does not keep an earlier one from reading it.
        #expect(try BackedUpAccount.parse(JSON.array([account.setting("more", .null)]).serialized()).count == 1)
        // A key that comes twice counts once, under whatever name.
        let twice = JSON.array([account, account.setting("name", .text("eve"))])
        #expect(try BackedUpAccount.parse(twice.serialized()).map(\.name) == [Bytes(text: "ada")])
    }
}
