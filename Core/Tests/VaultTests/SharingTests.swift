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
            .inbox(member.publicKey.x963, name: try NodeName(.text("inbox"))),
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

    @Test func anInboxOpensWhatWasSealedToItAlone() throws {
        let id = sample.compartment.id
        let version = try InboxDrop.newVersion(for: id, size: 3, now: 1_800_000_000_000, suite: suite)
        let drop = InboxDrop(version, name: try NodeName(.text("a.pdf")), mediaType: .text("application/pdf"))
        let sealed = try drop.sealed(to: member.publicKey.x963, of: id, suite: suite)
        let node = version.node
        #expect(sealed.count == 81 + 16 + 64 + 512)
        #expect(try InboxDrop(sealed, id: node, of: id, with: member, suite: suite) == drop)
        #expect(version.context == id.bytes + node.bytes + version.id.bytes)
        let other = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes)
        let elsewhere = try Compartment.random(suite).id
        let another = try NodeID.random(suite)
        func fault(_ node: NodeID, _ id: CompartmentID, _ key: ECPrivateKey) -> VaultError? {
            refusal { try InboxDrop(sealed, id: node, of: id, with: key, suite: suite) }
        }
        #expect(fault(node, id, other) == .cannotOpen)
        #expect(fault(node, elsewhere, member) == .cannotOpen)
        #expect(fault(another, id, member) == .cannotOpen)
        #expect(refusal { try drop.sealed(to: [4], of: id, suite: suite) } == .malformed)
    }

    /// Somebody who may put things in writes what they like: no folder with a key, and no settings, come of it.
    @Test func anInboxTakesFilesOnly() throws {
        let id = sample.compartment.id
        let version = try InboxDrop.newVersion(for: id, size: 3, now: 1_800_000_000_000, suite: suite)
        func fault(_ change: (inout NodeMetadata) -> Void) throws -> VaultError? {
            var metadata = NodeMetadata(.file, name: try NodeName(.text("a")), created: 0)
            metadata.size = 3
            change(&metadata)
            let said = version.id.bytes + version.bytes + (try metadata.encoded())
            let sealed = try SealedToKey.seal(
                said, to: member.publicKey.x963, .inbox, id.bytes + version.node.bytes, suite: suite)
            return refusal { try InboxDrop(sealed, id: version.node, of: id, with: member, suite: suite) }
        }
        #expect(try fault { _ in } == nil)
        #expect(try fault { $0.kind = .folder } == .malformed)
        #expect(try fault { $0.kind = .settings } == .malformed)
        #expect(try fault { $0.size = 4 } == .malformed)
        #expect(try fault { $0.size = nil } == .malformed)
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
