import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Logging
import Storage
import Synchronization
import Testing
import Transparency
import Verification

@testable import Server

/// A log whose policy asks for witnesses: two of three.
@Suite("A log with witnesses", .timeLimit(.minutes(5)))
struct WitnessedLogTests {
    /// An organisation, its main administrator, and three witnesses that watch its log.
    private struct Scene {
        let witnesses: TestWitnesses
        let organisation: TestOrganisation
        var log: TransparencyLog { organisation.server.environment.log }
        var keys: [NoteVerifierKey] {
            get throws { try log.verifierKeys.map { try NoteVerifierKey.parse(Bytes(text: $0)) } }
        }

        init() async throws {
            witnesses = try TestWitnesses(3)
            organisation = try await TestOrganisation(witnesses: witnesses)
            try await witnesses.watch(try keys)
        }

        func policy(quorum: Int = 2) -> String { witnesses.policy(log: log.verifierKey, quorum: quorum) }

        func statement(
            _ policy: String, version: Int64 = 1, by key: SigningKey, type: String = "\(SignedLogPolicy.type)",
            audience: String = TestOrganisation.url, age: Int64 = 0
        ) throws -> LogPolicyRequest {
            try .signed(
                policy, version: version, by: key, type: type, audience: audience,
                time: organisation.clock.clock.now() - age)
        }

        /// Sets the organisation up, with the policy in force.
        func settle(_ client: TestClient, quorum: Int) async throws {
            let owner = try organisation.person("owner")
            let token = try await client.setUp(owner).token
            let request = try statement(policy(quorum: quorum), by: owner.authority)
            #expect(try await client.send(.post, "/api/log/policy", request, token: token).status == 200)
        }

        func verify(_ receipt: Interface.Receipt) throws -> VerifiedReceipt {
            try Transparency.Receipt.verify(
                Bytes(text: receipt.proof), policy: try LogPolicy.read(Bytes(text: policy())),
                suite: SwiftCryptoSuite())
        }
    }

    private static func checkpoint(_ client: TestClient) async throws -> Bytes {
        try await client.send(.get, "/log/checkpoint").body
    }

