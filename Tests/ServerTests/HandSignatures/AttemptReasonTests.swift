import CryptoProvider
import Encodings
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Storage
import Testing
import Workers

@testable import Server

extension DeskTests {
    /// Every act at the desk, and every reason for which one is refused as an attempt.
    @Suite("Reasons of failed attempts", .timeLimit(.minutes(5)))
    struct AttemptReasonTests {
        typealias Act = @Sendable () async throws -> TestClient.Answer

        /// A try, and what it is kept as.
        private struct Row: Sendable {
            let act: DeskAttempt.Act
            let why: DeskAttempt.Why
            let provoke: Act

            init(_ act: DeskAttempt.Act, _ why: DeskAttempt.Why, _ provoke: @escaping Act) {
                (self.act, self.why, self.provoke) = (act, why, provoke)
            }
        }

        /// A desk with a client and a document, and what people bring who are refused.
        private struct Stage: Sendable {
            let desk: Desk
            let person: Client
            let document: WorkspaceDocument
            /// Signatures of the client's hand: the first six have made the template.
            let own: [String]
            /// Of another hand.
            let others: [String]
            /// Of the client's hand, with a finger.
            let touched: [String]
            /// Of the hand that the client has later.
            let next: [String]

            func with(_ session: NewSession) -> Stage {
                Stage(
                    desk: desk.with(session), person: person, document: document, own: own, others: others,
                    touched: touched, next: next)
            }

            func attempts() async throws -> [DeskAttempt] {
                try await desk.client.send(.get, "/api/desk/attempts", token: desk.operatorSession.token)
                    .decode(Listing<DeskAttempt>.self).items
            }

            /// The client's first five signatures with one replaced.
            func five(_ other: String, at place: Int = 2) -> [String] {
                var five = Array(own[0..<5])
                five[place] = other
                return five
            }

            func enrol(_ references: [String], _ check: String) async throws -> TestClient.Answer {
                try await desk.client.send(
                    .post, "/api/clients",
                    NewClient(
                        number: "XY 1", givenName: "A", familyName: "B", paper: "passport", circumstances: .seen,
                        signatures: NewSignatures(references: references, check: check)),
                    token: desk.operatorSession.token)
            }

            func reenrol(_ references: [String], _ check: String) async throws -> TestClient.Answer {
                try await desk.client.send(
                    .post, "/api/clients/\(person.id)/enrolment",
                    Reenrolment(
                        paper: "passport", reason: "new hand", circumstances: .seen,
                        signatures: NewSignatures(references: references, check: check)),
                    token: desk.operatorSession.token)
            }

            func visit(_ signatures: [String]) async throws -> TestClient.Answer {
                try await desk.client.send(
                    .post, "/api/clients/\(person.id)/sitting",
                    SecondSitting(paper: "passport", circumstances: .seen, signatures: signatures),
                    token: desk.operatorSession.token)
            }

            func sign(
                _ capture: String, digest: String? = nil, ticket: String? = nil
            ) async throws -> TestClient.Answer {
                try await desk.sign(document, person, capture, digest: digest) { request in
                    if let ticket { request.ticket = ticket }
                }
            }

            /// Captures that a phone sends to the desk.
            func handOver(_ captures: [String], for ticket: String? = nil) async throws -> TestClient.Answer {
                let handover = try await desk.client.send(
                    .post, "/api/handovers",
                    NewHandover(title: "Consent", count: Int64(captures.count), ticket: ticket),
                    token: desk.operatorSession.token
                ).decode(Handover.self)
                let code = String(try #require(handover.address?.split(separator: "#").last))
                return try await desk.client.send(
                    .post, "/api/handover/captures", HandoverResult(code: code, captures: captures, device: "phone"))
            }
        }

        private static func expectAttempt(_ stage: Stage, _ row: Row) async throws {
            let before = Set(try await stage.attempts().map(\.id))
            let answer = try await row.provoke()
            #expect(answer.problem != nil, "\(row.act) \(row.why)")
            let added = try await stage.attempts().filter { !before.contains($0.id) }
            #expect(added.map(\.act) == [row.act] && added.map(\.why) == [row.why], "\(row.act) \(row.why): \(added)")
            #expect(added.allSatisfy { $0.operatorID == stage.desk.operatorSession.account.id && $0.count == 1 })
        }

        private static func enrolments(_ stage: Stage) -> [Row] {
            let (own, others, touched) = (stage.own, stage.others, stage.touched)
            let five = Array(own[0..<5])
            return [
                Row(.enrolment, .unreadable) { try await stage.enrol(stage.five("{}"), own[5]) },
                Row(.enrolment, .unlike) { try await stage.enrol(stage.five(others[0]), own[5]) },
                Row(.enrolment, .otherTool) { try await stage.enrol(stage.five(touched[2]), own[5]) },
                Row(.enrolment, .recording) { try await stage.enrol(five, five[1]) },
                Row(.enrolment, .checkFailed) { try await stage.enrol(five, others[0]) },
                Row(.reenrolment, .unreadable) { try await stage.reenrol(five, "{}") },
                Row(.reenrolment, .unlike) { try await stage.reenrol(stage.five(others[0]), own[5]) },
                Row(.reenrolment, .otherTool) { try await stage.reenrol(five, touched[5]) },
                Row(.reenrolment, .checkFailed) { try await stage.reenrol(five, others[0]) },
                // The very signatures of the enrolment go together, and are recordings now.
                Row(.reenrolment, .recording) { try await stage.reenrol(five, own[5]) },
            ]
        }

