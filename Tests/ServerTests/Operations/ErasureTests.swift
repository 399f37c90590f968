import CryptoProvider
import Encodings
import FaultyObjectStore
import Foundation
import HTTPTypes
import Interface
import Storage
import Synchronization
import Testing
import Transparency

@testable import Server

/// A person who asks to be forgotten.
@Suite("Erasing a person")
struct ErasureTests {
    /// The texts that must not be found afterwards, in any spelling.
    private struct Traces {
        var texts: [String] = []
        var session = ""
    }

    /// Leaves traces of one person: account, device, passkey, session, saved filter, check, request, document and link.
    ///
    /// Approvals, vault and desk have tests of their own, and `SliceTests` sees that every column is claimed.
    private static func populate(_ client: TestClient) async throws -> (account: Account, traces: Traces) {
        let organisation = client.organisation
        let person = try organisation.person("zebedee.quux@example.org")
        var phone = try SoftAuthenticator()
        let session = try await client.join(person, &phone, passphrase: person.passphrase)
        _ = try await client.send(
            .patch, "/api/devices/\(session.deviceID)", DeviceRename(name: "Zebedee's tricorder"), token: session.token)
        _ = try await client.send(
            .post, "/api/saved-filters",
            NewSavedFilter(list: "/wallet/documents", name: "Zebedee's degrees", query: "q=zebedee"),
            token: session.token
        ).decode(SavedFilter.self)
        let check = try await client.send(
            .post, "/api/enrolments", EnrolmentRequest(commitment: [UInt8](repeating: 1, count: 32).base64URL),
            token: session.token
        ).decode(Enrolment.self)
        let code = try await client.send(.post, "/api/enrolments/\(check.id)/typed-code", token: session.token)
        _ = try code.decode(TypedCode.self)
        try await markVerified(session.account, organisation)
        _ = try await client.send(
            .post, "/api/requests", NewDocumentRequest(type: "generic", note: "for my lawyer Wolfgang"),
            token: session.token
        ).decode(DocumentRequest.self)
        _ = try await client.send(.post, "/api/sign-in", SignInNonceRequest(username: person.username))
        try await organisation.addDocument(
            "zebedees-degree", holder: session, sealed: Bytes(text: "sealed-for-zebedee"))
        let share = try await client.send(
            .post, "/api/shares",
            NewShare(
                sealed: Bytes(text: String(repeating: "shared-by-zebedee", count: 4)).base64URL, lifetime: 3_600,
                maximumViews: 2, document: "zebedees-degree"), token: session.token
        ).decode(Share.self)
        let entries = try await organisation.server.environment.database.read {
            try LogStore(transaction: $0).list(account: session.account.id, limit: 100)
        }
        #expect(!entries.isEmpty)
        return (
            session.account,
            Traces(
                texts: [
                    "zebedee", "Zebedee", "quux", "Wolfgang", "tricorder", session.account.id,
                    session.deviceID, share.id, phone.id.base64URL, person.signing.publicKey.x963.base64URL,
                    person.encryption.publicKey.x963.base64URL,
                ] + entries.flatMap { [$0.opening, $0.record] },
                session: session.token)
        )
    }

    /// As an administrator does after having seen the person.
    static func markVerified(_ account: Account, _ organisation: TestOrganisation) async throws {
        try await organisation.server.environment.database.write {
            try AccountStore(transaction: $0).markVerified(id: account.id)
        }
    }

    /// Every file below a folder.
    private static func files(_ folder: URL) -> [String: Data] {
        var found: [String: Data] = [:]
        let paths = FileManager.default.enumerator(atPath: folder.path)
        while let path = paths?.nextObject() as? String {
            if let data = try? Data(contentsOf: folder.appendingPathComponent(path)) { found[path] = data }
        }
        return found
    }

    /// The files and tables of an organisation that hold a text.
    static func places(of text: String, in organisation: TestOrganisation) async throws -> [String] {
        var places = files(organisation.folder).filter { $0.value.range(of: Data(text.utf8)) != nil }.map(\.key)
        for (table, rows) in try await organisation.rows()
        where rows.contains(where: {
            $0.contains { if case .text(let value) = $0 { value.contains(text) } else { false } }
        }) {
            places.append("table \(table)")
        }
        return places
    }

