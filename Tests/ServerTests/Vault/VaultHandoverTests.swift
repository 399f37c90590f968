import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing
import Transparency

@testable import Server

/// Items that go from one compartment of an account to another, and attacks of people who may do something else.
@Suite("Handing over between compartments")
struct VaultHandoverTests {
    /// A second compartment of Alice's.
    private static func second(_ alice: VaultScene) async throws -> String {
        let id = VaultScene.identifier()
        let answer = try await alice.send(
            .post, "compartments", NewVaultCompartment(id: id, head: Bytes(text: "head 0").base64URL))
        #expect(answer.status == 201)
        return id
    }

    private static func put(_ id: String, _ version: VaultChange.Put.Version) -> VaultChange.Put {
        VaultScene.put(id, key: "new key", [version])
    }

    @Test("both change or neither; contents go over as they are, with their room")
    func whole() async throws {
        try await VaultScene.serve { alice in
            let second = try await Self.second(alice)
            let item = VaultScene.identifier()
            let version = try await alice.upload([1, 2, 3, 4])
            _ = try await alice.change(VaultScene.change(0, put: [VaultScene.put(item, [version])]))
            let before = try await alice.compartment()
            func hand(_ leaving: Int64, _ coming: Int64) async throws -> TestClient.Answer {
                try await alice.send(
                    .post, "handovers",
                    VaultHandover(
                        from: alice.main, departure: VaultScene.change(leaving, remove: [item]), to: second,
                        arrival: VaultScene.change(coming, put: [Self.put(item, version)])))
            }
            for (leaving, coming) in [(0 as Int64, 0 as Int64), (1, 1), (2, 0)] {
                #expect(try await hand(leaving, coming).errorName == "sequence")
                #expect(try await alice.compartment() == before)
                #expect(try await alice.nodes(in: second).items.isEmpty)
            }
            let done = try await hand(1, 0).decode(VaultHandedOver.self)
            #expect(done.from.sequence == 2 && done.to.sequence == 1)
            #expect(try await alice.content(version.content).body == [1, 2, 3, 4])
            #expect(try await alice.nodes().items.first?.removed != nil)
            let there = try await alice.nodes(in: second).items
            #expect(there.map(\.id) == [item] && there.first?.versions.map(\.content) == [version.content])
            // The room goes with it: nothing is left in the first one.
            #expect(try await alice.compartment().bytes == 0)
            #expect(try await alice.compartment(second).bytes == before.bytes)
            #expect(done.from.bytes == 0 && done.to.bytes == before.bytes)
            // Its name is used up where it was.
            let back = VaultHandover(
                from: second, departure: VaultScene.change(1, remove: [item]), to: alice.main,
                arrival: VaultScene.change(2, put: [Self.put(item, version)]))
            #expect(try await alice.send(.post, "handovers", back).errorName == "node")
            #expect(try await alice.content(version.content).body == [1, 2, 3, 4])
            // What is removed there takes its content with it.
            #expect(try await alice.change(VaultScene.change(1, remove: [item]), in: second).status == 200)
            #expect(try await alice.content(version.content).status == 404)
            #expect(try await alice.blobs().isEmpty)
        }
    }

    @Test("a compartment is removed though an inbox elsewhere still names a content of it", arguments: [true, false])
    func leftInInbox(isWholeVault: Bool) async throws {
        try await VaultScene.serve { alice in
            let second = try await Self.second(alice)
            let item = VaultScene.identifier()
            let version = try await alice.upload([1, 2, 3])
            _ = try await alice.change(VaultScene.change(0, put: [VaultScene.put(item, [version])]))
            // Its owner attached it, and was cut off before taking it out of the inbox.
            try await alice.environment.database.write { transaction in
                try VaultDropStore(transaction: transaction).insert(
                    VaultDropStore.Stored(
                        id: VaultScene.identifier(), compartment: alice.main, account: alice.account, wrapped: "",
                        epoch: 1, size: 0, content: version.content, created: 0, expires: .max))
            }
            let handed = try await alice.send(
                .post, "handovers",
                VaultHandover(
                    from: alice.main, departure: VaultScene.change(1, remove: [item]), to: second,
                    arrival: VaultScene.change(0, put: [Self.put(item, version)])))
            #expect(handed.status == 200)
            // Each in its turn, whichever comes first in the order of names.
            for id in isWholeVault ? [second, alice.main] : [second] {
                try await alice.environment.database.write { transaction in
                    try VaultCompartmentStore(transaction: transaction).delete(id)
                }
            }
            let left = try await alice.organisation.rows()
            #expect((left["vault_contents"] ?? []).isEmpty)
            #expect((left["vault_drops"] ?? []).count == (isWholeVault ? 0 : 1))
        }
    }

