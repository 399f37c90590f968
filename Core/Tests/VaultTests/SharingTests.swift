import EllipticCurves
import Encodings
import Testing

@testable import Vault

@Suite struct SharingTests {
    let sample: Sample
    let member: ECPrivateKey
    var suite: TestSuite { sample.suite }

    init() throws {
        sample = try Sample()
        member = try ECPrivateKey.generate(on: .p256, randomBytes: sample.suite.randomBytes)
    }

    func accesses() throws -> [SharedAccess] {
        [
            .compartment(sample.compartment.key, name: try NodeName(.text("Together"))),
            .version(sample.version, name: try NodeName(.text("Degree.pdf")), mediaType: .text("application/pdf")),
        ]
    }

    @Test func aMemberOpensWhatWasSealedToThem() throws {
        for access in try accesses() {
            let sealed = try access.sealed(to: member.publicKey.x963, id: [1], suite: suite)
            #expect(sealed.count == 512 + 81)
            #expect(try SharedAccess(sealed, with: member, id: [1], suite: suite) == access)
            #expect(refusal { try SharedAccess(sealed, with: member, id: [2], suite: suite) } == .cannotOpen)
            let other = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes)
            #expect(refusal { try SharedAccess(sealed, with: other, id: [1], suite: suite) } == .cannotOpen)
            #expect(
                refusal { try access.sealed(to: Bytes(repeating: 4, count: 65), id: [1], suite: suite) } == .malformed)
        }
    }

    @Test func aLinkOpensWithKeyAndCode() throws {
        let key = try VaultSecret.random(suite)
        for access in try accesses() {
            let sealed = try access.sealed(link: key, code: .text("4711"), id: [1], suite: suite)
            #expect(sealed.count == 540)
            #expect(try SharedAccess(sealed, link: key, code: .text("4711"), id: [1], suite: suite) == access)
            #expect(refusal { try SharedAccess(sealed, link: key, code: [], id: [1], suite: suite) } == .cannotOpen)
            #expect(
                refusal { try SharedAccess(sealed, link: key, code: .text("4711"), id: [2], suite: suite) }
                    == .cannotOpen)
        }
    }

    /// HPKE, made with an independent implementation: recipient's key, info, additional data, plaintext, ciphertext.
    @Test func hpkeIsReadFromOthers() throws {
        for test in try Fixture.json("hpke.json").list("cases") {
            let key = try ECPrivateKey(.p256, scalar: test.hex("private_key"))
            let plaintext = try SealedToKey.open(
                test.hex("sealed"), with: key, .share, test.hex("additional_data"), suite: suite)
            #expect(try plaintext == test.hex("plaintext"))
        }
    }
}
