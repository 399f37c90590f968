import Encodings
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Storage
import Testing

@testable import Server

extension DeskTests {
    /// The data that version 0.3 stored, and how they are read now.
    @Suite("What the desk has from version 0.3")
    struct DeskMigrationTests {
        @Test("a template that has gone as far as it may says that another visit is needed, until one is taken")
        func visitNeeded() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let environment = desk.organisation.server.environment
                let keeping = TemplateKeeping(
                    environment: environment, judge: try await SignatureJudge.current(in: environment.database))
                func client() async throws -> Client {
                    try await desk.client.send(.get, "/api/clients/\(person.id)", token: desk.operatorSession.token)
                        .decode(Client.self)
                }
                #expect(try await !client().hasChangedHand)
                // As version 0.3 wrote it after it had learnt: nobody knows what was confirmed face to face.
                try await environment.database.write { transaction in
                    let store = ClientStore(transaction: transaction)
                    var stored = try #require(try store.template(client: person.id))
                    var json = String(decoding: try keeping.open(stored).file(), as: UTF8.self)
                        .replacing("\"confirmed\":null,", with: "").replacing("template-2", with: "template-1")
                        .replacing("\"lessons\":[0,0],", with: "").replacing(/"traces":\[.*\]\]/, with: "\"traces\":[]")
                    json.replace(
                        "\"time\":\(person.enrolled)", with: "\"time\":\(person.enrolled + 90_000)", maxReplacements: 3)
                    let template = try SignatureTemplate(file: Bytes(text: json))
                    #expect(template.needsVisit && template.references[4].time == person.enrolled)
                    try keeping.seal(template, as: &stored)
                    stored.sittings = 2
                    try store.update(stored)
                }
                #expect(try await !client().needsSecondSitting)
                let signing = try await desk.sign(document, person, Desk.texts(hand, 40..<41)[0]).decode(Signing.self)
                #expect(signing.isMatch)
                let due = try await client()
                #expect(due.hasChangedHand && due.needsSecondSitting && due.secondSittingFrom != nil)
                desk.organisation.clock.advance(.seconds(Limits.secondSittingRest))
                let session = try await desk.client.signIn(
                    desk.operatorPerson, device: #require(desk.operatorSession.device).id)
                let visit = try await desk.client.send(
                    .post, "/api/clients/\(person.id)/sitting",
                    SecondSitting(
                        paper: "passport", circumstances: .seen, signatures: Desk.texts(hand, 41..<44)),
                    token: session.token)
                #expect(try visit.decode(ClientAct.self).client.hasChangedHand == false)
            }
        }

        @Test("a picture that version 0.3 drew is served as it is drawn now, and stays what was signed in the report")
        func oldDrawing() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let token = desk.operatorSession.token
                let texts = try Desk.texts(hand, 30..<31)
                let signing = try await desk.sign(document, person, texts[0]).decode(Signing.self)
                let now = try #require(signing.drawing)
                #expect(now.contains("<path ") && !now.contains("<polyline"))
                let environment = desk.organisation.server.environment
                let box = TemplateBox(environment.keys)
                let old = """
                    <svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 600 240"><title>Signature</title>\
                    <polyline class="ink" points="10,20 11,21.5 13,22 90,80.1 91,81 500,230"/></svg>
                    """
                try await environment.database.write { transaction in
                    let store = SigningStore(transaction: transaction)
                    let stored = try #require(try store.find(id: signing.id))
                    var evidence = try box.evidence(of: stored)
                    evidence.drawing = Bytes(text: old)
                    try transaction.execute(
                        "UPDATE signings SET sealed = $1 WHERE id = $2",
                        [.text(try box.sealText(evidence.encoded(), .evidence, of: stored.id)), .text(stored.id)])
                }
                let read = try await desk.client.send(.get, "/api/signings/\(signing.id)", token: token)
                    .decode(Signing.self)
                let drawing = try #require(read.drawing)
                #expect(drawing.contains("<path ") && !drawing.contains("<polyline") && !drawing.contains("11,21.5"))
                let path = "/api/signings/\(signing.id)"
                #expect(try await desk.client.send(.post, "\(path)/confirm", token: token).status == 200)
                #expect(try await desk.client.send(.get, "\(path)/report", token: token).problem == "forbidden")
                let report = try await desk.client.send(.get, "\(path)/report", token: desk.owner.token)
                #expect(String(decoding: report.body, as: UTF8.self).contains("11,21.5"))
            }
        }
    }
}
