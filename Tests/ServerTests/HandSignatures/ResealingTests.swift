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
    @Suite("Secrets of the desk, rotated")
    struct ResealingTests {
        private struct Stop: Error {}

        /// A desk where every column and blob that is sealed holds something.
        private struct Filled: Sendable {
            let desk: Desk
            let person: Client
            let signing: Signing
            let pdf: WorkspaceDocument

            var environment: Environment { desk.organisation.server.environment }
            var rotation: KeyRotation {
                get throws {
                    try KeyRotation(environment: environment, directory: desk.organisation.server.directory.path)
                }
            }
        }

        private static let pdfBytes = Bytes(text: "%PDF-1.7 not much of one")

        private func filled(_ body: @escaping @Sendable (Filled) async throws -> Void) async throws {
            try await TestOrganisation().serve { client in
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

        /// Of what a blob is sealed: a signed file of its digest, of which its row has a keyed hash.
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

        @Test("a kill between any two steps leaves everything under the old template secret, or under the new one")
        func killed() async throws {
            try await filled { one in
                let (environment, rotation) = (one.environment, try one.rotation)
                let old = environment.keys.secret(.templateSecret)
                // Written, and nothing else.
                var new = try await rotation.write(.templateSecret)
                try await check(one, isNew: false, old: old, new: new, "the key is written")
                // The blobs too: no row names them, and a start removes them.
                new = try await rotation.write(.templateSecret)
                let count = try await environment.blobs.list().count
                _ = try await Resealing(environment, to: new).copyBlobs()
                #expect(try await environment.blobs.list().count > count)
                try await check(one, isNew: false, old: old, new: new, "blobs are copied")
                try await Resealing(environment, to: new).removeOldBlobs()
                #expect(try await environment.blobs.list().count == count)
                try await check(one, isNew: false, old: old, new: new, "copies are removed")
                // In the middle of the transaction.
                new = try await rotation.write(.templateSecret)
                let resealing = Resealing(environment, to: new)
                let missing = try await resealing.copyBlobs()
                await #expect(throws: Stop.self) {
                    try await environment.database.write { transaction in
                        try resealing.apply(in: transaction, missing: missing)
                        throw Stop()
                    }
                }
                try await check(one, isNew: false, old: old, new: new, "the transaction was cut short")
                // Everything but the file in its place.
                new = try await rotation.write(.templateSecret)
                _ = try await rotation.install(new, as: .templateSecret, by: nil)
                try await check(one, isNew: true, old: old, new: new, "the database names the new one")
                try await Resealing(environment, to: new).removeOldBlobs()
                #expect(try await environment.blobs.list().count == count)
                try await check(one, isNew: true, old: old, new: new, "old blobs are removed")
            }
        }

        @Test("after it clients, transactions, documents and hand-overs are as they were")
        func works() async throws {
            try await filled { one in
                let before = try await one.desk.client.send(
                    .get, "/api/signings/\(one.signing.id)/report", token: one.desk.owner.token)
                let blobs = try await one.environment.blobs.list().map(\.name)
                let receipt = try await one.rotation.rotate(.templateSecret)
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

        @Test("something that does not open stops it, and nothing is changed; a blob that is lost does not")
        func unreadable() async throws {
            try await filled { one in
                let (environment, rotation) = (one.environment, try one.rotation)
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
                    try await rotation.rotate(.templateSecret)
                }
                #expect(try await keys(one).secret(.templateSecret) == old)
                #expect(try await opening(one, under: old).opened == good.opened - 2)
                try await environment.database.write { transaction in
                    try transaction.execute(
                        "UPDATE signings SET sealed = $1 WHERE id = $2", [.text(sealed), .text(one.signing.id)])
                }
                _ = try await rotation.rotate(.templateSecret)
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
