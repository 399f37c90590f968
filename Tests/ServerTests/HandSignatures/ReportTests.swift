import Certificates
import CryptoProvider
import Encodings
import Foundation
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Testing
import Transparency
import Verification

@testable import Server

extension DeskTests {
    /// Reports: signed by the organisation, checked without it.
    @Suite("Reports of transactions")
    struct ReportTests {
        /// A confirmed transaction, what was signed, and what a stranger needs to check it.
        private struct Case: Sendable {
            let desk: Desk
            let signing: Signing
            let movement: Bytes
            let root: TrustAnchor
            let policy: LogPolicy

            var now: Int64 { desk.organisation.clock.clock.now() }

            func get(_ path: String) async throws -> TestClient.Answer {
                try await desk.client.send(.get, "/api/signings/\(signing.id)/\(path)", token: desk.owner.token)
            }

            func verify(_ report: Bytes, document: Bytes? = nil) throws(SigningReportError) -> SigningReport {
                try SigningReport.verify(
                    report, root: root, policy: policy, document: document, now: now, suite: SwiftCryptoSuite())
            }
        }

        private static let photograph = ([0xFF, 0xD8, 0xFF] + Bytes(repeating: 7, count: 100)).base64URL

        /// - Parameter isPhotographed: whether the signer is on a photograph.
        private func withReport(
            isPhotographed: Bool = false, _ body: @escaping @Sendable (Case, Bytes) async throws -> Void
        ) async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let text = try Desk.texts(hand, 30..<31)[0]
                if isPhotographed {
                    _ = try await desk.client.send(
                        .put, "/api/desk/settings",
                        DeskSettings(learns: true, takesPlace: false, takesPhotographs: true), token: desk.owner.token)
                }
                let signing = try await desk.sign(try await desk.addDocument(), person, text) { request in
                    request.photograph = isPhotographed ? Self.photograph : nil
                }.decode(Signing.self)
                _ = try await desk.client.send(
                    .post, "/api/signings/\(signing.id)/confirm", token: desk.operatorSession.token
                ).decode(Signing.self)
                let about = try await client.send(.get, "/api/organisation").decode(Organisation.self)
                let one = Case(
                    desk: desk, signing: signing, movement: Bytes(text: text),
                    root: try TrustAnchor(der: try PEM.decode(Bytes(text: about.rootCertificate))[0]),
                    policy: try LogPolicy.read(Bytes(text: about.logKey)))
                try await body(one, try await one.get("report").body)
            }
        }

        @Test("who pins the root checks report, record, picture, document and receipt without the organisation")
        func verified() async throws {
            try await withReport { one, report in
                let document = try await one.get("document").body
                let checked = try one.verify(report, document: document)
                #expect(checked.record["decision"] == .text("confirmed") && checked.loggedAt == one.now)
                #expect(checked.record["client"]?["number"] == .text("AB123456"))
                let signed = try #require(one.signing.digest)
                #expect(checked.record["document"]?["sha256"] == .text(signed))
                let rates = try #require(checked.report["error_rates"])
                #expect((rates["genuine_refused_per_10000"]?.integer ?? -1) >= 0)
                #expect(checked.report["plots"]?.array?.count == Channel.allCases.count)
                #expect(throws: SigningReportError.otherDocument) {
                    try one.verify(report, document: document + [0x20])
                }
                #expect(throws: SigningReportError.fromTheFuture) {
                    try SigningReport.verify(
                        report, root: one.root, policy: nil, now: one.now - 1_000, suite: SwiftCryptoSuite())
                }
            }
        }

        @Test("after a change it is refused: a value, a member left out or put in, one signature for the other")
        func changed() async throws {
            try await withReport { one, report in
                let json = try JSON.parse(report, maximumLength: 1 << 24)
                let inner = try #require(json["report"]?.members)
                let signature = try #require(json["signature"]?.string)
                func refused(_ members: [JSON.Member], _ signature: Bytes) throws {
                    let file = try SigningReport.file(.object(members), signature: signature).canonical()
                    #expect(throws: SigningReportError.self) { try one.verify(file) }
                }
                for place in inner.indices {
                    var without = inner
                    without.remove(at: place)
                    try refused(without, signature)
                    var other = inner
                    other[place].value = Self.changed(inner[place].value)
                    try refused(other, signature)
                }
                try refused(inner + [JSON.Member("more", .bool(true))], signature)
                // Made for another purpose, or by another key under our certificate.
                let record = try #require(json["report"]?["record_signature"]?.string)
                try refused(inner, record)
                let page = try await one.get("report.html.jws").body
                try refused(inner, page)
                let header = try UnverifiedJWS.parse(signature).header
                let forged = try SigningKey().signJWS(
                    type: "\(SigningReport.reportType)", header: [JSON.Member("x5c", try #require(header["x5c"]))],
                    payload: try UnverifiedJWS.parse(signature).payload)
                try refused(inner, Bytes(text: forged))
                // Every part of the file counts: every 997th byte is changed. Its last is a line end.
                for place in stride(from: 0, to: report.count - 1, by: 997) {
                    var other = report
                    other[place] ^= 0x01
                    #expect(throws: SigningReportError.self, "byte \(place)") { try one.verify(other) }
                }
            }
        }

        @Test("what the record does not name is refused, though the organisation signed it", arguments: [false, true])
        func exchanged(isPhotographed: Bool) async throws {
            try await withReport(isPhotographed: isPhotographed) { one, report in
                let environment = one.desk.organisation.server.environment
                let signer = try await environment.deskSigner()
                let inner = try #require(try JSON.parse(report, maximumLength: 1 << 24)["report"]?.members)
                func file(_ name: String, _ value: String?) throws -> Bytes {
                    let members = value.map { [JSON.Member(name, .text($0))] } ?? []
                    let report = JSON.object(inner.filter { $0.name != Bytes(text: name) } + members)
                    let digest = SHA256.hash(try report.canonical()).base64URL
                    let signature = try environment.signAtDesk(
                        "\(SigningReport.reportType)",
                        .members([("iat", .integer(one.now)), ("sha256", .text(digest))]), by: signer)
                    return try SigningReport.file(report, signature: Bytes(text: signature)).canonical()
                }
                let good = isPhotographed ? Self.photograph : nil
                _ = try one.verify(file("photograph", good))
                let other = ([0xFF, 0xD8, 0xFF] + Bytes(repeating: 8, count: 100)).base64URL
                for wrong in [isPhotographed ? nil : other, other, "no base64url!"] {
                    #expect(throws: SigningReportError.otherPhotograph) { try one.verify(file("photograph", wrong)) }
                }
                #expect(throws: SigningReportError.otherDrawing) { try one.verify(file("drawing", "<svg/>")) }
            }
        }

        private static func changed(_ json: JSON) -> JSON {
            switch json {
            case .integer(let number): .integer(number + 1)
            case .string(let text): .string(text + [0x2E])
            case .array(let elements): .array(Array(elements.dropLast()))
            case .object(let members): .object(Array(members.dropLast()))
            default: .null
            }
        }

        @Test("the page says the same for people, runs nothing, and has a detached signature")
        func page() async throws {
            try await withReport { one, _ in
                let page = try await one.get("report.html").body
                let html = String(decoding: page, as: UTF8.self)
                #expect(
                    html.contains("Ada Lovelace") && html.contains("✓ Confirmed"))
                let signed = try #require(one.signing.digest)
                let digest = try #require(Base64.decode(Bytes(text: signed), .url))
                #expect(html.contains(String(decoding: Hex.encode(digest), as: UTF8.self)))
                #expect(!html.contains("<script") && !html.contains("http://localhost"))
                let jws = try UnverifiedJWS.parse(try await one.get("report.html.jws").body)
                let chain = try #require(jws.header["x5c"]?.array?[0].string.flatMap { Base64.decode($0, .standard) })
                let path = try CertificatePath.validate(
                    chain: [chain], root: one.root, purpose: .handSignatures, at: one.now, suite: SwiftCryptoSuite())
                let payload = try jws.payload(
                    signedBy: path.publicKey, type: "countersign-signing-page+jwt", suite: SwiftCryptoSuite())
                #expect(payload["sha256"] == .text(SHA256.hash(page).base64URL))
            }
        }

        @Test("what people have typed is no markup, however its letters join", arguments: ["", "\u{0D4E}", "\u{0600}"])
        func markup(before: String) throws {
            let text = "\(before)<style>body{display:none}</style>\(before)\"&"
            let record = JSON.members([
                ("decision", .text("refused")), ("device", .text(text)), ("field", .text(text)),
                ("reason", .text(text)),
                ("client", .members([("given_name", .text(text)), ("family_name", .text(text))])),
                ("document", .members([("name", .text(text))])),
            ])
            let html = try SigningReportPage(
                .members([("organisation", .text(text)), ("record", record)]), document: []
            ).html()
            #expect(html.utf8.split(separator: UInt8(ascii: "<")).count { $0.starts(with: "style".utf8) } == 1)
            #expect(html.contains("&lt;style&gt;"))
        }

        @Test("a raw movement is handed out sealed, that is logged, and only the forensic key opens it")
        func movement() async throws {
            try await withReport { one, report in
                let path = "/api/signings/\(one.signing.id)/movement"
                let reason = Reason(reason: "court order 12")
                #expect(
                    try await one.desk.client.send(.post, path, reason, token: one.desk.operatorSession.token).problem
                        == "forbidden")
                let released = try await one.desk.client.send(.post, path, reason, token: one.desk.owner.token)
                    .decode(SealedMovement.self)
                let receipt = try Transparency.Receipt.verify(
                    Bytes(text: released.receipt.proof), policy: one.policy, suite: SwiftCryptoSuite())
                #expect(receipt.entry.type == Bytes(text: "movement.released"))
                #expect(receipt.record["reason"] == .text("court order 12"))
                let opened = try JWE.open(
                    Bytes(text: released.sealed), with: one.desk.forensic, type: SigningEvidence.movementType)
                #expect(opened == one.movement)
                #expect(
                    try one.verify(report).record["movement"] == .text(SHA256.hash(opened).base64URL))
                #expect(throws: JWEError.self) {
                    try JWE.open(
                        Bytes(text: released.sealed), with: EncryptionKey(), type: SigningEvidence.movementType)
                }
            }
        }
    }
}
