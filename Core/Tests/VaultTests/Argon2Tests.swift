import Encodings
import Testing

@testable import Vault

@Suite struct Argon2Tests {
    /// RFC 9106 section 5.3.
    @Test func theVectorOfTheRFC() throws {
        let hash = try Argon2id(memory: 32, passes: 3, lanes: 4).hash(
            Bytes(repeating: 1, count: 32), salt: Bytes(repeating: 2, count: 16), secret: Bytes(repeating: 3, count: 8),
            associatedData: Bytes(repeating: 4, count: 12))
        #expect(Hex.encode(hash) == .text("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"))
    }

    /// RFC 7693 appendix A, and the digest of nothing.
    @Test func blake2bGivesItsVectors() {
        #expect(
            Hex.encode(Blake2b.hash(.text("abc"), count: 64))
                == .text(
                    "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                        + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"))
        #expect(
            Hex.encode(Blake2b.hash([], count: 32))
                == .text("0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"))
    }

    /// Made with libargon2: memory, passes, lanes, password, salt, hash.
    @Test(arguments: Self.cases) func libargon2GivesTheSame(_ test: Case) throws {
        let hash = try Argon2id(memory: test.memory, passes: test.passes, lanes: test.lanes)
            .hash(test.password, salt: test.salt, count: test.hash.count)
        #expect(hash == test.hash)
    }

    struct Case: Sendable {
        let memory, passes, lanes: Int
        let password, salt, hash: Bytes
    }

    static let cases = load()

    private static func load() -> [Case] {
        do {
            return try Fixture.json("argon2id.json").list("cases").map {
                Case(
                    memory: Int(try $0.number("memory")), passes: Int(try $0.number("passes")),
                    lanes: Int(try $0.number("lanes")), password: try $0.hex("password"), salt: try $0.hex("salt"),
                    hash: try $0.hex("hash"))
            }
        } catch {
            return []
        }
    }

    @Test func theCasesAreThere() { #expect(Self.cases.count >= 12) }

    @Test func whatIsTooLittleOrTooMuchIsRefused() throws {
        for (memory, passes, lanes) in [
            (7, 1, 1), (15, 1, 2), (8, 0, 1), (8, 1, 0), (1 << 21, 1, 1), (512, 1, 17), (8, 65, 1),
        ] {
            #expect(refusal { try Argon2id(memory: memory, passes: passes, lanes: lanes) } == .outOfRange)
        }
        let small = try Argon2id(memory: 8, passes: 1, lanes: 1)
        #expect(refusal { try small.hash([], salt: Bytes(repeating: 0, count: 7)) } == .outOfRange)
        #expect(refusal { try small.hash([], salt: Bytes(repeating: 0, count: 8), count: 3) } == .outOfRange)
    }
}
