import Certificates
import CryptoProvider
import Encodings
import Foundation
import Fuzzing
import HTTPTypes
import Interface
import Storage
import Testing
import Verification

@testable import Server

extension DeskTests {
    /// Another template secret, another desk key.
    @Suite("Secrets of the desk, rotated", .timeLimit(.minutes(4)))
    struct ResealingTests {
        /// A desk where every column and blob that is sealed holds something.
        private struct Filled: Sendable {
            let desk: Desk
            let person: Client
            let signing: Signing
            let pdf: WorkspaceDocument

            var folder: String { desk.organisation.server.directory.path + "/keys" }
            var environment: Environment { desk.organisation.server.environment }
            var rotation: KeyRotation {
                get throws {
                    try KeyRotation(environment: environment, directory: desk.organisation.server.directory.path)
                }
            }
        }

        private static let pdfBytes = Bytes(text: "%PDF-1.7 not much of one")

        private func filled(
            on organisation: TestOrganisation? = nil, _ body: @escaping @Sendable (Filled) async throws -> Void
        ) async throws {
            let place = if let organisation { organisation } else { try await TestOrganisation() }
            try await place.serve { client in
                let desk = try await Desk(client)
                let token = desk.operatorSession.token
                _ = try await client.send(
                    .put, "/api/desk/settings", DeskSettings(learns: true, takesPlace: false, takesPhotographs: false),
                    token: desk.owner.token)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let forgotten = try await desk.register(hand, number: "77").decode(ClientAct.self).client
                let erased = try await client.send(
                    .post, "/api/clients/\(forgotten.id)/erasure", Interface.Reason(reason: "asked"),
                    token: desk.owner.token)
                #expect(erased.status == 200)
                let document = try await desk.addDocument()
                let pdf = try await client.send(
                    .post, "/api/workspace", WorkspaceContent(name: "Paper", pdf: Self.pdfBytes.base64URL), token: token
                ).decode(WorkspaceDocument.self)
                let signing = try await desk.sign(document, person, Desk.texts(hand, 30..<31)[0]).decode(Signing.self)
                _ = try await client.send(.post, "/api/signings/\(signing.id)/confirm", token: token)
                    .decode(Signing.self)
                // One that waits for the operator.
                _ = try await desk.sign(pdf, person, Desk.texts(hand, 60..<61)[0]).decode(Signing.self)
                let handover = try await client.send(
                    .post, "/api/handovers", NewHandover(title: "Consent", count: 1), token: token
                ).decode(Handover.self)
                let code = String(try #require(handover.address?.split(separator: "#").last))
                let sent = try await client.send(
                    .post, "/api/handover/captures",
                    HandoverResult(code: code, captures: Desk.texts(hand, 71..<72), device: "phone"))
                #expect(sent.status == 204)
                try await body(Filled(desk: desk, person: person, signing: signing, pdf: pdf))
            }
        }

        /// The keys as a start finds them, by what the database says.
        private func keys(_ one: Filled) async throws -> ServerKeys {
            let fingerprints = try await one.environment.database.read {
                try ServerKeyStore(transaction: $0).fingerprints()
            }
            return try ServerKeys.open(
                in: one.desk.organisation.server.directory.path, for: try await one.desk.organisation.stored(),
                fingerprints: fingerprints, random: .system)
        }

        private func sealingRotation(_ one: Filled) throws -> SealingRotation {
            SealingRotation(
                one.environment, KeyFolder(in: one.desk.organisation.server.directory.path), spread: .zero, pause: .zero
            )
        }

        /// Rotates as the command does.
        ///
        /// On a database that servers share it waits for the others between its steps: time goes on each time.
        ///
        /// - Parameter waits: how often it waits there, until it ends or throws.
        private func rotate(_ one: Filled, waits: Int) async throws -> Interface.Receipt {
            let clock = one.desk.organisation.clock
            async let rotated = one.rotation.rotate(.templateSecret)
            for _ in 0..<(TestDatabase.isPostgres ? waits : 0) {
                // Nothing else here sleeps for so long.
                await clock.waitForSleeper(of: .seconds(120))
                clock.advance(.seconds(180))
            }
            return try await rotated
        }

        /// Whether everything that is sealed opens.
        private func isWhole(_ one: Filled, _ box: TemplateBox) async throws -> Bool {
            for place in SealedColumn.all {
                let rows = try await one.environment.database.read {
                    try SealedStore(transaction: $0).rows(place, after: "")
                }
                for row in rows { _ = try box.openText(row.value, place.content, of: row.subject) }
            }
            return true
        }

        /// How much of what is sealed opens under a secret, of how much; indexes count, too.
        private func opening(_ one: Filled, under secret: Bytes) async throws -> (opened: Int, all: Int) {
            let box = TemplateBox(secret: secret)
            var (opened, all) = (0, 0)
            for place in SealedColumn.all {
                let rows = try await one.environment.database.read {
                    try SealedStore(transaction: $0).rows(place, after: "")
                }
                #expect(!rows.isEmpty, "nothing is in \(place.table).\(place.column)")
                for row in rows {
                    let plaintext = try? box.openText(row.value, place.content, of: row.subject)
                    all += 1
                    opened += plaintext == nil ? 0 : 1
                    guard let index = place.index else { continue }
                    all += 1
                    if let plaintext, try index.value(box, plaintext) == row.index { opened += 1 }
                }
            }
            for place in SealedBlob.all {
                let rows = try await one.environment.database.read {
                    try SealedStore(transaction: $0).blobs(place, after: "")
                }
                #expect(!rows.isEmpty, "nothing is in \(place.table).\(place.column)")
                for row in rows {
                    let sealed = try await one.environment.blobs.read(row.value)
                    let subject = try await one.environment.database.read {
                        try Self.subject(place, row, in: $0, under: box)
                    }
                    all += 1
                    if let sealed, (try? box.open(sealed, place.content, of: subject)) != nil { opened += 1 }
                }
            }
            return (opened, all)
        }

        /// A blob's binding: a signed file is sealed under its digest, and its row has a keyed hash of that.
        private static func subject(
            _ place: SealedBlob, _ row: SealedStore.Row, in transaction: Transaction, under box: TemplateBox
        ) throws -> String {
            guard place.table == "signed_files" else { return row.subject }
            let signing = try #require(try SealedStore(transaction: transaction).evidence(ofFile: row.key))
            guard let plaintext = try? box.openText(signing.value, .evidence, of: signing.subject) else { return "" }
            let digest = try SigningEvidence(plaintext).digest
            #expect(row.key == box.index(ofDigest: digest))
            return digest
        }

        /// Everything opens under the secret that a start would take, and nothing under the other.
        private func check(_ one: Filled, isNew: Bool, old: Bytes, new: Bytes, _ step: String) async throws {
            let inForce = try await keys(one).secret(.templateSecret)
            #expect(inForce == (isNew ? new : old), "\(step)")
            let good = try await opening(one, under: inForce)
            #expect(good.opened == good.all && good.all > 10, "\(step): \(good)")
            #expect(try await opening(one, under: isNew ? old : new).opened == 0, "\(step)")
        }

        /// As the server of the next start has it.
        private func afterStart(_ one: Filled, _ body: @escaping @Sendable (Desk) async throws -> Void) async throws {
            try await one.desk.afterStart(with: try await keys(one), body)
        }

        @Test("every kind of thing that is sealed has its line")
        func complete() {
            let listed = SealedColumn.all.map(\.content) + SealedBlob.all.map(\.content)
            #expect(Set(listed) == Set(TemplateBox.Content.allCases))
        }

        @Test(
            "a kill between any two steps leaves a start that opens everything, and the next rotation goes on to its end"
        )
        func killed() async throws {
            try await filled { one in
                let environment = one.environment
                let (count, key) = (try await environment.blobs.list().count, ServerKey.templateSecret)
                let former = environment.keys.secret(key)
                // Cut short after each step, a rotation goes on to its end, and the next one starts from the beginning.
                for steps in 0...3 {
                    let old = environment.keys.secret(key)
                    let rotation = try sealingRotation(one)
                    try await rotation.announce()
                    let new = try #require(environment.serverKeys.secrets(key).last)
                    #expect(new != old && environment.keys.secret(key) == old)
                    if steps > 0 { try await rotation.exchange(for: new) }
                    if steps > 1 { _ = try await Resealing(environment, from: old, to: new).pass() }
                    if steps > 2 { try await rotation.sealAgain() }
                    if steps == 1 {
                        // The folder of another server, to which only the new one was copied.
                        let folder = KeyFolder(in: one.desk.organisation.server.directory.path)
                        try folder.replace(key.name, old)
                        try folder.replace(KeyFolder.next(key.name), new)
                        try folder.remove(KeyFolder.former(key.name))
                    }
                    // As the next start finds it.
                    let keys = try await keys(one)
                    #expect(keys.secrets(key) == (steps > 0 ? [new, old] : [old, new]), "after \(steps)")
                    let box = TemplateBox(secret: keys.secret(key), other: keys.secrets(key).last)
                    #expect(try await isWhole(one, box), "after \(steps)")
                    _ = try await rotation.run()
                    try await check(one, isNew: true, old: old, new: new, "after \(steps), to the end")
                    #expect(try await !SealingRotation.isUnfinished(environment))
                    let files = try FileManager.default.contentsOfDirectory(atPath: one.folder)
                    #expect(!files.contains { $0.hasPrefix("template-secret.") }, "\(files)")
                }
                try await OrphanService.removeOrphans(environment, from: environment.blobs, olderThan: -1)
                #expect(try await environment.blobs.list().count == count)
                #expect(environment.keys.secret(key) != former)
            }
        }

        @Test(
            "while it goes on, numbers are one client's only, and what is written meanwhile is kept", arguments: [0, 1])
        func meanwhile(steps: Int) async throws {
            try await filled { one in
                let (environment, desk) = (one.environment, one.desk)
                let (client, token) = (desk.client, desk.operatorSession.token)
                let rotation = try sealingRotation(one)
                let old = environment.keys.secret(.templateSecret)
                try await rotation.announce()
                let new = try #require(environment.serverKeys.secrets(.templateSecret).last)
                if steps > 0 { try await rotation.exchange(for: new) }
                let found = try await client.send(
                    .post, "/api/clients/lookup", ClientNumber(number: "ab 123456"), token: token
                ).decode(Client.self)
                #expect(found.id == one.person.id)
                #expect(try await desk.register(SyntheticHand(seed: 2)).problem == "conflict")
                let added = try await desk.register(SyntheticHand(seed: 3), number: "31").decode(ClientAct.self).client
                let next = try await desk.sign(one.pdf, one.person, Desk.texts(SyntheticHand(seed: 1), 70..<71)[0])
                    .decode(Signing.self)
                #expect(next.isMatch)
                _ = try await rotation.run()
                try await check(one, isNew: true, old: old, new: new, "with what came in between")
                let later = try await client.send(
                    .post, "/api/clients/lookup", ClientNumber(number: "31"), token: token
                ).decode(Client.self)
                #expect(later.id == added.id)
                let signed = try await client.send(.get, "/api/signings/\(next.id)/document", token: token)
                #expect(SHA256.hash(signed.body).base64URL == next.digest)
            }
        }

        @Test("a row that changes under the search is left to the next pass, and nothing of it is lost")
        func contended() async throws {
            try await filled { one in
                let environment = one.environment
                let (old, new) = (environment.keys.secret(.templateSecret), Bytes(repeating: 9, count: 32))
                let place = SealedColumn.all[0]
                let row = try #require(
                    try await environment.database.read {
                        try SealedStore(transaction: $0).rows(place, after: "").first
                    })
                let changed = try await environment.database.write { transaction in
                    try transaction.execute("UPDATE clients SET sealed = 'later' WHERE id = $1", [.text(row.key)])
                    return try SealedStore(transaction: transaction).replace(place, of: row, by: "lost", index: "lost")
                }
                #expect(!changed)
                try await environment.database.write { transaction in
                    let stored = try transaction.row("SELECT sealed FROM clients WHERE id = $1", [.text(row.key)])
                    #expect(try stored?.text("sealed") == "later")
                    try transaction.execute(
                        "UPDATE clients SET sealed = $1 WHERE id = $2", [.text(row.value), .text(row.key)])
                }
                let first = try await Resealing(environment, from: old, to: new).pass()
                #expect(first.changed > 10 && !first.replaced.isEmpty)
                #expect(try await Resealing(environment, from: old, to: new).pass().changed == 0)
            }
        }