        private static func signings(_ stage: Stage) -> [Row] {
            let (own, touched, unlike) = (stage.own, stage.touched, SHA256.hash([1]).base64URL)
            return [
                Row(.signing, .unreadable) { try await stage.sign("{}") },
                Row(.signing, .otherTool) { try await stage.sign(touched[0]) },
                Row(.signing, .otherDocument) { try await stage.sign(own[8], digest: unlike) },
                Row(.signing, .badTicket) { try await stage.sign(own[8], ticket: "unknown") },
                Row(.signing, .otherCapture) {
                    let ticket = try await stage.desk.rendering(stage.document, stage.person).ticket
                    #expect(try await stage.handOver([own[8]], for: ticket).status == 204)
                    return try await stage.sign(own[9], ticket: ticket)
                },
                Row(.handover, .unreadable) { try await stage.handOver(["{}"]) },
                Row(.handover, .otherTool) { try await stage.handOver([own[8], touched[0]]) },
                Row(.handover, .unreadable) {
                    let ticket = try await stage.desk.rendering(stage.document, stage.person).ticket
                    return try await stage.handOver(["{}"], for: ticket)
                },
                Row(.signing, .tooMany) {
                    try await Self.failOften(stage)
                    return try await stage.sign(own[8])
                },
            ]
        }

        private static func visits(_ stage: Stage) -> [Row] {
            let (own, others, touched) = (stage.own, stage.others, stage.touched)
            return [
                Row(.sitting, .unreadable) { try await stage.visit(["{}", own[6], own[7]]) },
                Row(.sitting, .otherTool) { try await stage.visit(Array(touched[0..<3])) },
                Row(.sitting, .unlike) { try await stage.visit(Array(others[0..<3])) },
                // The first of them was the check of the enrolment.
                Row(.sitting, .recording) { try await stage.visit(Array(own[5..<8])) },
            ]
        }

        /// As many signings within the hour as do not match and may be.
        private static func failOften(_ stage: Stage) async throws {
            let refused = try await stage.sign(stage.others[4]).decode(Signing.self)
            #expect(refused.state == .refused)
            try await stage.desk.organisation.server.environment.database.write { transaction in
                let store = SigningStore(transaction: transaction)
                let one = try #require(try store.find(id: refused.id))
                for number in 1..<Limits.signingFailures {
                    var another = one
                    another.id = "another\(number)"
                    try store.insert(another)
                }
            }
        }

        @Test("every act and every reason is on record, once for each try, with who tried")
        func everyReason() async throws {
            let work = BlockingWork(BlockingWork.Bounds(threads: 2, waiting: 8))
            try await TestOrganisation(work: work).serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let stage = Stage(
                    desk: desk, person: person, document: try await desk.addDocument(),
                    own: try Desk.texts(hand, 0..<10), others: try Desk.texts(SyntheticHand(seed: 2), 0..<6),
                    touched: try Desk.texts(hand, 0..<6, tool: .touch),
                    next: try Desk.texts(SyntheticHand(seed: 3), 0..<6))
                for row in Self.enrolments(stage) { try await Self.expectAttempt(stage, row) }
                for row in Self.signings(stage) { try await Self.expectAttempt(stage, row) }

                client.organisation.clock.advance(.seconds(Limits.secondSittingRest))
                let device = try #require(desk.operatorSession.device).id
                let later = stage.with(try await client.signIn(desk.operatorPerson, device: device))
                for row in Self.visits(later) { try await Self.expectAttempt(later, row) }
                // Enrolled again while a signature is being compared.
                let overtaken: Act = {
                    // Rendering for the ticket, reading, rendering and comparing are over.
                    let stop = WorkStop(work, before: 5)
                    let signing = Task { try await later.sign(later.own[9]) }
                    await stop.reached()
                    let five = Array(later.next[0..<5])
                    #expect(try await later.reenrol(five, later.next[5]).status == 200)
                    stop.go()
                    return try await signing.value
                }
                try await Self.expectAttempt(later, Row(.signing, .otherTemplate, overtaken))

                let all = try await later.attempts()
                #expect(Set(all.map(\.act)) == Set(DeskAttempt.Act.allCases))
                #expect(Set(all.map(\.why)) == Set(DeskAttempt.Why.allCases))
                // A phone's without a ticket is on no client; that with one is.
                let sent = all.filter { $0.act == .handover }
                #expect(sent.count == 3 && sent.count { $0.client == person.id } == 1)
                #expect(all.allSatisfy { [.enrolment, .handover].contains($0.act) || $0.client == person.id })
            }
        }
    }
}
