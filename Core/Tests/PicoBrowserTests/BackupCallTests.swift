import BrowserCalls
import EllipticCurves
import Encodings
import Pico
import Testing

@testable import PicoBrowser

@Suite("A backup in a page")
struct BackupCallTests {
    private let salt = Bytes(0..<16)
    private let service = Bytes(0..<32)

    private func blobs(_ name: String, _ arguments: [(String, JSON)], _ blobs: [Bytes] = []) throws -> [Bytes] {
        let frames = Frames.joined([Bytes(text: name), JSON.members(arguments).serialized()] + blobs)
        let parts = try #require(Frames.split(PicoBrowser.answer(frames)))
        guard parts[0] == [0] else { throw Refused(code: try JSON.parse(parts[1]).text("code")) }
        return Array(parts.dropFirst(2))
    }

    private func account(_ number: UInt8, name: String = "ada", extra: Bytes = [1, 2]) -> JSON {
        .members([
            ("id", .text("00000000000\(number)")), ("service", .base64URL(service)),
            ("serviceName", .text("My computer")), ("name", .text(name)), ("curve", .text("p256")),
            ("key", .base64URL(Bytes(repeating: number, count: 32))), ("extraData", .base64URL(extra)),
            ("asksEveryTime", .bool(false)), ("created", .integer(1_790_000_000)),
        ])
    }

    private func plain(_ accounts: [JSON]) throws -> Bytes {
        try #require(try blobs("backup_plain", [], [JSON.array(accounts).serialized()]).first)
    }

    @Test("goes out and comes back, with the public keys of its accounts")
    func whole() throws {
        let plain = try plain([account(1), account(2, name: "eve")])
        let begun = try call("backup_begin", [("salt", .base64URL(salt))])
        #expect(begun["memory"] == .integer(65_536) && begun["passes"] == .integer(3) && begun["lanes"] == .integer(4))
        // Whatever seals it: the nonce comes first, the tag last.
        let sealed = Bytes(repeating: 9, count: 12) + plain + Bytes(repeating: 0, count: 16)
        let file = try #require(try blobs("backup_file", [("salt", .base64URL(salt))], [sealed]).first)
        let read = try call("backup_read", [], [file])
        #expect(try read.bytes("salt") == salt && read.bytes("additional") == begun.bytes("additional"))
        #expect(try blobs("backup_read", [], [file]) == [sealed])
        let found = try #require(try call("backup_contents", [], [plain])["accounts"]?.array)
        #expect(found.map { $0.text("name") } == ["ada", "eve"])
        let key = try ECPrivateKey(.p256, scalar: Bytes(repeating: 1, count: 32))
        #expect(try found[0].bytes("publicKey") == key.publicKey.x963)
        #expect(try found[0].bytes("key") == key.secretScalar && found[0].bytes("extraData") == [1, 2])
        #expect(found[0].text("fingerprint") == words(try #require(PicoCommitment(bytes: service)).fingerprint))
        #expect(try AccountBackupFile(file).encoded == file)
    }

    private func old(_ curve: BackedUpAccount.Curve, key: Bytes) throws -> Bytes {
        let account = BackedUpAccount(
            id: [], service: try #require(PicoCommitment(bytes: service)), serviceName: Bytes(text: "Old"),
            name: Bytes(text: "ada"), curve: curve, key: key, extraData: [], asksEveryTime: false, created: 0)
        return try BackedUpAccount.encoded([account])
    }

    @Test("has accounts on old curves, with the public keys of these", arguments: BackedUpAccount.Curve.allCases)
    func oldCurve(curve: BackedUpAccount.Curve) throws {
        let own = try #require(EllipticCurve.named(Bytes(curve.name)))
        let key = try #require(Page.key(on: own, seed: "old"))
        let plain = try old(curve, key: key.secretScalar)
        let found = try #require(try call("backup_contents", [], [plain])["accounts"]?.array?.first)
        #expect(found.text("curve") == curve.name.description)
        #expect(try found.bytes("publicKey") == key.publicKey.x963 && found.bytes("key") == key.secretScalar)
        #expect(try blobs("backup_plain", [], [JSON.array([found]).serialized()]).count == 1)
        // Numbers from the order on are no keys.
        let none = try old(curve, key: Bytes(repeating: 0xFF, count: curve.keyLength))
        #expect(try refusal { try call("backup_contents", [], [none]) } == "invalid_key")
    }

    @Test("is not made of what could not be read again")
    func unreadable() throws {
        let long = Bytes(repeating: 0, count: 4_097)
        for accounts in [[JSON.null], [account(1, extra: long)], [account(0)], [account(1, name: "")]] {
            #expect(throws: Refused.self) { try plain(accounts) }
        }
        let many = (1...101).map { account(UInt8($0)) }
        #expect(try refusal { try plain(many) } == "too_large")
        #expect(try refusal { try blobs("backup_file", [("salt", .base64URL([1]))], [[]]) } == "wrong_length")
        #expect(try refusal { try blobs("backup_file", [("salt", .base64URL(salt))], [[1]]) } == "malformed")
    }

    @Test("of a cheap derivation, of the original's app, or of nothing is refused with its reason")
    func refused() throws {
        let cheap = AccountBackupFile.Derivation(memory: 32, passes: 1, lanes: 1, salt: salt)
        let sealed = Bytes(repeating: 0, count: 28)
        let file = try AccountBackupFile(derivation: cheap, sealed: sealed).encoded
        #expect(try refusal { try call("backup_read", [], [file]) } == "unacceptable")
        let original = Bytes(text: #"{"encryptedData":"AAAA","iv":"AAAA"}"#)
        #expect(try refusal { try call("backup_read", [], [original]) } == "unsupported_version")
        #expect(try refusal { try call("backup_read", [], [[]]) } == "malformed")
        #expect(try refusal { try call("backup_contents", [], [[]]) } == "malformed")
    }

    @Test("has a phrase that a person can type in any way")
    func phrase() throws {
        let made = try call("backup_phrase", [("random", .base64URL(Bytes(0..<24)))]).text("phrase")
        #expect(made.count == 29)
        let typed = try call("backup_typed", [], [Bytes(text: made.lowercased().replacing("-", with: "  "))])
        #expect(typed.text("password") == made.replacing("-", with: ""))
        #expect(try call("backup_typed", [], [Bytes(text: "six words that are none")])["password"] == .null)
        #expect(try refusal { try call("backup_phrase", [("random", .base64URL(Bytes(0..<23)))]) } == "wrong_length")
    }
}