        @Test("after it clients, transactions, documents and hand-overs are as they were")
        func works() async throws {
            try await filled { one in
                let before = try await one.desk.client.send(
                    .get, "/api/signings/\(one.signing.id)/report", token: one.desk.owner.token)
                let blobs = try await one.environment.blobs.list().map(\.name)
                let receipt = try await rotate(one, waits: 3)
                #expect(receipt.proof.hasPrefix("c2sp.org/tlog-proof@v1"))
                #expect(try await one.desk.organisation.types().last == "key.rotated")
                let after = try await one.environment.blobs.list().map(\.name)
                #expect(after.count == blobs.count && Set(after).isDisjoint(with: blobs))
                try await afterStart(one) { desk in
                    let (client, token) = (desk.client, desk.operatorSession.token)
                    let found = try await client.send(
                        .post, "/api/clients/lookup", ClientNumber(number: "ab 123456"), token: token
                    ).decode(Client.self)
                    #expect(found.id == one.person.id && found.number == "AB123456")
                    let pdf = try await client.send(.get, "/api/workspace/\(one.pdf.id)/content", token: token)
                    #expect(pdf.body == Self.pdfBytes)
                    let signed = try await client.send(.get, "/api/signings/\(one.signing.id)/document", token: token)
                    #expect(SHA256.hash(signed.body).base64URL == one.signing.digest)
                    let report = try await client.send(
                        .get, "/api/signings/\(one.signing.id)/report", token: desk.owner.token)
                    #expect(report.status == 200 && before.status == 200)
                    // Templates are compared with, and a number is still one client's only.
                    let again = try await desk.sign(
                        one.pdf, one.person, Desk.texts(SyntheticHand(seed: 1), 70..<71)[0])
                    #expect(try again.decode(Signing.self).isMatch)
                    #expect(try await desk.register(SyntheticHand(seed: 2)).problem == "conflict")
                }
            }
        }

