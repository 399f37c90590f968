import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing
import Vault

@testable import Wallet

/// Folders that are shared with other members, on both sides.
@Suite("Sharing a vault")
struct VaultSharingTests {
    /// A folder of Ada's with a folder, a file of two states and something in the trash.
    private static func papers(_ ada: PlayedMember) async throws -> (folder: NodeID, file: NodeID) {
        let folder = try await ada.home.makeFolder(PlayedVault.name("Papers"), in: .root)
        let inner = try await ada.home.makeFolder(PlayedVault.name("2026"), in: folder)
        let file = try await ada.home.put(
            ada.vault.file([1]), PlayedVault.description("a"), in: inner, replacing: false)
        try await ada.home.put(ada.vault.file([1, 2]), PlayedVault.description("a"), in: inner, replacing: true)
        let note = try await ada.home.writeNote([0x41], PlayedVault.name("old"), in: folder, replacing: false)
        try await ada.home.trash([note])
        return (folder, file)
    }

    private static func share(_ ada: PlayedMember, _ role: VaultRole = .reader) async throws -> NodeID {
        let folder = try await papers(ada).folder
        return try await ada.sharing.share(folder, with: ada.sharing.find("bob"), as: role)
    }

    @discardableResult
    private static func take(
        _ bob: PlayedMember, as name: String = "Papers",
        isThem: @Sendable (UnknownDevice) async throws -> Void = { _ in }
    ) async throws -> NodeID {
        let received = try await bob.sharing.received()
        let shared = try #require(received.first?.shared)
        let folder = try await bob.sharing.open(shared, isThem: isThem)
        return try await bob.sharing.take(folder, as: PlayedVault.name(name))
    }

