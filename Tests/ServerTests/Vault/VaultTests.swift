import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// A vault and the ways to open it.
@Suite("Vaults and their slots")
struct VaultTests {
    private static func slot(_ kind: VaultSlot.Kind = .passkey) -> NewVaultSlot {
        NewVaultSlot(kind: kind, sealed: Bytes(text: "sealed").base64URL)
    }

    @Test("is set up once, by a person who is there; every change of a way in is an entry of the log")
    func setUp() async throws {
        try await VaultScene.serve { scene in
            let again = try await scene.client.send(
                .post, "/api/vault", try await scene.newVault(), token: scene.token)
            #expect(again.errorName == "exists")
            let id = VaultScene.identifier()
            #expect(try await scene.send(.put, "slots/\(id)", Self.slot()).status == 200)
            #expect(try await scene.send(.put, "slots/\(id)", Self.slot(.recovery)).status == 200)
            let state = try await scene.send(.get, "").decode(VaultState.self)
            #expect(state.salt == VaultScene.salt && state.limits == .all)
            #expect(state.slots.map(\.id) == [id] && state.slots[0].kind == .recovery)
            #expect(try await scene.send(.delete, "slots/\(id)").status == 200)
            #expect(try await scene.send(.delete, "slots/\(id)").status == 404)
            let entries = try await scene.client.send(.get, "/api/log/mine", token: scene.token)
                .decode(Listing<LoggedEntry>.self).items.map(\.type)
            #expect(
                entries.filter { $0.hasPrefix("vault") } == [
                    "vault.slot_removed", "vault.slot_changed", "vault.slot_changed", "vault.created",
                ])
            #expect(try await scene.state().slots.isEmpty)
        }
    }

    @Test("slots of another form, with wrong contacts, or too many are refused")
    func forms() async throws {
        try await VaultScene.serve { scene in
            let id = VaultScene.identifier()
            let owner = scene.account
            for (slot, path) in [
                (NewVaultSlot(kind: .device, sealed: ""), id), (NewVaultSlot(kind: .device, sealed: "!"), id),
                (
                    NewVaultSlot(kind: .device, sealed: Bytes(repeating: 1, count: 4_097).base64URL), id
                ),
                (Self.slot(), "x"), (Self.slot(), id.uppercased()), (Self.slot(.contact), id),
                (NewVaultSlot(kind: .contact, sealed: "AA", contact: owner, wait: 86_400), id),
                (NewVaultSlot(kind: .contact, sealed: "AA", contact: "nobody", wait: 86_400), id),
                (NewVaultSlot(kind: .contact, sealed: "AA", contact: "nobody", wait: 1), id),
                (NewVaultSlot(kind: .passkey, sealed: "AA", contact: "nobody", wait: nil), id),
            ] {
                let answer = try await scene.send(.put, "slots/\(path)", slot)
                #expect(answer.status == 422, "\(answer.text)")
            }
            for _ in 0..<Limits.vaultSlots {
                #expect(try await scene.send(.put, "slots/\(VaultScene.identifier())", Self.slot()).status == 200)
            }
            #expect(try await scene.send(.put, "slots/\(VaultScene.identifier())", Self.slot()).errorName == "slots")
        }
    }

    @Test("without a vault there is nothing; what was begun is forgotten")
    func none() async throws {
        let organisation = try await TestOrganisation()
        try await VaultScene.serve(organisation) { scene in
            let bob = try await scene.client.join(organisation.person("bob"))
            #expect(try await scene.client.send(.get, "/api/vault", token: bob.token).status == 404)
            let body = NewVaultCompartment(id: VaultScene.identifier(), head: "AA")
            #expect(
                try await scene.client.send(.post, "/api/vault/compartments", body, token: bob.token).status == 404)
            let tried = NewVaultTry(blinded: Bytes(repeating: 2, count: 49).base64URL)
            let answer = try await scene.client.send(.post, "/api/vault/guard/tries", tried, token: bob.token)
            #expect([409, 422].contains(answer.status))
            let begun = NewVaultEnrolment(
                blinded: try (0..<4).map { _ in try GuardQuestion(VaultScene.random(8)).blinded.base64URL })
            let enrolment = try await scene.client.send(
                .post, "/api/vault/guard/enrolments", begun, token: bob.token)
            #expect(enrolment.status == 201)
            let folder = VaultGuard(environment: scene.environment).folder
            let file = folder.file(bob.account.id)
            // A damaged one keeps no key that nobody has a vault for, and stops nothing.
            let damaged = folder.file("\(bob.account.id.prefix(2))damaged")
            try Data("damaged".utf8).write(to: URL(fileURLWithPath: damaged))
            try await scene.sweep()
            #expect(!FileManager.default.fileExists(atPath: damaged))
            #expect(FileManager.default.fileExists(atPath: file))
            scene.clock.advance(.seconds(Limits.vaultEnrolmentTime))
            try await scene.sweep()
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(
                FileManager.default.fileExists(
                    atPath: VaultGuard(environment: scene.environment).folder.file(scene.account)))
        }
    }

    @Test("is removed with everything in it, and can be set up again")
    func removed() async throws {
        try await VaultScene.serve { scene in
            let version = try await scene.upload([1, 2, 3])
            _ = try await scene.change(
                VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier(), [version])]))
            #expect(try await scene.send(.delete, "").status == 200)
            #expect(try await scene.send(.get, "").status == 404)
            #expect(try await scene.blobs().isEmpty)
            let file = VaultGuard(environment: scene.environment).folder.file(scene.account)
            #expect(!FileManager.default.fileExists(atPath: file))
            for (table, rows) in try await scene.organisation.rows() where table.hasPrefix("vault") {
                #expect(rows.isEmpty, "\(table)")
            }
            // The ids of its compartments are used up.
            var vault = try await scene.newVault()
            let same = try await scene.client.send(.post, "/api/vault", vault, token: scene.token)
            #expect(same.errorName == "taken")
            vault.compartment.id = VaultScene.identifier()
            let again = try await scene.client.send(.post, "/api/vault", vault, token: scene.token)
            #expect(again.status == 201)
        }
    }

    @Test("goes with the account, and leaves others theirs")
    func erased() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let (alice, bob) = (try organisation.person("alice"), try organisation.person("bob"))
            let hers = try await VaultScene.make(client, organisation, alice, try await client.join(alice))
            let his = try await VaultScene.make(client, organisation, bob, try await client.join(bob))
            for scene in [hers, his] {
                let version = try await scene.upload([1, 2, 3])
                _ = try await scene.change(
                    VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier(), [version])]))
            }
            let contact = NewVaultSlot(kind: .contact, sealed: "AA", contact: hers.account, wait: 86_400)
            #expect(try await his.send(.put, "slots/\(VaultScene.identifier())", contact).status == 200)
            let erased = try await client.send(
                .post, "/api/members/\(hers.account)/erase", Erasure(username: "alice", keepsDocuments: false),
                token: owner.token)
            #expect(erased.status == 200, "\(erased.text)")
            #expect(try await his.blobs().count == 1)
            let folder = VaultGuard(environment: his.environment).folder
            #expect(!FileManager.default.fileExists(atPath: folder.file(hers.account)))
            #expect(FileManager.default.fileExists(atPath: folder.file(his.account)))
            for (table, rows) in try await organisation.rows() where table.hasPrefix("vault") {
                #expect(!rows.contains { $0.contains(.text(hers.account)) }, "\(table)")
            }
            #expect(try await his.nodes().items.count == 1)
            #expect(try await his.state().slots.isEmpty)
        }
    }
}