    @Test("leaves none of her traces in any file or row; log, receipts and other people stay as they were")
    func traces() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let bob = try await client.join(organisation.person("bob"))
            let (account, traces) = try await Self.populate(client)
            for text in traces.texts {
                #expect(try await !Self.places(of: text, in: organisation).isEmpty, "\(text) was never there")
            }
            let answer = try await client.send(
                .post, "/api/members/\(account.id)/erase",
                Erasure(username: account.username, keepsDocuments: false), token: owner.token
            ).decode(Acknowledgement.self)
            for text in traces.texts {
                #expect(try await Self.places(of: text, in: organisation) == [], "\(text) is still there")
            }
            // The member's sessions are over, and nobody can tell that there was such an account.
            #expect(try await client.send(.get, "/api/account", token: traces.session).problem == "unauthenticated")
            let members = try await client.send(.get, "/api/members", token: owner.token).decode(Listing<Account>.self)
            #expect(Set(members.items.map(\.username)) == ["owner", "bob"])
            // The act itself has a receipt that names nobody.
            let key = try NoteVerifierKey.parse(Bytes(text: organisation.server.environment.log.verifierKey))
            let receipt = try Transparency.Receipt.verify(
                Bytes(text: answer.receipt.proof), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite())
            let record = #"{"documents":"revoked","type":"account.erased"}"#
            #expect(try receipt.record.canonical() == Bytes(text: record))
            // Bob's are as good as before.
            let mine = try await client.send(.get, "/api/log/mine", token: bob.token).decode(Listing<LoggedEntry>.self)
            #expect(mine.items.count == 1)
            for entry in mine.items {
                let verified = try Transparency.Receipt.verify(
                    Bytes(text: entry.receipt.proof), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite())
                #expect(verified.index == UInt64(entry.index))
            }
        }
        let manifest = try await organisation.backUp(to: folder.path("after.backup"))
        #expect(manifest.log.forgotten >= 2)
        let report = try await BackupCheck(path: folder.path("after.backup"), passphrase: nil).run()
        #expect(report.manifest.log.size == manifest.log.size)
    }

    @Test("leaves none of her traces when the log cannot be written either: only the receipt is missing")
    func unsealed() async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await TestOrganisation(stores: try await store.stores())
            try await organisation.serve { client in
                let owner = try await client.setUp(organisation.person("owner"))
                let account = try await client.join(organisation.person("zebedee")).account
                let environment = organisation.server.environment
                let entries = try await environment.database.read {
                    try LogStore(transaction: $0).list(account: account.id, limit: 100)
                }
                let entry = try #require(entries.first)
                _ = try await environment.log.receipt(entry.position)
                let texts = ["zebedee", entry.opening]
                for text in texts {
                    #expect(try await !Self.places(of: text, in: organisation).isEmpty, "\(text) was never there")
                }
                store.fail(.answer(403, code: "AccessDenied"), method: "PUT", keyPart: "log/tile")
                let answer = try await client.send(
                    .post, "/api/members/\(account.id)/erase",
                    Erasure(username: account.username, keepsDocuments: false), token: owner.token)
                #expect(answer.problem == "storage-unreachable" && answer.text.contains("may have been done"))
                for text in texts {
                    #expect(try await Self.places(of: text, in: organisation) == [], "\(text) is still there")
                }
                store.heal()
                // Nothing opens the entry any more, in memory neither.
                await #expect(throws: (any Error).self) { _ = try await environment.log.receipt(entry.position) }
            }
        }
    }

    /// All slices, the first of which cannot remove what it has outside the database.
    private static var failing: [Slice] {
        var slices = Slice.all
        slices[0].erased = { _, _ in throw StorageError.full }
        return slices
    }

    @Test("what cannot be removed at once keeps her from nothing else, nor the act from its receipt; it goes later")
    func removedLater() async throws {
        let faults = StorageFaults()
        let organisation = try await TestOrganisation(faults: faults, slices: Self.failing)
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let session = try await client.join(organisation.person("zebedee"))
            let account = session.account
            let environment = organisation.server.environment
            for id in ["one", "two"] { try await organisation.addDocument(id, holder: session, sealed: [1]) }
            let guards = VaultGuard(environment: environment).folder
            // Nobody reads it, and it is destroyed all the same.
            try FileManager.default.createDirectory(
                atPath: "\(guards.path)/\(account.id.prefix(2))", withIntermediateDirectories: true)
            try Data("damaged".utf8).write(to: URL(fileURLWithPath: guards.file(account.id)))
            faults.heal()
            faults.fail(.deleteBlob, .full)
            faults.fail(.scrub, .full)
            let answer = try await client.send(
                .post, "/api/members/\(account.id)/erase",
                Erasure(username: account.username, keepsDocuments: true), token: owner.token)
            #expect(answer.status == 200, "\(answer.text)")
            _ = try answer.decode(Acknowledgement.self)
            #expect(faults.count(.deleteBlob) == 2 && faults.count(.scrub) == 1)
            #expect(!FileManager.default.fileExists(atPath: guards.file(account.id)))
            #expect(try await environment.blobs.read("blob-of-two") != nil)
            if !TestDatabase.isPostgres {
                #expect(try await !Self.places(of: "zebedee", in: organisation).isEmpty)
            }
            faults.heal()
            try await OrphanService.removeOrphans(environment, from: environment.blobs, olderThan: -1)
            for id in ["one", "two"] { #expect(try await environment.blobs.read("blob-of-\(id)") == nil) }
            try await RetentionService(environment: environment, days: .init()).sweep()
            #expect(try await Self.places(of: "zebedee", in: organisation) == [])
        }
    }

    @Test("documents that she wants to stay valid are not revoked")
    func kept() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let (account, _) = try await Self.populate(client)
            let before = await organisation.server.environment.log.size
            _ = try await client.send(
                .post, "/api/members/\(account.id)/erase", Erasure(username: account.username, keepsDocuments: true),
                token: owner.token
            ).decode(Acknowledgement.self)
            // One entry: the erasure. A revocation would be another.
            #expect(await organisation.server.environment.log.size == before + 1)
        }
    }

    @Test("the main administrator cannot be erased, nor anybody by a slip or by somebody else")
    func refused() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let administrator = try await client.join(
                organisation.person("admin"), invitation: client.invite(.administrator, token: owner.token))
            let bob = try await client.join(organisation.person("bob"))
            func erase(_ account: Account, as username: String, _ session: NewSession) async throws -> String? {
                try await client.send(
                    .post, "/api/members/\(account.id)/erase", Erasure(username: username, keepsDocuments: false),
                    token: session.token
                ).problem
            }
            #expect(try await erase(owner.account, as: "owner", owner) == "conflict")
            #expect(try await erase(bob.account, as: "bobby", owner) == "invalid-member")
            for session in [administrator, bob] {
                #expect(try await erase(bob.account, as: "bob", session) == "forbidden")
            }
            #expect(try await client.send(.get, "/api/account", token: bob.token).status == 200)
            organisation.clock.advance(.seconds(Limits.confirmationTime + 1))
            #expect(try await erase(bob.account, as: "bob", owner) == "confirmation-required")
        }
    }

    @Test("somebody whom others' documents name leaves a pseudonym, once")
    func pseudonym() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let invitation = try await client.invite(.administrator, token: owner.token)
            let administrator = try await client.join(organisation.person("admin"), invitation: invitation)
            let bob = try await client.join(organisation.person("bob"))
            try await organisation.addDocument("bobs", holder: bob, sealed: [1])
            try await organisation.server.environment.database.write { transaction in
                try transaction.execute(
                    "UPDATE documents SET issuer = $1 WHERE id = 'bobs'", [.text(administrator.account.id)])
            }
            let path = "/api/members/\(administrator.account.id)/erase"
            _ = try await client.send(
                .post, path, Erasure(username: "admin", keepsDocuments: false), token: owner.token
            ).decode(Acknowledgement.self)
            let left = try await organisation.server.environment.database.read {
                try AccountStore(transaction: $0).find(id: administrator.account.id)
            }
            #expect(left?.name == "")
            let username = try #require(left?.username)
            #expect(username.hasPrefix("(erased) "))
            let again = try await client.send(
                .post, path, Erasure(username: username, keepsDocuments: false), token: owner.token)
            #expect(again.problem == "not-found")
        }
    }

    @Test("what is kept for a while goes after its time, and not before", arguments: [nil, 60] as [Int64?])
    func retention(days: Int64?) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            _ = try await client.invite(.operator, token: owner.token)
            let bob = try await client.join(organisation.person("bob"))
            try await Self.markVerified(bob.account, organisation)
            let request = try await client.send(
                .post, "/api/requests", NewDocumentRequest(type: "generic", note: "for my lawyer Wolfgang"),
                token: bob.token
            ).decode(DocumentRequest.self)
            let environment = organisation.server.environment
            try await environment.database.write { transaction in
                try transaction.execute(
                    "UPDATE requests SET state = 'cancelled', reason = 'no longer' WHERE id = $1", [.text(request.id)])
            }
            var keep = ServerConfiguration.KeepDays()
            if let days { (keep.invitations, keep.requestNotes) = (days, 2 * days) }
            let service = RetentionService(environment: environment, days: keep)
            func left() async throws -> [Int] {
                try await service.sweep()
                let rows = try await organisation.rows()
                let notes = rows["requests"]?.count { $0.contains(.text("for my lawyer Wolfgang")) } ?? 0
                return [rows["sessions"]?.count ?? 0, rows["invitations"]?.count ?? 0, notes]
            }
            #expect(try await left() == [2, 1, 1])
            organisation.clock.advance(.seconds((keep.invitations - 1) * 86_400))
            #expect(try await left()[1...] == [1, 1])
            organisation.clock.advance(.seconds(3 * 86_400))
            #expect(try await left() == [0, 0, 1])
            organisation.clock.advance(.seconds((keep.requestNotes - keep.invitations - 3) * 86_400))
            #expect(try await left() == [0, 0, 1])
            organisation.clock.advance(.seconds(3 * 86_400))
            #expect(try await left() == [0, 0, 0])
        }
    }
}
