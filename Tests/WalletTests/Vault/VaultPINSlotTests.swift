import Encodings
import Interface
import Testing
import Vault

@testable import Wallet

/// Which device writes which PIN slot.
@Suite("PIN slots of two devices")
struct VaultPINSlotTests {
    /// A vault that knows four free slots, open on two devices that have read the same state.
    private static func open() async throws -> (first: OpenVault, second: OpenVault, vault: PlayedVault) {
        let vault = try await PlayedVault()
        let first = try await vault.open("first")
        let resets = try (0..<4).map { _ in try VaultSecret.random(vault.suite) }
        try await first.setSettings(VaultSettings(pins: resets.map { .init(purpose: nil, resetKey: $0) }))
        return (first, try await vault.open("second"), vault)
    }

    @Test("each takes a slot of its own, and the vault knows both")
    func both() async throws {
        let (first, second, vault) = try await Self.open()
        let main = try await first.takePINSlot(for: .main, replacing: nil)
        // It has not seen that.
        let item = try await second.takePINSlot(for: .item, replacing: nil)
        #expect(main.slot != item.slot)
        let third = try await vault.open("third")
        let known = try #require(await third.knownPINs)
        #expect(known[main.slot] == main.known && known[item.slot] == item.known)
        try await first.refresh()
        #expect(await first.has(main.known, in: main.slot))
        #expect(await first.pinSlot(for: .item)?.slot == item.slot)
    }

    @Test("the second of two that make the same PIN is told, and takes nothing")
    func same() async throws {
        let (first, second, _) = try await Self.open()
        let taken = try await first.takePINSlot(for: .item, replacing: nil)
        await #expect(throws: VaultFault.pinsChanged) {
            try await second.takePINSlot(for: .item, replacing: nil)
        }
        #expect(await second.has(taken.known, in: taken.slot))
        // One that has seen it may change it, unless it was changed again.
        let changed = try await second.takePINSlot(for: .item, replacing: taken.known)
        #expect(changed.slot == taken.slot)
        await #expect(throws: VaultFault.pinsChanged) {
            try await first.takePINSlot(for: .item, replacing: taken.known)
        }
    }

    @Test("what is given back is what was there, and only while nobody else has taken it")
    func back() async throws {
        let (first, second, _) = try await Self.open()
        let taken = try await first.takePINSlot(for: .main, replacing: nil)
        try await first.setPINSlot(taken.slot, from: taken.known, to: taken.before)
        #expect(await first.pinSlot(for: .main) == nil)
        let again = try await first.takePINSlot(for: .main, replacing: nil)
        try await second.refresh()
        let others = try await second.takePINSlot(for: .main, replacing: again.known)
        try await first.setPINSlot(again.slot, from: again.known, to: again.before)
        #expect(await first.has(others.known, in: others.slot))
    }

    @Test("a fifth PIN has no slot, and a vault without settings sets none")
    func refused() async throws {
        let (first, _, _) = try await Self.open()
        for number in 0..<4 {
            let node = try NodeID.random(first.suite)
            _ = try await first.takePINSlot(for: .tier, node: node, replacing: nil)
            #expect(await first.knownPINs?.count(where: { $0.purpose == nil }) == 3 - number)
        }
        await #expect(throws: VaultFault.self) { try await first.takePINSlot(for: .main, replacing: nil) }
        let bare = try await PlayedVault().open()
        await #expect(throws: VaultFault.self) { try await bare.takePINSlot(for: .main, replacing: nil) }
    }
}
