import CryptoProvider
import Encodings
import Interface
import Testing
import Vault

@testable import Wallet

/// What somebody is given, byte by byte, and what a link holds.
@Suite("What is handed to other people of a vault")
struct VaultGrantTests {
    private let suite = SwiftCryptoSuite()

    /// A grant of Ada's for Bob, as the server hands it out.
    private struct Given {
        let ada: PlayedMember
        let bob: PlayedMember
        let owner: VaultPerson
        let compartment: Compartment
        var shared: SharedVaultCompartment

        init() async throws {
            ada = try await PlayedMember("ada", "Ada Adams")
            bob = try await PlayedMember("bob", "Bob Brown", with: ada)
            owner = try await bob.sharing.find("ada")
            compartment = try .random(SwiftCryptoSuite())
            let sealed = try VaultGrant.make(
                compartment, named: PlayedVault.name("Papers"), to: await ada.sharing.find("bob"), as: .writer,
                by: ada.sharing.sharer, now: 1_800_000_000)
            shared = SharedVaultCompartment(
                compartment: compartment.id.text, owner: "ada", ownerName: "Ada Adams", role: .writer, sealed: sealed,
                created: 0)
        }

        func isSigned(_ change: (inout SharedVaultCompartment) -> Void = { _ in }) -> Bool {
            var changed = shared
            change(&changed)
            guard let grant = try? VaultGrant(changed.sealed) else { return false }
            return (try? grant.signer(of: changed, among: owner, for: bob.sharing.sharer)) != nil
        }
    }