    @Test("a folder is shared whole: with states and trash; both open it, and the vault remembers whom")
    func shares() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        let bob = try await PlayedMember("bob", "Bob Brown", with: ada)
        let (old, file) = try await Self.papers(ada)
        let person = try await ada.sharing.find("@bob ")
        let folder = try await ada.sharing.share(old, with: person, as: .reader)
        #expect(folder != old)
        #expect(try await ada.paths() == ["Papers"])
        #expect(try await ada.paths("Papers") == ["Papers/2026", "Papers/2026/a"])
        #expect(await ada.home.item(folder)?.isShared == true)
        let inside = try await ada.home.place(of: "Papers").vault
        #expect(await inside.trash().map(\.name) == [Bytes(text: "old")])
        #expect(await inside.item(file)?.versions == 2)
        #expect(try await ada.vault.read(file, of: inside) == [1, 2])
        let share = try #require(await ada.home.share(folder))
        #expect(
            share.json
                == .members([
                    (
                        "members",
                        .members([
                            (
                                "bob",
                                .members([
                                    ("prints", .array([.text(person.devices[0].print)])), ("role", .text("reader")),
                                ])
                            )
                        ])
                    )
                ]))
        let members = try await ada.sharing.members(of: folder)
        #expect(members.map(\.known.account) == ["bob"] && members.map(\.isAdmitted) == [true])

        let taken = try await Self.take(bob)
        #expect(try await bob.paths() == ["Papers"])
        let place = try await bob.home.place(of: "Papers/2026/a")
        #expect(!place.mayWrite && place.above.text == "Papers" && place.path == "2026/a")
        #expect(try await bob.vault.read(file, of: place.vault) == [1, 2])
        #expect(try await place.find().map(\.path.text) == ["Papers/2026/a"])
        #expect(throws: VaultFault.readOnly("Papers")) { try place.checkMayWrite() }
        let theirs = try #require(await bob.home.share(taken))
        #expect(theirs.owner == "ada" && theirs.ownerName == "Ada Adams" && theirs.role == .reader)
        #expect(theirs.json["me"] == .text("bob") && theirs.compartment == inside.compartment.id.text)
        // Another device of each has it too.
        let second = try await ada.vault.open("ada, second").share(folder)
        #expect(try second?.json.canonical() == share.json.canonical())
    }

    @Test("more than goes over at once goes over in parts, and none is left or lost")
    func large() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        _ = try await PlayedMember("bob", "Bob Brown", with: ada)
        let folder = try await ada.home.makeFolder(PlayedVault.name("Many"), in: .root)
        let inner = try await ada.home.makeFolder(PlayedVault.name("in"), in: folder)
        for number in 0..<460 {
            try await ada.home.writeNote([0x41], PlayedVault.name("n\(number)"), in: inner, replacing: false)
        }
        try await ada.sharing.share(folder, with: ada.sharing.find("bob"), as: .writer)
        #expect(try await ada.paths() == ["Many"])
        #expect(try await ada.paths("Many").count == 461)
    }

    @Test("what has a lock, holds a shared folder, is none or is somebody else's is not shared")
    func refused() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        let bob = try await PlayedMember("bob", "Bob Brown", with: ada)
        let person = try await ada.sharing.find("bob")
        func refusal(_ id: NodeID) async -> Bool {
            guard case .notShareable? = await fault({ try await ada.sharing.share(id, with: person, as: .reader) })
            else { return false }
            return true
        }
        let note = try await ada.home.writeNote([0x41], PlayedVault.name("note"), in: .root, replacing: false)
        #expect(await refusal(note))
        let locked = try await ada.home.makeFolder(PlayedVault.name("Locked"), in: .root)
        let inside = try await ada.home.writeNote([0x41], PlayedVault.name("will"), in: locked, replacing: false)
        let suite = SwiftCryptoSuite()
        try await ada.home.setLocks([ItemLock(pin: .random(suite), id: .random(suite))], on: inside)
        #expect(await refusal(locked))
        let around = try await ada.home.makeFolder(PlayedVault.name("Around"), in: .root)
        let folder = try await Self.share(ada)
        try await ada.home.move(folder, to: around)
        #expect(await refusal(around))
        let taken = try await Self.take(bob)
        let owner = try await bob.sharing.find("ada")
        let theirs = await fault { try await bob.sharing.share(taken, with: owner, as: .reader) }
        #expect(theirs == .notShareable("Ada Adams shares it with you. Only they can share it with others"))
        #expect(await fault { _ = try await ada.sharing.members(of: note) } == .notShared("note"))
        // What is put into the folder itself, nobody would find.
        let lost = await fault { try await bob.home.makeFolder(PlayedVault.name("x"), in: taken) }
        #expect(lost == .elsewhere("Papers"))
    }

    @Test("nobody without a vault, and no key that the log does not have")
    func recipients() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        _ = try await PlayedMember("eve", "Eve Evans", with: ada, isLogged: false)
        #expect(await fault { _ = try await ada.sharing.find("nobody") } == .nobody("nobody"))
        #expect(await fault { _ = try await ada.sharing.find("eve") } == .keysNotLogged("Eve Evans"))
        let none = VaultRecipient(account: "z", name: "Zoe", devices: [])
        #expect(await fault { _ = try await VaultPerson(none) { _ in } } == .noKeys("Zoe"))
    }

    @Test("ending it forgets the member, with a folder that does not open too, and the member is told")
    func ends() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        let bob = try await PlayedMember("bob", "Bob Brown", with: ada)
        let folder = try await Self.share(ada)
        let name = try #require(await ada.home.door(folder))
        let id = try Compartment(name, suite: SwiftCryptoSuite()).id.text
        try await Self.take(bob)
        #expect(await fault { try await ada.sharing.end(folder, "zoe") } == .noMember("zoe"))
        // A member who may write could have broken it.
        await ada.vault.server.set(id, .init(head: "broken"))
        #expect(try await ada.sharing.end(folder, "bob").name == "Bob Brown")
        #expect(try await ada.sharing.members(of: folder).isEmpty)
        #expect(await ada.home.share(folder)?.admitted == [])
        await ada.vault.server.remove(id)
        #expect(await fault { _ = try await bob.home.place(of: "Papers") } == .shareEnded("Ada Adams"))
    }

    @Test("by name or id as well, unless two have the name")
    func meant() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        let people = ["b1": "Bob", "b2": "Bob", "c1": "Cy"].map {
            VaultMember(account: $0.key, name: $0.value, role: .reader, created: 0)
        }
        #expect(try await ada.sharing.member("Cy", among: people).account == "c1")
        #expect(try await ada.sharing.member("b2", among: people).account == "b2")
        #expect(await fault { _ = try await ada.sharing.member("Bob", among: people) } == .noMember("Bob"))
    }

    @Test("whose it is, is asked once for each key and name; a no opens nothing")
    func compares() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        let bob = try await PlayedMember("bob", "Bob Brown", with: ada)
        _ = try await Self.share(ada)
        let asked = Guarded<[UnknownDevice]>([])
        func open(as name: String = "Papers") async throws {
            try await Self.take(bob, as: name) { device in
                asked.withValue { $0.append(device) }
                if device.name == "no" { throw VaultFault.otherPrint(device.name) }
            }
        }
        try await open()
        try await open()
        #expect(asked.withValue { $0.map(\.print) } == [ada.sharing.sharer.print])
        #expect(asked.withValue { $0.map(\.isOther) } == [false])
        let print = ada.sharing.sharer.print
        #expect(
            await bob.home.remembered("people")
                == .members([
                    ("ada", .members([("name", .text("Ada Adams")), ("prints", .array([.text(print)]))]))
                ]))
        // Somebody else with that name, whatever the account.
        let eve = try await PlayedMember("eve", "Ada Adams", with: ada)
        try await bob.sharing.end(all: ada)
        _ = try await Self.share(eve)
        try await open(as: "Theirs")
        #expect(asked.withValue { $0.map(\.isOther) } == [false, true])
        // A name that the person says no to.
        let no = try await PlayedMember("no", "no", with: ada)
        try await bob.sharing.end(all: eve)
        _ = try await Self.share(no)
        #expect(await fault { try await open() } == .otherPrint("no"))
        #expect(await bob.home.remembered("people")?[bytes: Bytes(text: "no")] == nil)
    }
}

extension VaultSharing {
    /// Ends everything that a member has shared with this one.
    fileprivate func end(all other: PlayedMember) async throws {
        for shared in try await server.sharedVaults() where shared.owner == other.recipient.account {
            try await server.endVaultMember(sharer.account, of: shared.compartment)
        }
    }
}
