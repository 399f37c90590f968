import Encodings
import Foundation
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Synchronization
import Testing
import Workers

@testable import Server

extension DeskTests {
    /// Work that keeps a processor for long has its own threads: while they are all busy, everything else goes on.
    @Suite("Blocking work at the desk", .timeLimit(.minutes(5)))
    struct BlockingTests {
        typealias Act = @Sendable () async throws -> TestClient.Answer

        /// A thread that is held, so that what is asked of it waits.
        private final class Held: Sendable {
            let work: BlockingWork
            private let gate = DispatchSemaphore(value: 0)
            private let first: Task<Void, any Error>
            private let begun = Mutex(0)

            init(_ work: BlockingWork) async {
                let gate = gate
                self.work = work
                first = Task { try await work.run { gate.wait() } }
                while work.load.running < 1, !Task.isCancelled { await Task.yield() }
                work.observe { [weak self] report in
                    if case .began = report { self?.begun.withLock { $0 += 1 } }
                }
            }

            func open() async throws {
                gate.signal()
                try await first.value
            }

            /// How many jobs have begun since.
            var jobs: Int { begun.withLock { $0 } }
        }

        private final class Flag: Sendable {
            private let value = Mutex(false)
            var isSet: Bool { value.withLock { $0 } }
            func set() { value.withLock { $0 = true } }
        }

        /// Starts an act while the only thread is held, and looks whether it waits for that.
        ///
        /// - Returns: its answer once the thread is free, and how many jobs it was.
        private func whileHeld(
            _ work: BlockingWork, _ name: String, _ desk: Desk, _ act: @escaping Act
        ) async throws -> (TestClient.Answer, jobs: Int) {
            let held = await Held(work)
            let done = Flag()
            let task = Task {
                defer { done.set() }
                return try await act()
            }
            while work.load.waiting == 0, !done.isSet, !Task.isCancelled { await Task.yield() }
            #expect(!done.isSet, "\(name) did not wait for a thread of its own")
            // The rest of the server does not wait.
            #expect(try await desk.client.send(.get, "/healthz").status == 200)
            try await held.open()
            let answer = try await task.value
            return (answer, held.jobs)
        }

        @Test("hashing, comparing, drawing, rendering, reports and large bodies wait for threads of their own")
        func everything() async throws {
            let work = BlockingWork(BlockingWork.Bounds(threads: 1, waiting: 8))
            try await TestOrganisation(work: work).serve { client in
                let desk = try await Desk(client)
                let (hand, token) = (SyntheticHand(seed: 1), desk.operatorSession.token)
                func check(_ name: String, jobs: Int, _ act: @escaping Act) async throws -> TestClient.Answer {
                    let (answer, seen) = try await self.whileHeld(work, name, desk, act)
                    #expect(
                        (200..<300).contains(answer.status), "\(name): \(String(decoding: answer.body, as: UTF8.self))")
                    #expect(seen == jobs, "\(name)")
                    return answer
                }
                let learning = try await client.send(
                    .put, "/api/desk/settings", DeskSettings(learns: true, takesPlace: false, takesPhotographs: false),
                    token: desk.owner.token)
                #expect(learning.status == 200)
                _ = try await check("signing up", jobs: 1) {
                    let person = try client.organisation.person("another")
                    return try await client.send(.post, "/api/accounts", person.signUp())
                }
                let person = try await check("enrolling", jobs: 1) { try await desk.register(hand) }
                    .decode(ClientAct.self).client
                let text = try Desk.texts(hand, 10..<16)
                let signatures = NewSignatures(references: Array(text[0..<5]), check: text[5])
                // Comparing with each other, and with the traces of the template before.
                _ = try await check("enrolling again", jobs: 2) {
                    try await client.send(
                        .post, "/api/clients/\(person.id)/enrolment",
                        Reenrolment(
                            paper: "passport", reason: "new hand", circumstances: .seen, signatures: signatures),
                        token: token)
                }
                // Its body, and what is in that.
                _ = try await check("a large body", jobs: 2) {
                    let pdf = Bytes(text: "%PDF-") + Bytes(repeating: 0x20, count: Limits.quickBody)
                    return try await client.send(
                        .post, "/api/workspace", WorkspaceContent(name: "Large", pdf: pdf.base64URL), token: token)
                }
                let document = try await desk.addDocument()
                let rendering = try await check("rendering", jobs: 1) {
                    try await client.send(
                        .post, "/api/workspace/\(document.id)/rendering", RenderingRequest(client: person.id),
                        token: token)
                }.decode(Rendering.self)
                // Rendering for the ticket; then reading, rendering, comparing, drawing, looking for a recording.
                let signing = try await check("signing", jobs: 6) {
                    try await desk.sign(document, person, Desk.texts(hand, 30..<31)[0], digest: rendering.digest)
                }.decode(Signing.self)
                #expect(signing.isMatch)
                // The drawing.
                _ = try await check("looking at a signing", jobs: 1) {
                    try await client.send(.get, "/api/signings/\(signing.id)", token: token)
                }
                // The drawing, and the comparison with the signatures that were confirmed face to face.
                _ = try await check("confirming", jobs: 2) {
                    try await client.send(.post, "/api/signings/\(signing.id)/confirm", token: token)
                }
                for form in ["report", "report.html", "report.html.jws"] {
                    _ = try await check(form, jobs: 1) {
                        try await client.send(.get, "/api/signings/\(signing.id)/\(form)", token: desk.owner.token)
                    }
                }
                client.organisation.clock.advance(.seconds(Limits.secondSittingRest))
                let session = try await client.signIn(
                    desk.operatorPerson, device: desk.operatorSession.device?.id ?? "")
                // Reading, each of the three compared, looking for recordings.
                _ = try await check("a second visit", jobs: 5) {
                    try await client.send(
                        .post, "/api/clients/\(person.id)/sitting",
                        SecondSitting(
                            paper: "passport", circumstances: .seen, signatures: Desk.texts(hand, 40..<43)),
                        token: session.token)
                }
            }
        }