    @Test("a content that the arrival does not name goes with its item; one that stays elsewhere does not come")
    func contents() async throws {
        try await VaultScene.serve { alice in
            let second = try await Self.second(alice)
            let (item, other) = (VaultScene.identifier(), VaultScene.identifier())
            let (new, old) = (try await alice.upload([1]), try await alice.upload([2]))
            let kept = try await alice.upload([3])
            _ = try await alice.change(
                VaultScene.change(0, put: [VaultScene.put(item, [new, old]), VaultScene.put(other, [kept])]))
            func hand(_ versions: [VaultChange.Put.Version]) async throws -> TestClient.Answer {
                try await alice.send(
                    .post, "handovers",
                    VaultHandover(
                        from: alice.main, departure: VaultScene.change(1, remove: [item]), to: second,
                        arrival: VaultScene.change(0, put: [VaultScene.put(item, versions)])))
            }
            // The other item keeps its own.
            #expect(try await hand([new, kept]).errorName == "content")
            #expect(try await alice.content(kept.content).body == [3])
            #expect(try await hand([new]).status == 200)
            #expect(try await alice.content(new.content).body == [1])
            #expect(try await alice.content(old.content).status == 404)
            #expect(try await alice.blobs().count == 2)
            let same = VaultHandover(
                from: second, departure: VaultScene.change(1), to: second, arrival: VaultScene.change(1))
            #expect(try await alice.send(.post, "handovers", same).problem == "invalid-member")
        }
    }

    @Test("a full compartment takes nothing over, whatever the arrival removes, until there is room for what comes")
    func full() async throws {
        try await VaultScene.serve { alice in
            let second = try await Self.second(alice)
            let (item, old) = (VaultScene.identifier(), VaultScene.identifier())
            let version = try await alice.upload(Bytes(repeating: 1, count: 10_000))
            _ = try await alice.change(VaultScene.change(0, put: [VaultScene.put(item, [version])]))
            let long = VaultScene.put(old, metadata: String(repeating: "x", count: 5_000))
            #expect(try await alice.change(VaultScene.change(0, put: [long]), in: second).status == 200)
            let rest = NewVaultUpload(compartment: second, size: Limits.vaultQuota - 5_000)
            let upload = try await alice.send(.post, "uploads", rest).decode(VaultUpload.self)
            let (from, to) = (try await alice.compartment(), try await alice.compartment(second))
            #expect(to.bytes == Limits.vaultQuota)
            func hand(_ removed: [String]) async throws -> TestClient.Answer {
                try await alice.send(
                    .post, "handovers",
                    VaultHandover(
                        from: alice.main, departure: VaultScene.change(1, remove: [item]), to: second,
                        arrival: VaultScene.change(1, put: [Self.put(item, version)], remove: removed)))
            }
            for removed in [[], [old]] {
                #expect(try await hand(removed).errorName == "quota")
                #expect(try await alice.compartment() == from)
                #expect(try await alice.compartment(second) == to)
                #expect(try await alice.content(version.content).status == 200)
            }
            #expect(try await alice.send(.delete, "uploads/\(upload.id)").status == 204)
            #expect(try await hand([old]).status == 200)
            #expect(try await alice.compartment(second).bytes == from.bytes)
        }
    }

    @Test("a writer takes nothing out into a vault of their own, and brings nothing in that way")
    func stolen() async throws {
        try await VaultScene.serveTwo { alice, bob in
            let item = VaultScene.identifier()
            let version = try await alice.upload([1, 2, 3])
            _ = try await alice.change(VaultScene.change(0, put: [VaultScene.put(item, [version])]))
            let own = try await bob.upload([9])
            let mine = VaultScene.identifier()
            _ = try await bob.change(VaultScene.change(0, put: [VaultScene.put(mine, [own])]))
            for role in [nil, VaultRole.reader, .caretaker, .writer] {
                if let role {
                    let member = NewVaultMember(role: role, sealed: "AAAA")
                    let path = "compartments/\(alice.main)/members/\(bob.account)"
                    #expect(try await alice.send(.put, path, member).status == 200)
                }
                let out = VaultHandover(
                    from: alice.main, departure: VaultScene.change(1, remove: [item]), to: bob.main,
                    arrival: VaultScene.change(1, put: [Self.put(item, version)]))
                #expect(try await bob.send(.post, "handovers", out).status == 404)
                let into = VaultHandover(
                    from: bob.main, departure: VaultScene.change(1, remove: [mine]), to: alice.main,
                    arrival: VaultScene.change(1, put: [Self.put(mine, own)]))
                #expect(try await bob.send(.post, "handovers", into).status == 404)
            }
            #expect(try await alice.content(version.content).body == [1, 2, 3])
            #expect(try await bob.content(own.content).body == [9])
            #expect(try await alice.compartment().sequence == 1)
        }
    }

