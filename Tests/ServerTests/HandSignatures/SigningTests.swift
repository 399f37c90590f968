import Certificates
import CryptoProvider
import Encodings
import Foundation
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Storage
import Testing
import Transparency
import Verification

@testable import Server

extension DeskTests {
    /// Transactions: signed, decided, reported, checked by others.
    @Suite("Signing at the desk")
    struct SigningTests {
        @Test("a document is filled in for a client, escaped, the same bytes every time")
        func rendering() async throws {
            try await DeskTests.withDocument { desk, person, document, _ in
                let rendering = try await desk.rendering(document, person)
                let bytes = try #require(Base64.decode(Bytes(text: rendering.content), .url))
                let html = String(decoding: bytes, as: UTF8.self)
                #expect(html.contains("<p>I, <b>Ada</b> Lovelace (AB123456), agree on "))
                #expect(html.contains(" &lt;at&gt; Test University</p>"))
                #expect(rendering.digest == SHA256.hash(bytes).base64URL)
                #expect(try await desk.rendering(document, person).digest == rendering.digest)
            }
        }

        @Test("a genuine signature waits for the operator, who confirms it once; the log has it")
        func confirmed() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let signing = try await desk.sign(document, person, Desk.texts(hand, 30..<31)[0]).decode(Signing.self)
                #expect(signing.state == .pending && signing.isMatch && signing.receipt == nil)
                #expect(signing.drawing?.hasPrefix("<svg") == true)
                #expect(
                    try await desk.client.send(
                        .get, "/api/signings/\(signing.id)/report", token: desk.owner.token
                    ).problem == "conflict")
                let path = "/api/signings/\(signing.id)/confirm"
                let others = try await desk.client.join(
                    desk.organisation.person("desk2"),
                    invitation: try await desk.client.invite(.operator, token: desk.owner.token))
                #expect(try await desk.client.send(.post, path, token: others.token).problem == "forbidden")
                let confirmed = try await desk.client.send(.post, path, token: desk.operatorSession.token)
                    .decode(Signing.self)
                #expect(confirmed.state == .confirmed && confirmed.receipt != nil)
                #expect(
                    try await desk.client.send(.post, path, token: desk.operatorSession.token).problem == "conflict")
                // The signed document is there as it was shown, even after the original is deleted.
                let deleting = try await desk.client.send(
                    .delete, "/api/workspace/\(document.id)", token: desk.operatorSession.token)
                #expect(deleting.status == 204)
                let signed = try await desk.client.send(
                    .get, "/api/signings/\(signing.id)/document", token: desk.owner.token)
                #expect(SHA256.hash(signed.body).base64URL == signing.digest)
                // Every blob is named by a row: no start removes it, and every backup has it.
                let environment = desk.organisation.server.environment
                let stored = Set(try await environment.blobs.list().map(\.name))
                let named = try await environment.database.read {
                    try BlobColumnStore(transaction: $0, slices: Slice.all).names(at: 0)
                }
                #expect(!stored.isEmpty && stored == named)
                let overview = try await desk.client.send(.get, "/api/desk", token: desk.operatorSession.token)
                    .decode(DeskOverview.self)
                #expect(overview.signings == 1 && overview.today == 1 && overview.days.count == 30)
                #expect(overview.days.last?.confirmed == 1 && overview.latest.map(\.id) == [signing.id])
            }
        }

        @Test("a forged signature is refused at once and cannot be confirmed; so are a recording and another document")
        func refused() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let forged = try Desk.texts(SyntheticHand(seed: 9), 0..<1)[0]
                let signing = try await desk.sign(document, person, forged).decode(Signing.self)
                #expect(signing.state == .refused && !signing.isMatch && signing.receipt != nil)
                let confirming = try await desk.client.send(
                    .post, "/api/signings/\(signing.id)/confirm", token: desk.operatorSession.token)
                #expect(confirming.problem == "conflict")
                // The very movement again, and that of an enrolment: refused, and recorded as what they are.
                for recording in [forged, try Desk.texts(hand, 2..<3)[0]] {
                    let refused = try await desk.sign(document, person, recording).decode(Signing.self)
                    #expect(refused.state == .refused && !refused.isMatch)
                }
                let recorded = try await desk.client.send(.get, "/api/signings", token: desk.owner.token)
                    .decode(Listing<Signing>.self).items
                #expect(recorded.count == 3 && recorded.allSatisfy { $0.state == .refused && !$0.isMatch })
                let reasons = try await recorded.reasons(desk)
                #expect(reasons.count { $0 == "a recording of an earlier movement" } == 2)
                let good = try Desk.texts(hand, 31..<32)[0]
                let other = try await desk.sign(document, person, good, digest: SHA256.hash([1]).base64URL)
                #expect(other.problem == "conflict")
                // Changed since it was shown.
                let digest = try await desk.rendering(document, person).digest
                let change = WorkspaceContent(
                    name: document.name, text: #"{"blocks":[],"format":"countersign-text-1"}"#, version: 1)
                let changing = try await desk.client.send(
                    .put, "/api/workspace/\(document.id)", change, token: desk.operatorSession.token)
                #expect(changing.status == 200)
                #expect(try await desk.sign(document, person, good, digest: digest).problem == "conflict")
                let again = try await desk.client.send(
                    .put, "/api/workspace/\(document.id)", change, token: desk.operatorSession.token)
                #expect(again.problem == "conflict")
            }
        }

        @Test("the operator refuses with a reason; undecided ones lapse; many refused ones stop a client's signing")
        func limits() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let texts = try Desk.texts(hand, 40..<43)
                let first = try await desk.sign(document, person, texts[0]).decode(Signing.self)
                // Evidence names who took it.
                let account = desk.operatorSession.account
                let erasing = try await desk.client.send(
                    .post, "/api/members/\(account.id)/erase",
                    Erasure(username: account.username, keepsDocuments: true), token: desk.owner.token)
                #expect(erasing.problem == "conflict")
                let refusing = "/api/signings/\(first.id)/refuse"
                #expect(
                    try await desk.client.send(.post, refusing, Reason(reason: " "), token: desk.operatorSession.token)
                        .problem == "invalid-member")
                let refused = try await desk.client.send(
                    .post, refusing, Reason(reason: "She hesitated."), token: desk.operatorSession.token
                ).decode(Signing.self)
                #expect(refused.state == .refused && refused.isMatch && refused.reason == "She hesitated.")
                let second = try await desk.sign(document, person, texts[1]).decode(Signing.self)
                desk.organisation.clock.advance(.seconds(Limits.signingTime + 1))
                // The operator is there, and yet too late.
                let fresh = try await desk.client.signIn(
                    desk.operatorPerson, device: #require(desk.operatorSession.device).id)
                let confirming = try await desk.client.send(
                    .post, "/api/signings/\(second.id)/confirm", token: fresh.token)
                #expect(confirming.problem == "gone")
                let lapsed = try await desk.client.send(
                    .get, "/api/signings/\(second.id)", token: desk.operatorSession.token
                ).decode(Signing.self)
                #expect(lapsed.state == .lapsed)
                // It is refused like anything else, with a record and an entry in the log.
                let decisions = SigningDecisions(environment: desk.organisation.server.environment)
                #expect(try await decisions.refuseLapsed() == 0)
                desk.organisation.clock.advance(.seconds(SigningDecisions.grace))
                #expect(try await decisions.refuseLapsed() == 1)
                let over = try await desk.client.send(
                    .get, "/api/signings/\(second.id)", token: desk.operatorSession.token
                ).decode(Signing.self)
                #expect(over.state == .refused && over.isMatch && over.reason == "nobody decided in time")
                #expect(over.receipt != nil)
                #expect(try await decisions.refuseLapsed() == 0)
                let forgeries = try Desk.texts(SyntheticHand(seed: 9), 0..<UInt64(Limits.signingFailures) + 1)
                for text in forgeries.dropLast() {
                    #expect(try await desk.sign(document, person, text).status == 201)
                }
                #expect(
                    try await desk.sign(document, person, forgeries[Int(Limits.signingFailures)]).problem == "conflict")
                desk.organisation.clock.advance(.seconds(3_601))
                #expect(try await desk.sign(document, person, texts[2]).status == 201)
            }
        }

        @Test("a transaction that cannot be read any more keeps no other from its end, and nobody from signing")
        func damaged() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let texts = try Desk.texts(hand, 40..<43)
                let first = try await desk.sign(document, person, texts[0]).decode(Signing.self)
                let second = try await desk.sign(document, person, texts[1]).decode(Signing.self)
                let environment = desk.organisation.server.environment
                try await environment.database.write { transaction in
                    try transaction.execute(
                        "UPDATE signings SET sealed = 'damaged' WHERE id = $1", [.text(first.id)])
                }
                desk.organisation.clock.advance(.seconds(Limits.signingTime + SigningDecisions.grace + 1))
                #expect(try await desk.sign(document, person, texts[2]).status == 201)
                let stored = try await environment.database.read { transaction in
                    let store = SigningStore(transaction: transaction)
                    return (try store.find(id: first.id)?.state, try store.find(id: second.id)?.state)
                }
                #expect(stored == (.pending, .refused))
            }
        }

        @Test(
            "place and photograph are taken only where the organisation allows them; without a forensic key nobody signs"
        )
        func settings() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let texts = try Desk.texts(hand, 50..<52)
                let jpeg = ([0xFF, 0xD8, 0xFF] + Bytes(repeating: 7, count: 100)).base64URL
                func withPlace(_ request: inout NewSigning) {
                    request.place = DevicePlace(latitude: 52_205_000, longitude: 119_000, accuracy: 20)
                    request.photograph = jpeg
                }
                #expect(try await desk.sign(document, person, texts[0], change: withPlace).problem == "forbidden")
                let changing = try await desk.client.send(
                    .put, "/api/desk/settings", DeskSettings(learns: true, takesPlace: true, takesPhotographs: true),
                    token: desk.owner.token)
                #expect(try changing.decode(DeskSettings.self).hasForensicKey == true)
                #expect(try await desk.sign(document, person, texts[0], change: withPlace).status == 201)
                #expect(
                    try await desk.sign(document, person, texts[1]) {
                        $0.photograph = Bytes(text: "GIF89a").base64URL
                    }.problem == "invalid-member")
                try await desk.organisation.server.environment.database.write { transaction in
                    try DeskStore(transaction: transaction).set(DeskStore.Settings())
                }
                #expect(try await desk.sign(document, person, texts[1]).problem == "conflict")
            }
        }

        @Test("where it is allowed, a template slowly follows what was confirmed, and nothing else")
        func learning() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let environment = desk.organisation.server.environment
                let keeping = TemplateKeeping(
                    environment: environment, judge: try await SignatureJudge.current(in: environment.database))
                func references() async throws -> [Int64] {
                    let stored = try await environment.database.read {
                        try ClientStore(transaction: $0).template(client: person.id)
                    }
                    return try keeping.open(#require(stored)).references.map(\.time)
                }
                let before = try await references()
                func sign(_ number: UInt64, confirm: Bool) async throws {
                    desk.organisation.clock.advance(.seconds(90_000))
                    let operatorSession = try await desk.client.signIn(
                        desk.operatorPerson, device: #require(desk.operatorSession.device).id)
                    let desk = desk.with(operatorSession)
                    let signing = try await desk.sign(document, person, Desk.texts(hand, number..<number + 1)[0])
                        .decode(Signing.self)
                    guard confirm else { return }
                    let confirmed = try await desk.client.send(
                        .post, "/api/signings/\(signing.id)/confirm", token: operatorSession.token)
                    #expect(confirmed.status == 200)
                }
                try await sign(60, confirm: true)
                #expect(try await references() == before, "not allowed")
                try await environment.database.write { transaction in
                    let store = DeskStore(transaction: transaction)
                    var settings = try store.settings()
                    settings.learns = true
                    try store.set(settings)
                }
                try await sign(61, confirm: false)
                #expect(try await references() == before, "not confirmed")
                try await sign(62, confirm: true)
                let after = try await references()
                #expect(after.prefix(2) == before.prefix(2) && after.count { !before.contains($0) } == 1)
            }
        }

        @Test("nothing that was written or is known of a client stands readable in database or folder")
        func atRest() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let text = try Desk.texts(hand, 70..<71)[0]
                _ = try await desk.sign(document, person, text).decode(Signing.self)
                let handover = try await desk.client.send(
                    .post, "/api/handovers", NewHandover(title: "Consent", count: 1), token: desk.operatorSession.token
                ).decode(Handover.self)
                let code = String(try #require(handover.address?.split(separator: "#").last))
                let sent = try await desk.client.send(
                    .post, "/api/handover/captures",
                    HandoverResult(code: code, captures: Desk.texts(hand, 71..<72), device: "phone"))
                #expect(sent.status == 204)
                var secrets = [Bytes(text: "AB123456"), Bytes(text: "AB-123 456"), Bytes(text: code)]
                for number in [UInt64(0), 5, 70, 71] {
                    let samples = try hand.signature(number).samples
                    for sample in samples.dropFirst(10).prefix(5) {
                        secrets.append(Bytes(text: "[\(sample.time),\(sample.x),\(sample.y)"))
                    }
                }
                // PostgreSQL's tables, as text: columns of bytes are hexadecimal there.
                secrets += secrets.map { Hex.encode($0) }
                let dump = desk.organisation.folder.appendingPathComponent("dump")
                try await desk.organisation.database.dump(to: dump.path)
                var seen = 0
                for case let file as URL in try #require(
                    FileManager.default.enumerator(at: desk.organisation.folder, includingPropertiesForKeys: nil))
                {
                    guard let data = try? Data(contentsOf: file) else { continue }
                    seen += 1
                    for secret in secrets { #expect(data.range(of: Data(secret)) == nil, "\(file.lastPathComponent)") }
                }
                #expect(seen > 4)
                // The test does find some text that is there, so it would find the rest.
                let written = desk.organisation.folder.appendingPathComponent("test.sqlite-wal")
                let tables = try Data(contentsOf: TestDatabase.isPostgres ? dump : written)
                #expect(tables.range(of: Data("Lovelace".utf8)) != nil)
            }
        }

        @Test("a phone that has the code gives signatures to the desk that asked, once")
        func handover() async throws {
            try await DeskTests.withDocument { desk, _, _, hand in
                let token = desk.operatorSession.token
                let handover = try await desk.client.send(
                    .post, "/api/handovers", NewHandover(title: "Loan", count: 2), token: token
                ).decode(Handover.self)
                let address = try #require(handover.address)
                #expect(address.hasPrefix("http://localhost:8080/sign-here#"))
                let code = HandoverCode(code: String(try #require(address.split(separator: "#").last)))
                #expect(
                    try await desk.client.send(.post, "/api/handover", HandoverCode(code: "AAAA-BBBB")).problem
                        == "not-found")
                let task = try await desk.client.send(.post, "/api/handover", code).decode(HandoverTask.self)
                #expect(task.title == "Loan" && task.count == 2 && task.organisation == "Test University")
                let path = "/api/handovers/\(handover.id)"
                #expect(try await desk.client.send(.get, path, token: token).decode(Handover.self).state == .opened)
                #expect(try await desk.client.send(.get, path, token: desk.owner.token).status != 200)
                let texts = try Desk.texts(hand, 80..<82)
                func send(_ captures: [String]) async throws -> TestClient.Answer {
                    try await desk.client.send(
                        .post, "/api/handover/captures",
                        HandoverResult(code: code.code, captures: captures, device: "phone"))
                }
                #expect(try await send([texts[0]]).problem == "invalid-member")
                #expect(try await send(["{}", "{}"]).problem == "invalid-member")
                #expect(try await send(texts).status == 204)
                #expect(try await send(texts).problem == "gone")
                let done = try await desk.client.send(.get, path, token: token).decode(Handover.self)
                #expect(done.captures == texts && done.device == "phone")
                // Asking changes nothing: an answer may be lost. Then the desk says that it has them.
                #expect(try await desk.client.send(.get, path, token: token).decode(Handover.self).captures == texts)
                #expect(try await desk.client.send(.delete, path, token: token).status == 204)
                #expect(try await desk.client.send(.get, path, token: token).problem == "not-found")
                // Signatures sent in time are not handed out for ever.
                let left = try await desk.client.send(
                    .post, "/api/handovers", NewHandover(title: "Left", count: 1), token: token
                ).decode(Handover.self)
                let leftCode = String(try #require(left.address?.split(separator: "#").last))
                let sent = try await desk.client.send(
                    .post, "/api/handover/captures",
                    HandoverResult(code: leftCode, captures: Desk.texts(hand, 83..<84), device: "phone"))
                #expect(sent.status == 204)
                desk.organisation.clock.advance(.seconds(Limits.handoverTime + 61))
                let over = try await desk.client.send(.get, "/api/handovers/\(left.id)", token: token)
                    .decode(Handover.self)
                #expect(over.state == .expired && over.captures == nil)
                let late = try await desk.client.send(
                    .post, "/api/handovers", NewHandover(title: "Late", count: 1), token: token
                ).decode(Handover.self)
                desk.organisation.clock.advance(.seconds(Limits.handoverTime))
                let lateCode = String(try #require(late.address?.split(separator: "#").last))
                #expect(
                    try await desk.client.send(.post, "/api/handover", HandoverCode(code: lateCode)).problem == "gone")
            }
        }

        @Test("a blocked operator is out at once, stays out with the reason, and comes back")
        func blocking() async throws {
            try await DeskTests.withDocument { desk, _, _, _ in
                let id = desk.operatorSession.account.id
                let block = try await desk.client.send(
                    .post, "/api/accounts/\(id)/block", Reason(reason: "left the company"), token: desk.owner.token
                ).decode(Operator.self)
                #expect(block.blocked != nil && block.reason == "left the company")
                let token = desk.operatorSession.token
                #expect(try await desk.client.send(.get, "/api/clients", token: token).problem == "unauthenticated")
                let device = try #require(desk.operatorSession.device).id
                let refused = try await desk.client.signInAnswer(desk.operatorPerson, device: device)
                #expect(refused.problem == "forbidden")
                #expect(String(decoding: refused.body, as: UTF8.self).contains("left the company"))
                let operators = try await desk.client.send(.get, "/api/operators", token: desk.owner.token)
                    .decode(Listing<Operator>.self).items
                #expect(operators.map(\.account.id) == [id])
                let owner = desk.owner.account.id
                let own = try await desk.client.send(
                    .post, "/api/accounts/\(owner)/block", Reason(reason: "x"), token: desk.owner.token)
                #expect(own.problem == "conflict")
                let path = "/api/accounts/\(id)/unblock"
                #expect(try await desk.client.send(.post, path, token: desk.owner.token).status == 200)
                #expect(try await desk.client.signInAnswer(desk.operatorPerson, device: device).status == 201)
            }
        }
    }
}

extension [Signing] {
    /// Why each was refused.
    fileprivate func reasons(_ desk: Desk) async throws -> [String?] {
        var reasons: [String?] = []
        for signing in self {
            reasons.append(
                try await desk.client.send(.get, "/api/signings/\(signing.id)", token: desk.owner.token)
                    .decode(Signing.self).reason)
        }
        return reasons
    }
}