    @Test("every receipt and the published checkpoint bear enough signatures, the policy's own act first")
    func cosigned() async throws {
        let scene = try await Scene()
        try await scene.organisation.serve { client in
            let owner = try scene.organisation.person("owner")
            let token = try await client.setUp(owner).token
            _ = try await client.join(scene.organisation.person("before"))
            let request = try scene.statement(scene.policy(), by: owner.authority)
            let answer = try await client.send(.post, "/api/log/policy", request, token: token)
                .decode(Acknowledgement.self)
            let changed = try scene.verify(answer.receipt)
            #expect(changed.entry.type == Bytes(text: "log_policy.changed"))
            #expect(changed.checkpoint.witnesses.count >= 2)
            for name in ["alice", "bob", "carol"] {
                let session = try await client.join(scene.organisation.person(name))
                _ = try scene.verify(try #require(session.receipt))
            }
            // Earlier entries now have receipts with witnesses as well.
            let mine = try await client.send(.get, "/api/log/mine", token: token).decode(Listing<LoggedEntry>.self)
            for entry in mine.items { _ = try scene.verify(entry.receipt) }
            let note = try await Self.checkpoint(client)
            let policy = try LogPolicy.read(Bytes(text: scene.policy()))
            let shown = try VerifiedCheckpoint.verify(note, policy: policy, suite: SwiftCryptoSuite())
            #expect(shown.checkpoint.size == (await scene.log.size))
            // Anybody learns the policy, and can check that the main administrator signed it.
            let said = try await client.send(.get, "/api/organisation").decode(Organisation.self)
            #expect(said.logPolicy?.version == 1)
            #expect(said.logPolicy?.policy == scene.policy())
        }
    }

    @Test("one witness away is nothing; with two away acts are stored, and receipted when one is back")
    func away() async throws {
        let scene = try await Scene()
        try await scene.organisation.serve { client in
            try await scene.settle(client, quorum: 2)

            scene.witnesses.away = [0]
            let alice = try await client.join(scene.organisation.person("alice"))
            _ = try scene.verify(try #require(alice.receipt))

            scene.witnesses.away = [0, 2]
            let shown = try await Self.checkpoint(client)
            let bob = try scene.organisation.person("bob")
            let refused = try await client.send(.post, "/api/accounts", bob.signUp())
            #expect(refused.status == 503)
            #expect(refused.problem == "unwitnessed")
            // Nothing is shown that too few have signed.
            #expect(try await Self.checkpoint(client) == shown)
            let keeper = LogKeeper(
                log: scene.log, clock: scene.organisation.clock.clock, metrics: scene.organisation.server.shell.metrics,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            func counted(_ state: String) async throws -> Int? {
                let text = String(decoding: try await client.send(.get, "/metrics").body, as: UTF8.self)
                let name = "log_entries{state=\"\(state)\"} "
                return text.split(separator: "\n").first { $0.hasPrefix(name) }.flatMap {
                    Int($0.dropFirst(name.count))
                }
            }
            // The metrics show that the log is behind.
            await #expect(throws: TransparencyLog.LogError.self) { try await keeper.look() }
            #expect(try await counted("sealed") == (try await counted("published")).map { $0 + 1 })

            scene.witnesses.away = [1]
            scene.organisation.clock.advance(.seconds(60))
            try await keeper.look()
            #expect(try await counted("sealed") == (try await counted("published")))
            let caught = try await Self.checkpoint(client)
            #expect(caught != shown)
            // Bob's account was made once, and its entry is in the log.
            #expect(try await client.send(.post, "/api/accounts", bob.signUp()).problem == "conflict")
            let all = try await scene.organisation.server.environment.database.read {
                try LogStore(transaction: $0).count()
            }
            let policy = try LogPolicy.read(Bytes(text: scene.policy()))
            let checkpoint = try VerifiedCheckpoint.verify(caught, policy: policy, suite: SwiftCryptoSuite())
            #expect(Int64(checkpoint.checkpoint.size) == all)
        }
    }

    @Test("a witness that takes requests and never answers holds nobody up for ever", .timeLimit(.minutes(5)))
    func silent() async throws {
        let scene = try await Scene()
        try await scene.organisation.serve { client in
            try await scene.settle(client, quorum: 2)
            scene.witnesses.away = [0, 1]
            #expect(
                try await client.send(.post, "/api/accounts", scene.organisation.person("alice").signUp()).status == 503
            )
            scene.witnesses.away = [1]
            scene.witnesses.silent = [2]
            let asked = scene.witnesses.asked
            let outcome = Mutex<Result<Void, any Error>?>(nil)
            let task = Task {
                do {
                    try await scene.log.catchUp()
                    outcome.withLock { $0 = .success(()) }
                } catch {
                    outcome.withLock { $0 = .failure(error) }
                }
            }
            // It is asked first: on a busy machine the time for an answer would be over before.
            while scene.witnesses.asked == asked, outcome.withLock({ $0 == nil }), !Task.isCancelled {
                await Task.yield()
            }
            while outcome.withLock({ $0 == nil }), !Task.isCancelled {
                scene.organisation.clock.advance(.seconds(31))
                await Task.yield()
            }
            await task.value
            #expect(scene.witnesses.asked > asked)
            guard case .failure(let error)? = outcome.withLock(\.self),
                case .unwitnessed(let failures)? = error as? TransparencyLog.LogError
            else {
                Issue.record("the log does not say who was silent")
                return
            }
            #expect(failures.contains("w2: no answer in time"), "\(failures)")
            // Nothing hangs behind it.
            scene.witnesses.away = []
            scene.witnesses.silent = []
            scene.organisation.clock.advance(.seconds(60))
            try await scene.log.catchUp()
        }
    }

    @Test("a witness that is behind is led on from where it is")
    func behind() async throws {
        let scene = try await Scene()
        try await scene.organisation.serve { client in
            try await scene.settle(client, quorum: 3)
            // It forgot everything: it says 0, and is told all.
            try await scene.witnesses.forget(1, scene.keys)
            let alice = try await client.join(scene.organisation.person("alice"))
            #expect(try scene.verify(try #require(alice.receipt)).checkpoint.witnesses.count == 3)
        }
    }

    @Test("a log that is set back gets no signatures any more")
    func setBack() async throws {
        let scene = try await Scene()
        try await scene.organisation.serve { client in
            try await scene.settle(client, quorum: 3)
            // One witness has signed more of this log than the server knows, as after an old backup came back.
            let witness = scene.witnesses.service(2)
            let newest = try #require(try await witness.newest(origin: "localhost:8080/log"))
            let head = try Checkpoint.parse(try SignedNote.parse(newest).text)
            let beyond = WitnessStore.Cosigned(
                origin: "localhost:8080/log", size: Int64(head.size) + 50,
                root: String(decoding: Base64.encode(Bytes(repeating: 1, count: 32), .standard), as: UTF8.self),
                note: String(decoding: newest, as: UTF8.self), time: 1)
            try await witness.database.write { try WitnessStore(transaction: $0).save(beyond) }
            let refused = try await client.send(
                .post, "/api/accounts", scene.organisation.person("alice").signUp())
            #expect(refused.problem == "unwitnessed")
        }
    }

    @Test("a policy that nobody should follow changes nothing")
    func refused() async throws {
        let scene = try await Scene()
        try await scene.organisation.serve { client in
            let owner = try scene.organisation.person("owner")
            let token = try await client.setUp(owner).token
            let good = scene.policy()
            let other = LogSigningKey()
            let otherKey = try NoteVerifierKey(
                name: Bytes(text: "localhost:8080/log"), publicKey: other.publicKey)
            let stranger = try NoteVerifierKey(name: Bytes(text: "evil.example/log"), publicKey: other.publicKey)
            let attacks: [(String, LogPolicyRequest, String)] = [
                ("signed by a device", try scene.statement(good, by: owner.signing), "invalid-member"),
                (
                    "signed for something else",
                    try scene.statement(good, by: owner.authority, type: "\(Statement.authorityType)"), "invalid-member"
                ),
                (
                    "for another server", try scene.statement(good, by: owner.authority, audience: "https://a.example"),
                    "invalid-member"
                ),
                ("from the future", try scene.statement(good, by: owner.authority, age: -600), "invalid-member"),
                ("version 0", try scene.statement(good, version: 0, by: owner.authority), "invalid-member"),
                ("version 2 first", try scene.statement(good, version: 2, by: owner.authority), "conflict"),
                ("not a policy", try scene.statement("log\n", by: owner.authority), "invalid-member"),
                (
                    "another key",
                    try scene.statement("log \(otherKey.encoded().text)\nquorum none\n", by: owner.authority),
                    "invalid-member"
                ),
                (
                    "another log",
                    try scene.statement(
                        "log \(scene.log.verifierKey)\nlog \(stranger.encoded().text)\nquorum none\n",
                        by: owner.authority), "invalid-member"
                ),
                (
                    "a witness without address",
                    try scene.statement(good.replacing("https://w1.example/", with: ""), by: owner.authority),
                    "invalid-member"
                ),
                (
                    "a witness by http",
                    try scene.statement(good.replacing("https://w1", with: "http://w1"), by: owner.authority),
                    "invalid-member"
                ),
            ]
            for (what, request, problem) in attacks {
                let answer = try await client.send(.post, "/api/log/policy", request, token: token)
                #expect(answer.problem == problem, "\(what)")
            }
            // Witnesses that do not answer are found out before the policy counts.
            scene.witnesses.away = [0, 1]
            let answer = try await client.send(
                .post, "/api/log/policy", try scene.statement(good, by: owner.authority), token: token)
            #expect(answer.problem == "conflict")
            // A member may not even ask.
            let alice = try await client.join(scene.organisation.person("alice"))
            for token in [alice.token, nil] {
                let answer = try await client.send(
                    .post, "/api/log/policy", try scene.statement(good, by: owner.authority), token: token)
                #expect(["forbidden", "unauthenticated"].contains(answer.problem))
            }
            #expect(try await client.send(.get, "/api/organisation").decode(Organisation.self).logPolicy == nil)
            // A replay of the one that was taken is not the next version.
            scene.witnesses.away = []
            let first = try scene.statement(good, by: owner.authority)
            #expect(try await client.send(.post, "/api/log/policy", first, token: token).status == 200)
            #expect(try await client.send(.post, "/api/log/policy", first, token: token).problem == "conflict")
            let none = try scene.statement(
                "log \(scene.log.verifierKey)\nquorum none\n", version: 2, by: owner.authority)
            #expect(try await client.send(.post, "/api/log/policy", none, token: token).status == 200)
            scene.witnesses.away = [0, 1, 2]
            _ = try await client.join(scene.organisation.person("bob"))
        }
    }

    @Test("acts at the same time share one round of witnesses")
    func shared() async throws {
        let scene = try await Scene()
        try await scene.organisation.serve { client in
            try await scene.settle(client, quorum: 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<24 {
                    let person = try scene.organisation.person("member\(number)")
                    group.addTask {
                        let session = try await client.join(person)
                        _ = try scene.verify(try #require(session.receipt))
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