    @Test("what went to another compartment is closed to who could read the first; the next key's members read it")
    func exchanged() async throws {
        try await VaultScene.serveTwo { alice, bob in
            let item = VaultScene.identifier()
            let version = try await alice.upload([1, 2, 3])
            _ = try await alice.change(VaultScene.change(0, put: [VaultScene.put(item, [version])]))
            let path = "compartments/\(alice.main)/members/\(bob.account)"
            #expect(try await alice.send(.put, path, NewVaultMember(role: .reader, sealed: "AAAA")).status == 200)
            #expect(try await bob.content(version.content).status == 200)
            let next = try await Self.second(alice)
            let over = VaultHandover(
                from: alice.main, departure: VaultScene.change(1, remove: [item]), to: next,
                arrival: VaultScene.change(0, put: [Self.put(item, version)]))
            #expect(try await alice.send(.post, "handovers", over).status == 200)
            #expect(try await bob.content(version.content).status == 404)
            #expect(try await bob.send(.get, "compartments/\(next)").status == 404)
            let admitted = "compartments/\(next)/members/\(bob.account)"
            #expect(try await alice.send(.put, admitted, NewVaultMember(role: .reader, sealed: "BBBB")).status == 200)
            #expect(try await bob.content(version.content).body == [1, 2, 3])
        }
    }

    @Test("keys of people come with receipts that hold; only owner and members ask for each other's")
    func keys() async throws {
        try await VaultScene.serveTwo { alice, bob in
            let key = try NoteVerifierKey.parse(Bytes(text: alice.environment.log.verifierKey))
            func check(_ recipient: VaultRecipient, _ scene: VaultScene) throws {
                #expect(recipient.account == scene.account && recipient.devices.count == 1)
                let device = try #require(recipient.devices.first)
                #expect(device.signingKey == scene.person.signing.publicKey.x963.base64URL)
                let receipt = try Transparency.Receipt.verify(
                    Bytes(text: device.receipt.proof), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite())
                let record =
                    #"{"encryption_key":"\#(device.encryptionKey)","signing_key":"\#(device.signingKey)","#
                    + #""type":"device.enrolled"}"#
                #expect(try receipt.record.canonical() == Bytes(text: record))
            }
            try check(
                try await alice.send(.post, "recipients", VaultRecipientName(username: "bob"))
                    .decode(VaultRecipient.self), bob)
            let (owner, member) = ("shared/\(alice.main)/owner", "compartments/\(alice.main)/members/\(bob.account)")
            #expect(try await bob.send(.get, owner).status == 404)
            #expect(try await alice.send(.get, member).status == 404)
            #expect(try await alice.send(.put, member, NewVaultMember(role: .reader, sealed: "AAAA")).status == 200)
            try check(try await bob.send(.get, owner).decode(VaultRecipient.self), alice)
            try check(try await alice.send(.get, member).decode(VaultRecipient.self), bob)
            // A member learns of no other one.
            #expect(try await bob.send(.get, member).status == 404)
            #expect(try await alice.send(.get, owner).status == 404)
            // A device that is revoked gets nothing more.
            let revoked = try await alice.client.send(
                .post, "/api/devices/\(bob.session.deviceID)/revoke", Reason(reason: "lost"), token: bob.token)
            #expect(revoked.status == 200)
            let none = try await alice.send(.get, member).decode(VaultRecipient.self)
            #expect(none.devices.isEmpty)
        }
    }

    @Test("what is sealed to a member has a limit, and an account has so many compartments")
    func limits() async throws {
        try await VaultScene.serveTwo { alice, bob in
            let path = "compartments/\(alice.main)/members/\(bob.account)"
            for (count, status) in [
                (Limits.vaultMemberSealed.upperBound, 200), (Limits.vaultMemberSealed.upperBound + 1, 422),
            ] {
                let member = NewVaultMember(role: .reader, sealed: Bytes(repeating: 1, count: count).base64URL)
                #expect(try await alice.send(.put, path, member).status == status)
            }
            for _ in 1..<Limits.vaultCompartments { _ = try await Self.second(alice) }
            let answer = try await alice.send(
                .post, "compartments", NewVaultCompartment(id: VaultScene.identifier(), head: "AA"))
            #expect(answer.errorName == "compartments")
        }
    }
}