        @Test(
            "an account has its part of the queue: more is refused with 503 and when to come back, and others get through"
        )
        func bounded() async throws {
            let work = BlockingWork(BlockingWork.Bounds(threads: 1, waiting: 3, perAccount: 2))
            try await TestOrganisation(work: work).serve { client in
                let desk = try await Desk(client)
                let person = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                let document = try await desk.addDocument()
                @Sendable func render(_ session: NewSession) async throws -> TestClient.Answer {
                    try await client.send(
                        .post, "/api/workspace/\(document.id)/rendering", RenderingRequest(client: person.id),
                        token: session.token)
                }
                let held = await Held(work)
                work.report(to: client.organisation.server.shell.metrics)
                var waiting: [Task<TestClient.Answer, any Error>] = []
                for _ in 0..<2 {
                    waiting.append(Task { try await render(desk.operatorSession) })
                    while work.load.waiting < waiting.count, !Task.isCancelled { await Task.yield() }
                }
                let own = try await render(desk.operatorSession)
                #expect(own.status == 503 && own.problem == "busy" && own.retryAfter != nil)
                #expect(String(decoding: own.body, as: UTF8.self).contains("your own work"))
                // A stranger has a place still.
                let early = try client.organisation.person("early").signUp()
                waiting.append(Task { try await client.send(.post, "/api/accounts", early) })
                while work.load.waiting < waiting.count, !Task.isCancelled { await Task.yield() }
                // Now the queue is full for everybody: nobody can sign up, and the refusal says when to come back.
                let refused = try await client.send(.post, "/api/accounts", client.organisation.person("late").signUp())
                #expect(refused.status == 503 && refused.problem == "busy" && refused.retryAfter != nil)
                let metrics = try await client.send(.get, "/metrics")
                let text = String(decoding: metrics.body, as: UTF8.self)
                #expect(text.contains("work_waiting 3\n") && text.contains("work_running 1\n"))
                #expect(text.contains("work_refused_total{reason=\"owner\"} 1\n"))
                #expect(text.contains("work_refused_total{reason=\"full\"} 1\n"))
                try await held.open()
                for task in waiting { #expect(try await (200...201).contains(task.value.status)) }
            }
        }

        @Test("what has waited beyond the time of a request is answered, and waits no more")
        func tooLate() async throws {
            let work = BlockingWork(BlockingWork.Bounds(threads: 1, waiting: 3))
            try await TestOrganisation(work: work).serve { client in
                let desk = try await Desk(client)
                let person = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                let document = try await desk.addDocument()
                let held = await Held(work)
                let task = Task {
                    try await client.send(
                        .post, "/api/workspace/\(document.id)/rendering", RenderingRequest(client: person.id),
                        token: desk.operatorSession.token)
                }
                while work.load.waiting == 0, !Task.isCancelled { await Task.yield() }
                // Nobody comes for it: it is given up when its time is over, a second after the other.
                while work.load.waiting > 0, !Task.isCancelled {
                    client.organisation.clock.advance(.seconds(1))
                    await Task.yield()
                }
                let answer = try await task.value
                #expect(answer.status == 503 && answer.problem == "busy" && answer.retryAfter != nil)
                try await held.open()
            }
        }

        @Test("a recording longer than any signature is refused before it is compared with anything")
        func tooLong() async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                func stretched(_ number: UInt64, to microseconds: Int64) throws -> String {
                    var capture = try hand.signature(number)
                    let last = capture.samples[capture.samples.count - 1].time
                    for index in capture.samples.indices {
                        capture.samples[index].time = capture.samples[index].time * microseconds / last
                    }
                    return String(decoding: CaptureJSON.write(capture), as: UTF8.self)
                }
                let long = try await desk.register(hand, check: stretched(5, to: 20_000_001))
                #expect(long.status == 422 && long.problem == "invalid-member")
                #expect(String(decoding: long.body, as: UTF8.self).contains("signature 6: That took longer"))
                var many = try hand.signature(5)
                let sample = many.samples[0]
                many.samples = (0...Capture.mostSignatureSamples).map { index in
                    var next = sample
                    (next.time, next.isPenUp) = (Int64(index) * 1_000, false)
                    return next
                }
                let text = String(decoding: CaptureJSON.write(many), as: UTF8.self)
                let dense = try await desk.register(hand, check: text)
                #expect(dense.status == 422)
                #expect(
                    String(decoding: dense.body, as: UTF8.self).contains("signature 6: The signature has more points"))
            }
        }
    }
}
