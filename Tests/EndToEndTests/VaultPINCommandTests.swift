import Encodings
import Foundation
import Testing
import Vault

@testable import Wallet
@testable import countersign

/// `countersign wallet vault slots pin` against a real server.
extension VaultCommandTests {
    /// Files with PINs, by their name.
    private static let pins = [
        "weak": "123456", "first": "194753", "second": "583914", "item": "602815", "item2": "711044",
    ]

    private static func writePINs(_ folder: TemporaryFolder) throws {
        for (name, pin) in pins {
            try pin.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        }
    }

    @Test("a PIN is set, changed and removed, each with its entry in the log; the one for items keeps their locks")
    func pinSlots() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        try Self.writePINs(folder)
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "will.txt"], input: "to Ada").status == 0)
        #expect(try scene.run(["slots", "pin"]).output.contains("No PIN is set"))
        let weak = try scene.run(["slots", "pin", "set", "--new-pin-file", folder.path("weak")])
        #expect(weak.status == 1 && weak.errors.contains("among the first"), "\(weak)")
        let set = try scene.run(["slots", "pin", "set", "--new-pin-file", folder.path("first"), "--json"])
        #expect(set.status == 0 && set.output.contains("vault.slot_changed"), "\(set)")
        #expect(try scene.run(["ls", "--pin-file", folder.path("first")]).status == 0)
        #expect(try scene.run(["slots", "pin", "set", "--new-pin-file", folder.path("second")]).status == 0)
        let old = try scene.run(["ls", "--pin-file", folder.path("first")])
        #expect(old.status == 1 && old.errors.contains("9 of 10 are left"), "\(old)")
        #expect(try scene.run(["ls", "--pin-file", folder.path("second")]).status == 0)

        // Two things with the same PIN: the second one is refused, and nothing is locked.
        let same = try scene.run(["lock", "will.txt", "--new-pin-file", folder.path("second")])
        #expect(same.status == 1 && same.errors.contains("is the same"), "\(same)")
        #expect(try scene.run(["get", "will.txt", "-o", "-"]).output == "to Ada")
        #expect(try scene.run(["ls", "--pin-file", folder.path("second")]).status == 0)

        #expect(try scene.run(["lock", "will.txt", "--new-pin-file", folder.path("item")]).status == 0)
        let listed = try ServerMachine.json(scene.run(["slots", "pin", "--json"]))["items"]?.array ?? []
        #expect(listed.compactMap { $0["for"]?.string?.text }.sorted() == ["items", "vault"])
        #expect(listed.allSatisfy { $0["usable"] == .bool(true) })
        let items = ["slots", "pin", "set", "--for", "items", "--new-pin-file", folder.path("item2")]
        let blind = try scene.run(items)
        #expect(blind.status == 2 && blind.errors.contains("--lock-pin"), "\(blind)")
        #expect(blind.errors.contains("slots pin remove"), "\(blind)")
        #expect(try scene.run(items + ["--lock-pin-file", folder.path("item")]).status == 0)
        let opened = try scene.run(["get", "will.txt", "-o", "-", "--lock-pin-file", folder.path("item2")])
        #expect(opened.output == "to Ada", "\(opened)")
        #expect(try scene.run(["get", "will.txt", "-o", "-", "--lock-pin-file", folder.path("item")]).status == 1)

        let ignored = try scene.run(
            ["slots", "pin", "set", "--new-pin-file", folder.path("first"), "--lock-pin-file", folder.path("item2")])
        #expect(ignored.status == 2 && ignored.errors.contains("need --for items"), "\(ignored)")
        let locked = try #require(listed.first { $0["for"] == .text("items") }?["slot"]?.integer)
        let asked = try scene.run(["slots", "pin", "remove", "\(locked)"])
        #expect(asked.status == 2 && asked.errors.contains("1 item opens with this PIN alone"), "\(asked)")

        let slot = try #require(listed.first { $0["for"] == .text("vault") }?["slot"]?.integer)
        #expect(try scene.run(["slots", "pin", "remove", "\(slot)"]).status == 2)
        #expect(try scene.run(["slots", "pin", "remove", "\(slot)", "-y"]).status == 0)
        #expect(try scene.run(["slots", "pin", "remove", "\(slot)", "-y"]).status == 1)
        #expect(try scene.run(["ls", "--pin-file", folder.path("second")]).status == 1)
        #expect(try scene.run(["slots", "pin"]).output.contains("locked items"))
    }

    @Test("a new PIN for items that was cut off cannot be changed, since nothing opens it: it is removed, and set")
    func cutOffPIN() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        #expect(try scene.run(["make", "--recovery-out", scene.folder.path("words")]).status == 0)
        let client = try await scene.cast.unlock(DemoCast.owner)
        let vault = try await client.openVault()
        _ = try await client.setPIN(Bytes(text: "583914"), of: vault)
        // Cut off after the vault lists it, and before the guard has its slot.
        let slot = try await vault.takePINSlot(for: .item, replacing: nil).slot
        let pin = Bytes(text: "602815")
        await #expect(throws: VaultFault.self) { try await client.setLockPIN(pin, from: nil, in: vault) }
        await #expect(throws: VaultFault.self) { try await client.setLockPIN(pin, from: pin, in: vault) }
        _ = try await client.removePIN(slot, from: vault)
        _ = try await client.setLockPIN(pin, from: nil, in: vault)
        _ = try await client.openLock(pin, in: vault)
    }

    @Test("two devices that set PINs at the same moment keep both; the second of two that set the same one is told")
    func pinsAtOnce() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        #expect(try scene.run(["make", "--recovery-out", scene.folder.path("words")]).status == 0)
        let client = try await scene.cast.unlock(DemoCast.owner)
        let (first, second) = (try await client.openVault(), try await client.openVault())
        async let main = client.setPIN(Bytes(text: "583914"), of: first)
        async let items = client.setLockPIN(Bytes(text: "602815"), from: nil, in: second)
        _ = try await (main, items)
        let third = try await client.openVault()
        let purposes = try await client.pins(of: third).map(\.purpose)
        #expect(Set(purposes) == [.main, .item] && purposes.count == 2)
        _ = try await client.openVault(with: .pin(Bytes(text: "583914")))
        _ = try await client.openLock(Bytes(text: "602815"), in: third)

        // The first device has not seen that there is a PIN for items, and the second that there is one for the vault.
        let stale = try await client.openVault()
        _ = try await client.setPIN(Bytes(text: "194753"), of: third)
        await #expect(throws: VaultFault.pinsChanged) {
            try await client.setPIN(Bytes(text: "711044"), of: stale)
        }
        _ = try await client.openVault(with: .pin(Bytes(text: "194753")))
    }
}