        @Test("it is done when older copies cannot be removed from the files at once")
        func removedLater() async throws {
            let faults = StorageFaults()
            try await filled(on: try await TestOrganisation(faults: faults)) { one in
                faults.heal()
                faults.fail(.scrub, .full)
                let receipt = try await rotate(one, waits: 3)
                #expect(receipt.proof.hasPrefix("c2sp.org/tlog-proof@v1"))
                #expect(faults.count(.scrub) == 1)
                #expect(try await !SealingRotation.isUnfinished(one.environment))
            }
        }

        @Test("something that opens under neither stops it, and both stay in use; a blob that is lost does not")
        func unreadable() async throws {
            try await filled { one in
                let environment = one.environment
                let old = environment.keys.secret(.templateSecret)
                let good = try await opening(one, under: old)
                let lost = try #require(
                    try await environment.database.read { transaction in
                        let store = SealedStore(transaction: transaction)
                        return try store.blobs(SealedBlob.all[0], after: "").first {
                            try store.evidence(ofFile: $0.key)?.subject == one.signing.id
                        }
                    })
                try await environment.blobs.delete(lost.value)
                let sealed = try await environment.database.write { transaction in
                    let row = try transaction.row("SELECT sealed FROM signings WHERE id = $1", [.text(one.signing.id)])
                    try transaction.execute(
                        "UPDATE signings SET sealed = 'AAAA' WHERE id = $1", [.text(one.signing.id)])
                    return try #require(row).text("sealed")
                }
                await #expect(throws: KeyRotation.RotationError.unreadable(table: "signings", key: one.signing.id)) {
                    _ = try await rotate(one, waits: 2)
                }
                // Both stay in use: what could be read before still can.
                #expect(try await keys(one).secrets(.templateSecret).last == old)
                try await environment.database.write { transaction in
                    try transaction.execute(
                        "UPDATE signings SET sealed = $1 WHERE id = $2", [.text(sealed), .text(one.signing.id)])
                }
                _ = try await rotate(one, waits: 2)
                let later = try await keys(one).secret(.templateSecret)
                #expect(later != old)
                #expect(try await opening(one, under: later).opened == good.opened - 1)
            }
        }

        @Test("a new desk key takes the root; what the old one signed is still believed, and reports go on")
        func deskKey() async throws {
            try await filled { one in
                let organisation = one.desk.organisation
                let path = "/api/signings/\(one.signing.id)/report"
                let before = try await one.desk.client.send(.get, path, token: one.desk.owner.token).body
                let old = try #require(try await organisation.stored().certificate(.deskSigner))
                await #expect(throws: RootKey.Missing.offline) { try await one.rotation.rotate(.desk) }
                _ = try await one.rotation.rotate(.desk, by: organisation.certificates.authority())
                let stored = try await organisation.stored()
                let new = try #require(try stored.certificate(.deskSigner))
                #expect(new.publicKey != old.publicKey)
                #expect(try await keys(one).signer(.desk, publicKey: new.publicKey) != nil)
                let (root, now) = (try stored.root, one.environment.now())
                try await afterStart(one) { desk in
                    let after = try await desk.client.send(.get, path, token: desk.owner.token).body
                    for report in [before, after] {
                        let checked = try SigningReport.verify(
                            report, root: root, policy: nil, now: now, suite: SwiftCryptoSuite())
                        #expect(checked.record["decision"] == .text("confirmed"))
                    }
                    // The record is the old key's, the report around it the new one's.
                    #expect(before != after)
                    let hand = SyntheticHand(seed: 1)
                    let next = try await desk.sign(one.pdf, one.person, Desk.texts(hand, 70..<71)[0])
                        .decode(Signing.self)
                    let confirmed = try await desk.client.send(
                        .post, "/api/signings/\(next.id)/confirm", token: desk.operatorSession.token)
                    #expect(confirmed.status == 200)
                }
            }
        }
    }
}
