import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// What others may do in somebody's vault.
@Suite("Vaults and other people")
struct VaultSharingTests {
    /// Alice with a vault, and Bob with one.
    static func serve(
        _ body: @escaping @Sendable (_ alice: VaultScene, _ bob: VaultScene) async throws -> Void
    ) async throws {
        try await VaultScene.serve { alice in
            let person = try alice.organisation.person("bob")
            let session = try await alice.client.join(person)
            try await body(
                alice, try await VaultScene.make(alice.client, alice.organisation, person, session))
        }
    }

    static func join(_ alice: VaultScene, _ bob: VaultScene, as role: VaultRole) async throws {
        let answer = try await alice.send(
            .put, "compartments/\(alice.main)/members/\(bob.account)", NewVaultMember(role: role, sealed: "AAAA"))
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test("somebody with a vault is found by the exact name, with the keys that the log has; nobody else is")
    func recipients() async throws {
        try await Self.serve { alice, bob in
            let found = try await alice.send(.post, "recipients", VaultRecipientName(username: "bob"))
                .decode(VaultRecipient.self)
            #expect(found.account == bob.account && found.devices.map(\.id) == [bob.session.deviceID])
            for name in ["bo", "owner", "alice", "nobody", ""] {
                let answer = try await alice.send(.post, "recipients", VaultRecipientName(username: name))
                #expect(answer.problem == "not-found", "\(name)")
            }
        }
    }

    @Test("a reader reads, a writer also changes, and neither decides who else may; what ends, ends at once")
    func members() async throws {
        try await Self.serve { alice, bob in
            let id = VaultScene.identifier()
            let version = try await alice.upload([1, 2, 3])
            _ = try await alice.change(VaultScene.change(0, put: [VaultScene.put(id, key: "k", [version])]))
            #expect(try await bob.send(.get, "compartments/\(alice.main)").status == 404)
            try await Self.join(alice, bob, as: .reader)
            let shared = try await bob.send(.get, "shared").decode(Listing<SharedVaultCompartment>.self).items
            #expect(shared.map(\.compartment) == [alice.main] && shared[0].sealed == "AAAA")
            #expect(shared[0].owner == alice.account && shared[0].role == .reader)
            #expect(try await bob.nodes(in: alice.main).items.map(\.key) == [Bytes(text: "k").base64URL])
            #expect(try await bob.content(version.content).body == [1, 2, 3])
            let put = VaultScene.change(1, put: [VaultScene.put(VaultScene.identifier())])
            let upload = NewVaultUpload(compartment: alice.main, size: 3)
            let drop = NewVaultDrop(id: VaultScene.identifier(), sealed: "AA")
            #expect(try await bob.change(put, in: alice.main).status == 404)
            #expect(try await bob.send(.post, "uploads", upload).status == 404)
            #expect(try await bob.send(.post, "compartments/\(alice.main)/inbox", drop).status == 404)
            try await Self.join(alice, bob, as: .writer)
            #expect(try await bob.change(put, in: alice.main).status == 200)
            #expect(try await bob.send(.post, "uploads", upload).status == 201)
            // It is Alice's room that it takes.
            #expect(try await alice.compartment().bytes == 8 + 8 + 3 + 3)
            let path = "compartments/\(alice.main)"
            for (method, rest) in [
                (HTTPRequest.Method.get, "/members"), (.get, "/inbox"), (.delete, ""),
                (.put, "/members/\(bob.account)"),
            ] {
                let body = method == .put ? NewVaultMember(role: .writer, sealed: "AA") : nil
                #expect(try await bob.send(method, path + rest, body).status == 404, "\(method) \(rest)")
            }
            let members = try await alice.send(.get, "\(path)/members").decode(Listing<VaultMember>.self).items
            #expect(members.map(\.account) == [bob.account] && members[0].role == .writer)
            #expect(try await bob.send(.delete, "\(path)/members/\(bob.account)").status == 204)
            #expect(try await bob.send(.get, path).status == 404)
            #expect(try await bob.content(version.content).status == 404)
            try await Self.join(alice, bob, as: .reader)
            #expect(try await alice.send(.delete, "\(path)/members/\(bob.account)").status == 204)
            #expect(try await bob.send(.get, path).status == 404)
            #expect(try await alice.send(.delete, "\(path)/members/\(bob.account)").status == 404)
        }
    }

    @Test("only people with a vault become members, and nobody of their own compartment")
    func strangers() async throws {
        try await Self.serve { alice, _ in
            let eve = try await alice.client.join(alice.organisation.person("eve"))
            for account in [eve.account.id, alice.account, "nobody"] {
                let answer = try await alice.send(
                    .put, "compartments/\(alice.main)/members/\(account)", NewVaultMember(role: .reader, sealed: "AA"))
                #expect(answer.status == 404, "\(account)")
            }
        }
    }

    @Test("a caretaker puts things in and sees nothing; the owner takes them, and what is left goes after 30 days")
    func caretaker() async throws {
        try await Self.serve { alice, bob in
            try await Self.join(alice, bob, as: .caretaker)
            func drop(_ bytes: Bytes, _ sealed: String) async throws -> NewVaultDrop {
                let upload = try await bob.send(
                    .post, "uploads", NewVaultUpload(compartment: alice.main, size: Int64(bytes.count))
                ).decode(VaultUpload.self)
                #expect(try await bob.putPart(0, of: upload.id, bytes).status == 204)
                let drop = NewVaultDrop(id: VaultScene.identifier(), sealed: sealed, content: upload.id)
                #expect(try await bob.send(.post, "compartments/\(alice.main)/inbox", drop).status == 201)
                return drop
            }
            let taken = try await drop([1, 2, 3], "AAAA")
            let left = try await drop([4, 5], "BBBB")
            let again = try await bob.send(.post, "compartments/\(alice.main)/inbox", taken)
            #expect(again.errorName == "taken")
            let content = try #require(taken.content)
            for path in [
                "compartments/\(alice.main)", "compartments/\(alice.main)/nodes", "compartments/\(alice.main)/inbox",
                "contents/\(content)", "uploads/\(content)",
            ] {
                #expect(try await bob.send(.get, path).status == 404, "\(path)")
            }
            #expect(try await bob.send(.delete, "uploads/\(content)").status == 404)
            #expect(try await bob.putPart(0, of: content, [1, 2, 3]).status == 404)
            let inbox = try await alice.send(.get, "compartments/\(alice.main)/inbox")
                .decode(Listing<VaultDrop>.self).items
            #expect(inbox.count == 2 && inbox.first { $0.id == taken.id }?.sealed == "AAAA")
            #expect(inbox.first { $0.id == left.id }?.sealed == "BBBB")
            #expect(Set(inbox.map(\.size)) == [3, 2])
            #expect(inbox.allSatisfy { $0.sender == bob.account })
            #expect(try await alice.content(content).body == [1, 2, 3])
            // In the database it is under the key of the week too.
            #expect(
                try await alice.organisation.rows()["vault_drops"]?.contains { $0.contains(.text("AAAA")) } == false)
            let version = VaultChange.Put.Version(id: VaultScene.identifier(), content: content, key: "AA", size: 3)
            let put = VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier(), [version])])
            #expect(try await alice.change(put).status == 200)
            #expect(try await alice.send(.delete, "compartments/\(alice.main)/inbox/\(taken.id)").status == 204)
            #expect(try await alice.content(content).body == [1, 2, 3])
            #expect(try await alice.compartment().bytes == 8 + 3 + 3 + 2)
            alice.clock.advance(.seconds(Limits.vaultDropTime))
            try await alice.sweep()
            #expect(try await alice.blobs().count == 1)
            let bytes = try await alice.environment.database.read {
                try VaultCompartmentStore(transaction: $0).find(alice.main)?.bytes
            }
            #expect(bytes == Int64(11))
            #expect(try await alice.organisation.rows()["vault_drops"]?.isEmpty == true)
        }
    }

    @Test("a writer takes nothing out of the inbox, as an item to be removed: the owner finds it whole, and takes it")
    func emptied() async throws {
        try await Self.serve { alice, bob in
            try await Self.join(alice, bob, as: .writer)
            let begin = NewVaultUpload(compartment: alice.main, size: 3)
            let upload = try await bob.send(.post, "uploads", begin).decode(VaultUpload.self)
            #expect(try await bob.putPart(0, of: upload.id, [1, 2, 3]).status == 204)
            let inbox = "compartments/\(alice.main)/inbox"
            let drop = NewVaultDrop(id: VaultScene.identifier(), sealed: "AAAA", content: upload.id)
            #expect(try await bob.send(.post, inbox, drop).status == 201)
            let item = VaultScene.identifier()
            let version = VaultChange.Put.Version(id: VaultScene.identifier(), content: upload.id, key: "AA", size: 3)
            let put = VaultScene.change(0, put: [VaultScene.put(item, [version])])
            #expect(try await bob.change(put, in: alice.main).errorName == "content")
            #expect(try await bob.change(VaultScene.change(0, remove: [item]), in: alice.main).errorName == "node")
            let left = try await alice.send(.get, inbox).decode(Listing<VaultDrop>.self).items
            #expect(left.map(\.content) == [upload.id])
            #expect(left.map(\.size) == [3])
            #expect(try await alice.content(upload.id).body == [1, 2, 3])
            #expect(try await alice.change(put).status == 200)
            #expect(try await alice.send(.delete, "\(inbox)/\(drop.id)").status == 204)
            #expect(try await alice.content(upload.id).body == [1, 2, 3])
        }
    }

    @Test("nothing replaces the root folder: no item and nothing in an inbox may have its id")
    func rootFolder() async throws {
        try await Self.serve { alice, bob in
            let root = String(repeating: "0", count: 32)
            try await Self.join(alice, bob, as: .writer)
            let put = VaultScene.change(0, put: [VaultScene.put(root)])
            #expect(try await bob.change(put, in: alice.main).status == 422)
            let drop = NewVaultDrop(id: root, sealed: "AAAA")
            #expect(try await bob.send(.post, "compartments/\(alice.main)/inbox", drop).status == 422)
            #expect(try await alice.compartment().sequence == 0)
            #expect(try await alice.nodes().items.isEmpty)
        }
    }

    @Test("others leave the owner room: they begin fewer uploads and fill less; what lies in the inbox is no upload")
    func crowded() async throws {
        try await Self.serve { alice, bob in
            try await Self.join(alice, bob, as: .caretaker)
            func begin(_ scene: VaultScene, _ size: Int64) async throws -> TestClient.Answer {
                try await scene.send(.post, "uploads", NewVaultUpload(compartment: alice.main, size: size))
            }
            #expect(try await begin(bob, Limits.vaultGuestQuota + 1).errorName == "quota")
            let first = try await begin(bob, 1).decode(VaultUpload.self)
            for _ in 1..<Limits.vaultGuestUploads { #expect(try await begin(bob, 1).status == 201) }
            #expect(try await begin(bob, 1).errorName == "uploads")
            #expect(try await bob.putPart(0, of: first.id, [1]).status == 204)
            let drop = NewVaultDrop(id: VaultScene.identifier(), sealed: "AAAA", content: first.id)
            #expect(try await bob.send(.post, "compartments/\(alice.main)/inbox", drop).status == 201)
            #expect(try await begin(bob, 1).status == 201)
            #expect(try await begin(bob, 1).errorName == "uploads")
            #expect(try await begin(alice, Limits.vaultGuestQuota).status == 201)
        }
    }

    @Test("an inbox holds so many bytes of what is sealed, however few the things are")
    func long() async throws {
        try await Self.serve { alice, bob in
            try await Self.join(alice, bob, as: .caretaker)
            let inbox = "compartments/\(alice.main)/inbox"
            func put(_ count: Int) async throws -> TestClient.Answer {
                let sealed = Bytes(repeating: 1, count: count).base64URL
                return try await bob.send(.post, inbox, NewVaultDrop(id: VaultScene.identifier(), sealed: sealed))
            }
            #expect(try await put(100).status == 201)
            // As if it were so many large ones.
            try await alice.environment.database.write {
                try $0.execute("UPDATE vault_drops SET size = $1", [.integer(Limits.vaultInbox - 1)])
            }
            #expect(try await put(2).errorName == "inbox")
            #expect(try await put(1).status == 201)
            let all = try await alice.send(.get, inbox).decode(Listing<VaultDrop>.self).items
            for drop in all { #expect(try await alice.send(.delete, "\(inbox)/\(drop.id)").status == 204) }
            #expect(all.count == 2)
            #expect(try await put(2).status == 201)
        }
    }

    @Test("nobody takes the id of a removed compartment: its members would take it for that of the former owner")
    func squatted() async throws {
        try await Self.serve { (alice, bob) async throws -> Void in
            let shared = NewVaultCompartment(id: VaultScene.identifier(), head: "AA")
            #expect(try await alice.send(.post, "compartments", shared).status == 201)
            let member = "compartments/\(shared.id)/members/\(bob.account)"
            #expect(
                try await alice.send(.put, member, NewVaultMember(role: .writer, sealed: "AAAA")).status == 200)
            #expect(try await alice.send(.delete, "compartments/\(shared.id)").status == 204)
            for scene in [bob, alice] {
                #expect(try await scene.send(.post, "compartments", shared).errorName == "taken")
            }
        }
    }

    @Test("a link shows what its maker sealed, to who has link and code, until it is stopped")
    func links() async throws {
        try await Self.serve { alice, bob in
            let check = Bytes(repeating: 5, count: 32).base64URL
            let sealed = Bytes(repeating: 9, count: 100).base64URL
            let share = try await alice.send(
                .post, "links", NewVaultLink(sealed: sealed, lifetime: 3_600, maximumViews: 2, keyCheck: check)
            ).decode(Share.self)
            let code = try #require(share.code)
            let path = "/api/shares/\(share.id)/open"
            let wrong = try await alice.client.send(.post, path, ShareOpening(code: "AAAA-AAAA"))
            #expect(wrong.problem == "wrong-code")
            let open = try await alice.client.send(.post, path, ShareOpening(code: code, keyCheck: check))
            #expect(try open.decode(SharedPresentation.self).sealed == sealed)
            #expect(try await alice.send(.get, "links").decode(Listing<Share>.self).items.map(\.views) == [1])
            #expect(try await bob.send(.get, "links").decode(Listing<Share>.self).items.isEmpty)
            #expect(try await bob.send(.delete, "links/\(share.id)").status == 404)
            // It is no link to a document.
            let documents = try await alice.client.send(.get, "/api/shares", token: alice.token)
            if documents.status == 200 { #expect(try documents.decode(Listing<Share>.self).items.isEmpty) }
            #expect(try await alice.send(.delete, "links/\(share.id)").status == 204)
            let over = try await alice.client.send(.post, path, ShareOpening(code: code, keyCheck: check))
            #expect(over.problem == "gone")
            #expect(try await alice.blobs().isEmpty)
        }
    }

    @Test("links end with the vault; each of them can be stopped, however many there are")
    func linksEnd() async throws {
        try await Self.serve { alice, _ in
            let check = Bytes(repeating: 5, count: 32).base64URL
            let sealed = Bytes(repeating: 9, count: 100).base64URL
            func make() async throws -> Share {
                try await alice.send(
                    .post, "links", NewVaultLink(sealed: sealed, lifetime: 3_600, maximumViews: 2, keyCheck: check)
                ).decode(Share.self)
            }
            let (first, second) = (try await make(), try await make())
            // More than a page has, all of them before these two.
            try await alice.environment.database.write { [account = alice.account] transaction in
                for number in 0..<Limits.listing {
                    let share = Share(
                        id: "!\(number)", document: "", created: 0, expires: 0, views: 0, maximumViews: 1, stopped: nil)
                    try ShareStore(transaction: transaction).insert(
                        ShareStore.Stored(share: share, account: account, codeHash: "", failures: 0, blob: "none"))
                    try VaultLinkStore(transaction: transaction).insert(
                        share: share.id, account: account, created: share.created)
                }
            }
            let seen: [Share] = try await alice.pages(of: "links")
            #expect(seen.count == Limits.listing + 2 && Set(seen.map(\.id)).count == seen.count)
            #expect(Set(seen.prefix(2).map(\.id)) == [first.id, second.id])
            #expect(try await alice.send(.delete, "links/\(first.id)").status == 204)
            #expect(try await alice.blobs().count == 1)
            let opening = ShareOpening(code: try #require(second.code), keyCheck: check)
            let path = "/api/shares/\(second.id)/open"
            #expect(try await alice.client.send(.post, path, opening).status == 200)
            #expect(try await alice.send(.delete, "").status == 200)
            #expect(try await alice.client.send(.post, path, opening).problem == "not-found")
            #expect(try await alice.blobs().isEmpty)
            let rows = try await alice.organisation.rows()
            #expect(rows["vault_links"]?.isEmpty == true && rows["shares"]?.isEmpty == true)
        }
    }

    @Test("an emergency contact waits, the owner may say no, and then it opens")
    func contacts() async throws {
        try await Self.serve { alice, bob in
            let id = VaultScene.identifier()
            let slot = NewVaultSlot(kind: .contact, sealed: "CCCC", contact: bob.account, wait: 86_400)
            #expect(try await alice.send(.put, "slots/\(id)", slot).status == 200)
            // A folder of its own key: one that is shared, or that a PIN opens.
            let folder = NewVaultCompartment(id: VaultScene.identifier(), head: "AA")
            #expect(try await alice.send(.post, "compartments", folder).status == 201)
            try await alice.addWay()
            func own() async throws -> VaultContactSlot {
                let contacts = VaultContacts(environment: bob.environment)
                return try #require(try await contacts.list(bob.principal, ListRequest()).items.first)
            }
            #expect(try await own().sealed == nil)
            let ask = "contacts/\(alice.account)/\(id)/ask"
            #expect(try await alice.send(.post, ask, NoMembers()).status == 404)
            #expect(try await bob.send(.post, ask, NoMembers()).status == 200)
            #expect(try await bob.send(.post, ask, NoMembers()).errorName == "asked")
            #expect(try await alice.takeNotices() == 1)
            #expect(try await alice.send(.delete, "slots/\(id)/asked").status == 200)
            #expect(try await alice.send(.delete, "slots/\(id)/asked").status == 404)
            _ = try await VaultContacts(environment: bob.environment).ask(id, of: alice.account, bob.principal)
            let compartments = VaultCompartments(environment: bob.environment, epochs: VaultEpochs(bob.environment))
            for (seconds, isOpen) in [(86_399 as Int64, false), (1, true)] {
                alice.clock.advance(.seconds(seconds))
                #expect(try await (own().sealed == "CCCC") == isOpen)
                for compartment in [alice.main, folder.id] {
                    let read = try? await compartments.find(compartment, bob.principal)
                    let nodes = try? await compartments.list(compartment, after: nil, limit: 500, bob.principal)
                    #expect((read != nil) == isOpen && (nodes != nil) == isOpen, "\(compartment)")
                }
            }
            // It reads and does not change.
            let changing = VaultChanging(environment: bob.environment, epochs: VaultEpochs(bob.environment))
            for compartment in [alice.main, folder.id] {
                await #expect(throws: VaultError.notFound) {
                    _ = try await changing.change(compartment, VaultScene.change(0), bob.principal)
                }
            }
            let entries = try await alice.organisation.rows()["log_entries"] ?? []
            #expect(entries.count { $0.contains(.text("vault.contact_asked")) } == 2)
            #expect(entries.count { $0.contains(.text("vault.contact_refused")) } == 1)
        }
    }

    @Test("what is between two people goes with either of them")
    func erased() async throws {
        try await Self.serve { alice, bob in
            try await Self.join(alice, bob, as: .caretaker)
            try await Self.join(bob, alice, as: .reader)
            let drop = NewVaultDrop(id: VaultScene.identifier(), sealed: "AAAA")
            #expect(try await bob.send(.post, "compartments/\(alice.main)/inbox", drop).status == 201)
            try await alice.environment.database.write { transaction in
                try ErasureStore(transaction: transaction, slices: Slice.all).remove(
                    try #require(try AccountStore(transaction: transaction).find(id: bob.account)),
                    pseudonym: "(erased) x")
            }
            for (table, rows) in try await alice.organisation.rows() where table.hasPrefix("vault") {
                #expect(!rows.contains { $0.contains(.text(bob.account)) }, "\(table)")
            }
            // What was put in is the owner's, and no longer says by whom.
            let inbox = try await alice.send(.get, "compartments/\(alice.main)/inbox")
                .decode(Listing<VaultDrop>.self).items
            #expect(inbox.map(\.sealed) == ["AAAA"] && inbox[0].sender == nil)
        }
    }
}
