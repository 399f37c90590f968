import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// What a writer may do while an owner is between two steps.
extension VaultSharingTests {
    @Test("an owner who was cut off before taking something out of the inbox does not lose it to a writer")
    func cutOff() async throws {
        try await Self.serve { alice, bob in
            try await Self.join(alice, bob, as: .writer)
            func upload(_ bytes: Bytes) async throws -> VaultChange.Put.Version {
                let begin = NewVaultUpload(compartment: alice.main, size: Int64(bytes.count))
                let upload = try await bob.send(.post, "uploads", begin).decode(VaultUpload.self)
                #expect(try await bob.putPart(0, of: upload.id, bytes).status == 204)
                return VaultChange.Put.Version(
                    id: VaultScene.identifier(), content: upload.id, key: "AA", size: Int64(bytes.count))
            }
            let given = try await upload([1, 2, 3])
            let inbox = "compartments/\(alice.main)/inbox"
            // The item that it becomes has its id.
            let drop = NewVaultDrop(id: VaultScene.identifier(), sealed: "AAAA", content: given.content)
            #expect(try await bob.send(.post, inbox, drop).status == 201)
            let put = VaultScene.change(0, put: [VaultScene.put(drop.id, [given])])
            #expect(try await alice.change(put).status == 200)
            // Cut off here: it is in the vault, and in the inbox.
            let remove = VaultScene.change(1, remove: [drop.id])
            #expect(try await bob.change(remove, in: alice.main).errorName == "content")
            let instead = try await upload([4])
            let replace = VaultScene.change(1, put: [VaultScene.put(drop.id, revision: 2, [instead])])
            #expect(try await bob.change(replace, in: alice.main).errorName == "content")
            let left = try await alice.send(.get, inbox).decode(Listing<VaultDrop>.self).items
            #expect(left.map(\.content) == [given.content])
            #expect(left.map(\.size) == [3])
            #expect(try await alice.content(given.content).body == [1, 2, 3])
            // A writer may still do what destroys nothing: store a later state, and use the trash.
            let later = VaultScene.change(1, put: [VaultScene.put(drop.id, revision: 2, [instead, given])])
            #expect(try await bob.change(later, in: alice.main).status == 200)
            #expect(try await bob.change(VaultScene.change(2, trash: [drop.id]), in: alice.main).status == 200)
            // The owner goes on, and from then on it is an item as any other.
            #expect(try await alice.send(.delete, "\(inbox)/\(drop.id)").status == 204)
            #expect(try await alice.content(given.content).body == [1, 2, 3])
            #expect(try await bob.change(VaultScene.change(3, remove: [drop.id]), in: alice.main).status == 200)
            #expect(try await alice.content(given.content).status == 404)
            #expect(try await alice.compartment().bytes == 0)
        }
    }
}
