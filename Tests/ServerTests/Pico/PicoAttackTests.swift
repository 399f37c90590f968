import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Pico
import Storage
import Testing

@testable import Server

/// What somebody tries who has a session, a code or an address that they should not have.
@Suite("Attacks on signing in with a scan", .timeLimit(.minutes(5)))
struct PicoAttackTests {
    @Test("a wallet that a thief paired without a device does not outlive the main administrator's recovery")
    func recovered() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let session = try await client.setUp(owner)
            let environment = organisation.server.environment
            // A session of a passkey elsewhere has no device.
            let thief = try await environment.database.write { transaction in
                try environment.openSession(
                    account: session.account, device: nil, in: transaction, now: environment.now()
                ).session
            }
            let scene = PicoScene(organisation: organisation, client: client, person: owner, session: thief)
            let (pico, _) = try await scene.paired()
            _ = try await scene.signedIn(pico)
            let code = try await RecoveryService(environment: environment).makeCode().code
            let back = try await client.send(
                .post, "/api/authority/recovery", try organisation.person("owner").recovery(code: code)
            ).decode(SetUpResult.self)
            #expect(try await scene.list(back.session) == [])
            let offer = try await scene.begin()
            async let waiting = scene.progress(offer)
            #expect(try await pico.signIn(offer.code) == .rejected)
            #expect(
                try await client.send(
                    .post, "/api/pico/sign-ins/\(offer.id)/end", PicoSignInSecret(secret: offer.secret)
                ).status == 204)
            #expect(try await waiting.session == nil)
        }
    }

    @Test("nobody hands a wallet's messages on to a code of their own, past the owner who looks at another one")
    func handedOn() async throws {
        try await PicoScene.serve { scene in
            let (pico, _) = try await scene.paired()
            let (own, thiefs) = (try await scene.begin(), try await scene.begin())
            let path = "/api/pico/asking/\(try scene.channel(own))"
            #expect(try await scene.client.send(.get, path, token: scene.session.token).status == 200)
            // Both codes are of one service. What the wallet says to the first is what it would say to the second.
            async let waiting = scene.progress(thiefs)
            #expect(try await pico.signIn(thiefs.code) == .rejected)
            #expect(
                try await scene.client.send(
                    .post, "/api/pico/sign-ins/\(thiefs.id)/end", PicoSignInSecret(secret: thiefs.secret)
                ).status == 204)
            #expect(try await waiting.session == nil)
            // The page learns that its code was looked at, and asks again.
            #expect(try await scene.progress(own).state == .seen)
            async let there = scene.progress(own)
            #expect(try await pico.signIn(own.code) == .accepted)
            #expect(try await there.session?.account.username == "alice")
            // That look is over. A wallet that looks at nothing comes in as before.
            _ = try await scene.signedIn(pico)
        }
    }

    @Test("somebody's look, a look that ended with no, and one that is long over keep no wallet out")
    func looks() throws {
        let looks = PicoLooks()
        looks.note("alice", "wallet", at: "1", uptime: 0)
        #expect(looks.allow("alice", through: "1", at: 0) && !looks.allow("alice", through: "2", at: 0))
        #expect(looks.allow("bob", through: "2", at: 0))
        looks.note("alice", "wallet", at: "2", uptime: 10)
        #expect(looks.allow("alice", through: "1", at: 10) && looks.allow("alice", through: "2", at: 10))
        looks.forget("alice", at: "2")
        #expect(!looks.allow("alice", through: "2", at: 10))
        #expect(!looks.allow("alice", through: "2", at: Limits.picoLookTime * 1_000 - 1))
        #expect(looks.allow("alice", through: "2", at: Limits.picoLookTime * 1_000))
        looks.forget("alice", at: "1")
        #expect(looks.allow("alice", through: "2", at: 0))
        // Who has another session of the same account takes no look back by looking at many codes.
        looks.note("carol", "wallet", at: "own", uptime: 0)
        for number in 0...16 { looks.note("carol", "other", at: "\(number)", uptime: 0) }
        #expect(looks.allow("carol", through: "own", at: 0) && looks.allow("carol", through: "16", at: 0))
        #expect(!looks.allow("carol", through: "0", at: 0))
    }

    @Test("live updates end when the time of a held session is over, though no page waits and nobody locks it")
    func updates() async throws {
        try await PicoScene.serve { scene in
            let held = try await HeldSession(scene)
            let environment = scene.organisation.server.environment
            func listen() async throws -> AsyncStream<EventHub.Frame> {
                let principal = try await SessionService(environment: environment)
                    .authenticate(token: held.session.token)
                return try environment.events.subscribe(try #require(principal))
            }
            let account = held.session.account.id
            let stream = try await listen()
            let isOver = Signal()
            let presence = Task {
                defer { isOver.set() }
                return try await held.presence()
            }
            scene.organisation.clock.advance(.seconds(15))
            #expect(try await held.say(.active) == .active)
            // Beyond the first thirty seconds, and within the twenty that the wallet has given.
            scene.organisation.clock.advance(.seconds(20))
            environment.publish(LiveEvent(.account, id: "1", state: "changed"), to: account)
            scene.organisation.clock.advance(.seconds(1))
            environment.publish(LiveEvent(.account, id: "2", state: "changed"), to: account)
            try await until {
                scene.organisation.clock.advance(.seconds(1))
                return isOver.isSet
            }
            #expect(try await [.active, .lost].contains(presence.value.state))
            environment.events.end(account: account)
            var seen: [String] = []
            for await case .event(let event) in stream { seen.append(event.id) }
            #expect(seen == ["1"])
        }
    }

    @Test("a page that began to pair before its session was locked pairs nothing")
    func locked() async throws {
        try await PicoScene.serve { scene in
            let held = try await HeldSession(scene)
            let environment = scene.organisation.server.environment
            let principal = try #require(
                try await SessionService(environment: environment).authenticate(token: held.session.token))
            try await environment.database.write { transaction in
                try SessionStore(transaction: transaction)
                    .confirm(id: principal.session, until: environment.now() + 300)
            }
            let before = try await scene.list()
            let offer = try await scene.offer("left behind", as: held.session)
            async let waiting = scene.wait(offer, as: held.session)
            async let presence = held.presence()
            #expect(try await held.say(.paused) == .paused)
            #expect(try await presence.state == .paused)
            #expect(try await TestPico(scene.client).pair(offer.code) == .rejected)
            #expect(try await waiting.problem == "unauthenticated")
            #expect(try await scene.list() == before)
        }
    }

    @Test("a wallet hears that the session was ended elsewhere", arguments: [true, false])
    func ended(bySigningOut: Bool) async throws {
        try await PicoScene.serve { scene in
            let held = try await HeldSession(scene)
            async let presence = held.presence()
            #expect(try await held.say(.active) == .active)
            if bySigningOut {
                let answer = try await scene.client.send(
                    .delete, "/api/sessions/current", token: held.session.token)
                #expect(answer.status == 204)
            } else {
                let wallet = try #require(try await scene.list().first)
                _ = try await scene.client.send(
                    .delete, "/api/pico/pairings/\(wallet.id)", token: scene.session.token)
            }
            #expect(try await held.say(.active) == .stopped)
            #expect(try await presence.state == .lost)
            #expect(try await held.wait().problem == "not-found")
        }
    }

    @Test("one host with a network of IPv6 counts as one address, for channels and for codes")
    func network() async throws {
        let rendezvous = Rendezvous(bounds: .init(ofAddress: 1), clock: ManualClock().clock)
        async let waits = rendezvous.wait(at: "a", writing: nil, from: "2001:db8::1")
        try await until { rendezvous.count == 1 }
        #expect(throws: Rendezvous.Full.self) { try rendezvous.meet("b", writing: nil, from: "2001:db8::2") }
        #expect(try rendezvous.meet("b", writing: nil, from: "2001:db8:0:1::1") == nil)
        rendezvous.close("a")
        #expect(try await waits == .closed)
        #expect(try rendezvous.meet("b", writing: nil, from: "2001:db8::2") == nil)
        let environment = try await TestOrganisation().server.environment
        let identity = try PicoIdentity(environment.with(keys: [.picoSecret]).keys, suite: SwiftCryptoSuite()).key
        let runs = PicoRuns()
        func add(_ number: Int) throws {
            let origin = PicoRun.Origin(address: "2001:db8::\(number)", created: 0, uptime: 0)
            try runs.add(
                PicoRun(
                    id: "\(number)", channel: "\(number)",
                    .signIn(secret: "", isContinuous: false, replaces: nil), from: origin, identity: identity), at: 0)
        }
        for number in 0..<Limits.picoRunsOfAddress { try add(number) }
        #expect(throws: Problem.self) { try add(Limits.picoRunsOfAddress) }
    }

    @Test("who takes all places of an address at the rendezvous keeps no page there from waiting for its wallet")
    func crowded() async throws {
        let office = try PicoOffice(try await TestOrganisation().server.environment.with(keys: [.picoSecret]))
        let (rendezvous, address) = (office.rendezvous, "127.0.0.9")
        let run = PicoRun(
            id: "1", channel: "page", .signIn(secret: "", isContinuous: false, replaces: nil),
            from: PicoRun.Origin(address: address, created: 0, uptime: 0), identity: office.identity.key)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Limits.channelsOfAddress {
                group.addTask { _ = try await rendezvous.wait(at: "\(number)", writing: nil, from: address) }
            }
            try await until { rendezvous.count == Limits.channelsOfAddress }
            #expect(throws: Rendezvous.Full.self) { try rendezvous.meet("more", writing: nil, from: address) }
            group.addTask {
                let decided: Int? = try await office.exchange.advance(run) { _ in .refuse }
                #expect(decided == nil)
            }
            try await until { rendezvous.count == Limits.channelsOfAddress + 1 }
            for number in 0..<Limits.channelsOfAddress { rendezvous.close("\(number)") }
            rendezvous.close("page")
            try await group.waitForAll()
        }
    }

    @Test("a wallet can tell that a code is for this server, and so that its channel should be known")
    func service() async throws {
        try await PicoScene.serve { scene in
            let offer = try await scene.offer()
            let service = try await scene.client.send(.get, "/api/pico/service", token: scene.session.token)
                .decode(PicoOwnService.self)
            #expect(service.commitment == offer.fingerprint)
            #expect(try await scene.client.send(.get, "/api/pico/service").problem == "unauthenticated")
        }
    }

    @Test("one address does not take all the room for messages")
    func room() async throws {
        let rendezvous = Rendezvous(bounds: .init(bytesOfAddress: 10), clock: ManualClock().clock)
        let most = Bytes(repeating: 1, count: 10)
        async let waits = rendezvous.wait(at: "a", writing: most, from: "127.0.0.2")
        try await until { rendezvous.count == 1 }
        #expect(throws: Rendezvous.Full.self) { try rendezvous.meet("b", writing: [1], from: "127.0.0.2") }
        #expect(try rendezvous.meet("b", writing: [1], from: "127.0.0.3") == nil)
        #expect(try rendezvous.meet("b", writing: nil, from: "127.0.0.2") == nil)
        #expect(try rendezvous.meet("a", writing: nil, from: "127.0.0.2") == .data(most))
        #expect(try await waits == .taken)
        #expect(try rendezvous.meet("b", writing: most, from: "127.0.0.2") == nil)
    }
}
