import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Logging
import Storage
import Testing
import Transparency
import Verification

@testable import Server

/// Two servers of one organisation, as two processes are: each with its own connections, caches and streams.
@Suite(
    "Servers that share a database", .timeLimit(.minutes(5)),
    .enabled(if: TestDatabase.isPostgres, "Needs TEST_ENGINE=postgres."))
struct SharedDatabaseTests {
    @Test("are one organisation: accounts, sessions, receipts and what is ended, at once")
    func together() async throws {
        let one = try await TestOrganisation()
        let other = try await TestOrganisation(sharing: one)
        #expect(one.server.environment.log.verifierKey == other.server.environment.log.verifierKey)
        try await one.serve { here in
            try await other.serve { there in
                let owner = try await here.setUp(one.person("owner"))
                let alice = try one.person("alice")
                let session = try await there.join(alice)
                for client in [here, there] {
                    let devices = try await client.send(.get, "/api/devices", token: session.token)
                        .decode(Listing<Device>.self).items
                    #expect(devices.count == 1)
                }
                // Acts through both, in turn: one log, without gaps, whose entries either vouches for.
                let key = try NoteVerifierKey.parse(Bytes(text: one.server.environment.log.verifierKey))
                for round in 0..<6 {
                    let client = round % 2 == 0 ? here : there
                    _ = try await client.join(try one.person("member\(round)"))
                }
                let count = try await one.server.environment.database.read { try LogStore(transaction: $0).count() }
                #expect(count >= 8)
                for organisation in [one, other] {
                    for index in 0..<count {
                        let receipt = try await organisation.server.environment.log.receipt(index)
                        let verified = try Transparency.Receipt.verify(
                            Bytes(text: receipt.proof), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite())
                        #expect(verified.index == UInt64(index))
                    }
                }
                // Ended here, refused there.
                #expect(try await here.send(.delete, "/api/sessions/current", token: session.token).status < 300)
                #expect(try await there.send(.get, "/api/devices", token: session.token).problem == "unauthenticated")
                #expect(try await there.send(.get, "/api/account", token: owner.token).status == 200)
            }
        }
    }

    @Test("are overtaken by each other before witnesses, and give every act its receipt")
    func witnessed() async throws {
        let witnesses = try TestWitnesses(2)
        let one = try await TestOrganisation(witnesses: witnesses)
        let other = try await TestOrganisation(sharing: one, witnesses: witnesses)
        let key = one.server.environment.log.verifierKey
        try await witnesses.watch([NoteVerifierKey.parse(Bytes(text: key))])
        let policy = witnesses.policy(log: key, quorum: 2)
        try await one.serve { here in
            try await other.serve { there in
                let owner = try one.person("owner")
                let token = try await here.setUp(owner).token
                let request = try LogPolicyRequest.signed(policy, by: owner.authority, time: one.clock.clock.now())
                #expect(try await here.send(.post, "/api/log/policy", request, token: token).status == 200)
                let read = try LogPolicy.read(Bytes(text: policy))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<24 {
                        let (client, place) = number % 2 == 0 ? (here, one) : (there, other)
                        let person = try place.person("member\(number)")
                        group.addTask {
                            let receipt = try #require(try await client.join(person).receipt)
                            _ = try Transparency.Receipt.verify(
                                Bytes(text: receipt.proof), policy: read, suite: SwiftCryptoSuite())
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("change the log's key together: neither destroys the old one while the other signs with it alone")
    func logKey() async throws {
        let one = try await TestOrganisation()
        let other = try await TestOrganisation(sharing: one)
        try await one.serve { here in
            try await other.serve { there in
                let owner = try one.person("owner")
                let token = try await here.setUp(owner).token
                guard case .state(let state) = try await KeyOrder.logBegin.carryOut(on: one.server) else { return }
                let (old, next) = (state.current.verifierKey, try #require(state.next).verifierKey)
                let policy = "log \(old)\nlog \(next)\nquorum none\n"
                let request = try LogPolicyRequest.signed(policy, by: owner.authority, time: one.clock.clock.now())
                #expect(try await here.send(.post, "/api/log/policy", request, token: token).status == 200)
                // The other one has not looked yet.
                _ = try await there.join(try other.person("early"))
                #expect(other.server.environment.log.verifierKeys == [old])
                await #expect(throws: LogKeyChange.StepError.notSigned) {
                    try await KeyOrder.logFinish.carryOut(on: one.server)
                }
                let logger = Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } }
                let watch = KeyWatch(environment: other.server.environment, logger: logger)
                try await watch.check()
                _ = try await there.join(try other.person("later"))
                guard case .rotated = try await KeyOrder.logFinish.carryOut(on: one.server) else { return }
                // It goes on with both until it looks, and then with the new one.
                _ = try await there.join(try other.person("between"))
                _ = try await here.join(try one.person("here"))
                try await watch.check()
                for organisation in [one, other] {
                    #expect(organisation.server.environment.log.verifierKeys == [next])
                }
                let receipt = try #require(try await there.join(try other.person("last")).receipt)
                _ = try Transparency.Receipt.verify(
                    Bytes(text: receipt.proof), policy: LogPolicy(logKey: NoteVerifierKey.parse(Bytes(text: next))),
                    suite: SwiftCryptoSuite())
            }
        }
    }

    @Test("count wrong passphrases together, however often they are asked in turn")
    func guesses() async throws {
        let one = try await TestOrganisation()
        let other = try await TestOrganisation(sharing: one)
        try await one.serve { here in
            try await other.serve { there in
                _ = try await here.setUp(one.person("owner"))
                let alice = try one.person("alice")
                let device = try await here.join(alice).deviceID
                func guess(_ client: TestClient, _ passphrase: String) async throws -> String? {
                    let nonce = try await AccountTests.challenge(alice.username, client)
                    return try await client.send(
                        .post, "/api/sessions",
                        SignInRequest(
                            username: alice.username, passphrase: passphrase, device: device,
                            proof: try AccountTests.proof(alice, nonce))
                    ).problem
                }
                for number in 0..<10 {
                    #expect(try await guess(number % 2 == 0 ? here : there, "wrong wrong wrong") == "sign-in-failed")
                }
                #expect(try await guess(here, alice.passphrase) == "too-many-requests")
                #expect(try await guess(there, alice.passphrase) == "too-many-requests")
            }
        }
    }

    @Test("hold the folder and keys together, and a server of its own is refused it")
    func folder() async throws {
        let one = try await TestOrganisation()
        let other = try await TestOrganisation(sharing: one)
        #expect(one.server.environment.keys.secret(.labelSecret) == other.server.environment.keys.secret(.labelSecret))
        #expect(throws: StorageError.self) { try DataDirectory.open(one.server.directory.path) }
    }
}
