import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Anybody may share folders with somebody, and name them: what others pile up hides nothing.
@Suite("What others share with one, in pages")
struct VaultSharedListTests {
    @Test("the folder that was shared first is still listed behind more than a page of others")
    func folders() async throws {
        try await VaultScene.serveTwo { alice, bob in
            let member = NewVaultMember(role: .reader, sealed: "AAAA")
            let path = "compartments/\(alice.main)/members/\(bob.account)"
            #expect(try await alice.send(.put, path, member).status == 200)
            let created = alice.environment.now()
            try await alice.environment.database.write { [alice = alice.account, bob = bob.account] transaction in
                for number in 0..<Limits.listing {
                    try VaultCompartmentStore(transaction: transaction).insert(
                        NewVaultCompartment(id: "!\(number)", head: ""), account: alice)
                    // Two of them at each time.
                    try VaultMemberStore(transaction: transaction).set(
                        .init(
                            compartment: "!\(number)", account: bob, owner: alice, role: .reader, sealed: "",
                            created: created + 1 + Int64(number / 2)))
                }
            }
            let seen: [SharedVaultCompartment] = try await bob.pages(of: "shared")
            #expect(seen.count == Limits.listing + 1 && Set(seen.map(\.compartment)).count == seen.count)
            #expect(seen.last?.compartment == alice.main)
        }
    }

    @Test("the contact whom somebody named first is still told of it behind more than a page of others")
    func contacts() async throws {
        try await VaultScene.serveTwo { alice, bob in
            let id = VaultScene.identifier()
            let slot = NewVaultSlot(kind: .contact, sealed: "CCCC", contact: bob.account, wait: 86_400)
            #expect(try await alice.send(.put, "slots/\(id)", slot).status == 200)
            let created = alice.environment.now()
            try await alice.environment.database.write { [alice = alice.account, bob = bob.account] transaction in
                for number in 0..<Limits.listing {
                    try transaction.execute(
                        """
                        INSERT INTO vault_slots (account, id, kind, sealed, contact, wait, created)
                        VALUES ($1, $2, 'contact', '', $3, 86400, $4)
                        """,
                        [
                            .text(alice), .text("!\(number)"), .text(bob), .integer(created + 1 + Int64(number / 2)),
                        ])
                }
            }
            let seen: [VaultContactSlot] = try await bob.pages(of: "contacts")
            #expect(seen.count == Limits.listing + 1 && Set(seen.map(\.slot)).count == seen.count)
            #expect(seen.last?.slot == id)
        }
    }
}