    @Test("sealed to each device, and signed in canonical JSON: what the page reads")
    func form() async throws {
        let given = try await Given()
        let bytes = try #require(given.shared.sealed.fromBase64URL)
        #expect(bytes[..<2] == [1, 1])
        let sealed = Array(bytes[..<(2 + 593)])
        let jws = try UnverifiedJWS.parse(Array(bytes[(2 + 593)...]))
        #expect(jws.header == .members([("alg", .text("ES256")), ("typ", .text("countersign-vault-share+jwt"))]))
        let said = JSON.members([
            ("aud", .text("https://sign.example.edu")), ("compartment", .text(given.compartment.id.text)),
            ("iat", .integer(1_800_000_000)), ("member", .text("bob")), ("role", .text("writer")),
            ("sealed", .text(SHA256.hash(sealed).base64URL)),
        ])
        #expect(jws.payload == said)
        #expect(try said.canonical() == said.serialized())
        let grant = try VaultGrant(given.shared.sealed)
        #expect(
            try grant.open(with: given.bob.sharing.sharer.openingKey(), compartment: given.compartment.id)
                == .compartment(given.compartment.key, name: PlayedVault.name("Papers")))
        #expect(
            try grant.open(with: given.ada.sharing.sharer.openingKey(), compartment: given.compartment.id) == nil)
    }

    @Test("nothing that another has signed, or for another account, role, folder or server")
    func refused() async throws {
        let given = try await Given()
        #expect(given.isSigned())
        #expect(!given.isSigned { $0.role = .reader })
        #expect(!given.isSigned { $0.compartment = String($0.compartment.reversed()) })
        for place in [0, 1, 2, 594, 595, 700] {
            #expect(
                !given.isSigned { shared in
                    var bytes = shared.sealed.fromBase64URL ?? []
                    bytes[place] ^= 1
                    shared.sealed = bytes.base64URL
                }, "\(place)")
        }
        let grant = try VaultGrant(given.shared.sealed)
        for sharer in try [("eve", "https://sign.example.edu"), ("bob", "https://other.example.edu")].map({
            VaultSharer(
                account: $0.0, audience: $0.1, signingKey: try SigningKey(), encryptionKey: try EncryptionKey())
        }) {
            #expect(throws: VaultFault.badGrant("Ada Adams")) {
                try grant.signer(of: given.shared, among: given.owner, for: sharer)
            }
        }
        let bob = try await given.ada.sharing.find("bob")
        #expect(throws: VaultFault.badGrant("Bob Brown")) {
            try grant.signer(of: given.shared, among: bob, for: given.bob.sharing.sharer)
        }
        for text in ["", "AQ", Bytes([1, 0] + Bytes(repeating: 0, count: 600)).base64URL, "AgE"] {
            #expect(throws: VaultError.malformed) { try VaultGrant(text) }
        }
    }

    @Test("a fingerprint is read however it was typed")
    func prints() throws {
        let key = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 7, count: 64)))
        let print = VaultPrint.text(signing: key, encryption: key)
        #expect(print.count == 39 && print.split(separator: " ").allSatisfy { $0.count == 4 })
        #expect(VaultPrint.normalised(print.uppercased().split(separator: " ").joined(separator: ":")) == print)
    }

    @Test(
        "a link holds name, type and bytes under its key alone; its name stays in the vault, and one that is lost stops"
    )
    func links() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        let file = try await ada.vault.put([7, 8, 9], "a.bin", into: ada.home)
        let item = try #require(await ada.home.item(file))
        let link = try await ada.sharing.makeLink(to: item, of: ada.home, lifetime: 86_400, maximumViews: 3)
        #expect(link.code == "4711" && link.text.hasPrefix("https://sign.example.edu/v/link0#"))
        let people = try #require(ada.sharing.server as? PlayedSharing).people
        let stored = try #require(await people.links.first).link
        let key = try #require(String(link.text.split(separator: "#")[1]).fromBase64URL)
        #expect(stored.keyCheck == SHA256.hash(Bytes(text: "countersign share key v1") + key).base64URL)
        #expect(stored.lifetime == 86_400 && stored.maximumViews == 3)
        let opened = try SecretBox(key: key).open(
            try #require(stored.sealed.fromBase64URL), purpose: "countersign vault link v1")
        let head = Bytes(text: #"{"name":"a.bin","type":""}"#)
        #expect(opened == [0, 0, 0, UInt8(head.count)] + head + [7, 8, 9])
        #expect(try await ada.sharing.links().map({ $0.name }) == [Bytes(text: "a.bin")])

        let note = try await ada.home.writeNote([0x41], PlayedVault.name("door"), in: .root, replacing: false)
        let text = try #require(await ada.home.item(note))
        let losing = PlayedSharing(account: "ada", vaults: ada.vault.server, people: people, losesLinks: true)
        let sharing = VaultSharing(
            home: ada.home, server: losing, sharer: ada.sharing.sharer, vouch: ada.sharing.vouch, now: ada.sharing.now)
        await #expect(throws: WalletError.unreachable("the test")) {
            _ = try await sharing.makeLink(to: text, of: ada.home, lifetime: 60, maximumViews: 1)
        }
        #expect(await people.links.map({ $0.share.stopped != nil }) == [false, true])
    }

    @Test("links end with their items, also with the folder that these are in; others stay")
    func linksEnd() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        let folder = try await ada.home.makeFolder(PlayedVault.name("Papers"), in: .root)
        let inside = try await ada.home.put(
            ada.vault.file([7]), PlayedVault.description("a.bin"), in: folder, replacing: false)
        let beside = try await ada.vault.put([8], "b.bin", into: ada.home)
        for id in [inside, beside] {
            let item = try #require(await ada.home.item(id))
            _ = try await ada.sharing.makeLink(to: item, of: ada.home, lifetime: 60, maximumViews: 1)
        }
        let people = try #require(ada.sharing.server as? PlayedSharing).people
        try await ada.sharing.endLinks(to: [folder])
        #expect(await people.links.map({ $0.share.stopped != nil }) == [true, false])
        try await ada.sharing.endLinks(to: [beside])
        #expect(await people.links.map({ $0.share.stopped != nil }) == [true, true])
    }

    @Test("of two devices that make links at once, neither forgets what the other's leads to; those that are over go")
    func linksAtOnce() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        let (first, second) = (
            try await ada.vault.put([7], "a.bin", into: ada.home), try await ada.vault.put([8], "b.bin", into: ada.home)
        )
        let own = ada.sharing
        let people = try #require(own.server as? PlayedSharing).people
        let other = VaultSharing(
            home: try await ada.vault.open("other"), server: own.server, sharer: own.sharer, vouch: own.vouch,
            now: own.now)
        let theirs = try #require(await other.home.item(second))
        var server = PlayedSharing(account: "ada", vaults: ada.vault.server, people: people)
        server.meanwhile = {
            _ = try await other.makeLink(to: theirs, of: other.home, lifetime: 60, maximumViews: 1)
        }
        let slow = VaultSharing(
            home: ada.home, server: server, sharer: own.sharer, vouch: own.vouch, now: own.now)
        let item = try #require(await ada.home.item(first))
        _ = try await slow.makeLink(to: item, of: ada.home, lifetime: 60, maximumViews: 1)
        #expect(try await own.links().map({ $0.name }) == [Bytes(text: "b.bin"), Bytes(text: "a.bin")])
        try await own.endLinks(to: [second])
        #expect(await people.links.map({ $0.share.stopped != nil }) == [true, false])
        // What the server no longer lists is forgotten with the next one.
        await people.forgetLinks()
        _ = try await own.makeLink(to: item, of: ada.home, lifetime: 60, maximumViews: 1)
        #expect(await ada.home.remembered("linked")?.members?.count == 1)
    }

    @Test("what is too large for a link is refused before it is read")
    func large() {
        #expect(VaultLink.fits(12_582_884) && !VaultLink.fits(12_582_885))
    }
}
